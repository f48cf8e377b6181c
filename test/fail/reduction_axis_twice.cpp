// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a reduction names an axis twice
// expect-note: op::sum
// expect-note: 3, 4>
// twin: s/sum<0, -2>/sum<0, -1>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::sum<0, -2>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
