// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a convolution mixes float and double
// expect-note: traced<double>, 9, 2>
// expect-note: traced<float>, 3, 2, 4>
// twin: s/us::tensor<float, 3, 2, 4>/us::tensor<double, 3, 2, 4>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr us::tensor<float, 3, 2, 4> table{};
constexpr auto forward_pass = [](auto x) { return us::conv1d(x, us::constant(table)); };
us::program planned(forward_pass, us::tensor<double, 9, 2>{});
