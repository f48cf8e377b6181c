// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the inner extents of a product differ, the last of the left and the last but one
// expect-note: 2, 3, 4>
// expect-note: 2, 5, 4>
// twin: s/2, 5, 4>{}/2, 4, 5>{}/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto a, auto b) { return us::matmul(a, b); };
us::program planned(forward_pass, us::tensor<double, 2, 3, 4>{}, us::tensor<double, 2, 5, 4>{});
