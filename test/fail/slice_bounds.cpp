// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a slice is empty or leaves its operand
// expect-note: slice<1, 2, 5 | Axis = 1; int Begin = 2; int End = 5
// expect-note: 3, 4>
// twin: s/2, 5/2, 4/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::slice<1, 2, 5>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
