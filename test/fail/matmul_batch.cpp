// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the axes before the matrices of a product do not broadcast
// expect-note: 2, 3, 4>
// expect-note: 5, 4, 6>
// twin: s/5, 4, 6>{}/1, 4, 6>{}/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto a, auto b) { return us::matmul(a, b); };
us::program planned(forward_pass, us::tensor<double, 2, 3, 4>{}, us::tensor<double, 5, 4, 6>{});
