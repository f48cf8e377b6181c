// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an index is out of range
// expect-note: index<-4, 3> | Index = -4; int Extent = 3
// twin: s/0, -4/0, -3/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::take(x, us::tensor<int, 2>{0, -4}); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
