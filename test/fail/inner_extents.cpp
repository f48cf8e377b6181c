// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the last axes of the operands of inner differ
// expect-note: inner
// expect-note: 3, 4>
// expect-note: 4, 3>
// twin: s/4, 3>{}/5, 4>{}/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto a, auto b) { return us::inner(a, b); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{}, us::tensor<double, 4, 3>{});
