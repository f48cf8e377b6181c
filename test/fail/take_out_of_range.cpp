// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an index is out of range
// expect-note: index<3, 3> | Index = 3; int Extent = 3
// twin: s/0, 3/0, 2/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::take<0>(x, std::array{0, 3}); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
