// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the options of a gradient are has_aux and unused::zero
// twin: s/loss, weights)/loss)(weights)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w) { return us::sum(us::square(w)); };
constexpr us::tensor<double, 3> weights(1, 2, 3);
inline constexpr auto gradient = us::grad(loss, weights);
