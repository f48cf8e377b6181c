// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the function does not take these arguments as expressions
// twin: s/[](auto w)/[](auto w, auto)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w) { return us::sum(us::square(w)); };
us::program planned(us::grad(loss), us::tensor<double, 3>{}, us::tensor<double, 3>{});
