// SPDX-License-Identifier: BSL-1.0
// expect: unspool: conv1d takes an input (T, inputs)
// expect-note: conv1d
// expect-note: 9>
// twin: s/double, 9>{}/double, 9, 2>{}/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto k) { return us::conv1d(x, k); };
us::program planned(forward_pass, us::tensor<double, 9>{}, us::tensor<double, 3, 2, 4>{});
