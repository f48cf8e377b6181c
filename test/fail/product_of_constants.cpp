// SPDX-License-Identifier: BSL-1.0
// expect: unspool: no operand of an operation depends on an argument
// expect-note: constants_only<
// expect-note: op::dot
// twin: s/dot(weights, weights)/dot(x, weights)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr us::tensor<double, 2, 2> table(1, 2, 3, 4);
constexpr auto forward_pass = [](auto x) {
    auto const weights = us::constant(table);
    return x + us::dot(weights, weights);
};
us::program planned(forward_pass, us::tensor<double, 2, 2>{});
