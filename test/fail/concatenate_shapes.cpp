// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the operands of concatenate differ beside their axis
// expect-note: concatenate
// expect-note: 3, 4>
// expect-note: 3, 5>
// twin: s/concatenate<0>/concatenate<1>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto y) { return us::concatenate<0>(x, y); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{}, us::tensor<double, 3, 5>{});
