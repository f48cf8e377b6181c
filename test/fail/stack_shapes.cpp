// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the operands of stack have different shapes
// expect-note: 3, 4>
// expect-note: 3, 5>
// twin: s/3, 5>{}/3, 4>{}/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto y) { return us::stack<1>(x, y); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{}, us::tensor<double, 3, 5>{});
