// SPDX-License-Identifier: BSL-1.0
// expect: unspool: no such axis
// expect-note: axis<
// expect-note: 3, 4>
// twin: s/slice<2/slice<-2/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::slice<2, 0, 1>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
