// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the kernel of a convolution reaches further than its input
// expect-note: conv1d
// twin: s/valid, 1, 5>/valid, 1, 4>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto k) { return us::conv1d<us::valid, 1, 5>(x, k); };
us::program planned(forward_pass, us::tensor<double, 9, 2>{}, us::tensor<double, 3, 2, 4>{});
