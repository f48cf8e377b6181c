// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the input and the kernel of a convolution have different numbers of channels
// expect-note: 9, 2>
// expect-note: 3, 3, 4>
// twin: s/3, 3, 4>{}/3, 2, 4>{}/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto k) { return us::conv1d(x, k); };
us::program planned(forward_pass, us::tensor<double, 9, 2>{}, us::tensor<double, 3, 3, 4>{});
