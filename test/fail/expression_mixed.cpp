// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an expression mixes float and double
// expect-note: op::multiply
// expect-note: traced<float>, 3>
// twin: s/us::tensor<float, 3>/us::tensor<double, 3>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr us::tensor<float, 3> scale(1, 2, 3);
constexpr auto loss = [](auto w) { return us::sum(w * us::constant(scale)); };
us::program planned(us::grad(loss), us::tensor<double, 3>{});
