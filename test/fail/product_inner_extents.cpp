// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the inner extents of a product differ
// expect-note: dot<
// expect-note: 4, 10>
// expect-note: 8, 1>
// twin: s/8, 1/10, 1/
#include <unspool/unspool.hpp>

namespace us = unspool;

// [code]
constexpr auto forward_pass = [](auto x, auto y) { return us::dot(x, y); };
us::program planned(forward_pass, us::tensor<double, 4, 10>{}, us::tensor<double, 8, 1>{});
// [/code]
