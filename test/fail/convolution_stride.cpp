// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the stride and the dilation of a convolution are at least 1
// expect-note: conv1d
// twin: s/causal, 0>/causal, 2>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto k) { return us::conv1d<us::causal, 0>(x, k); };
us::program planned(forward_pass, us::tensor<double, 9, 2>{}, us::tensor<double, 3, 2, 4>{});
