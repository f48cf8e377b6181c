// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a product mixes float and double
// expect-note: traced<double>, 2, 3>
// expect-note: traced<float>, 3, 4>
// twin: s/us::tensor<float, 3, 4>/us::tensor<double, 3, 4>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr us::tensor<float, 3, 4> table{};
constexpr auto forward_pass = [](auto a) { return us::dot(a, us::constant(table)); };
us::program planned(forward_pass, us::tensor<double, 2, 3>{});
