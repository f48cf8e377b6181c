// SPDX-License-Identifier: BSL-1.0
// expect: unspool: broadcast_to cannot stretch its operand to that shape
// expect-note: broadcast_to
// expect-note: 3, 4>
// twin: s/6, 4/6, 3, 4/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::broadcast_to<6, 4>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
