// SPDX-License-Identifier: BSL-1.0
// expect: unspool: dot takes a vector, matrix or sequence and a vector or matrix
// expect-note: 2, 3, 4>
// twin: s/{}, us::tensor<double, 2, 3, 4>/{}, us::tensor<double, 3, 4>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto y) { return us::dot(x, y); };
us::program planned(forward_pass, us::tensor<double, 2, 3>{}, us::tensor<double, 2, 3, 4>{});
