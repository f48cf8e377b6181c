// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the function does not take these arguments as expressions
// twin: s/[](us::tensor<double, 3> w)/[](auto w)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](us::tensor<double, 3> w) { return w[0]; };
us::program planned(us::vjp(loss), us::tensor<double, 3>{}, 1.0);
