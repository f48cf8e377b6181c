// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a loss takes a prediction and a target of one shape
// expect-note: double>, 5, 1>
// expect-note: double>, 5>
// twin: s/us::tensor<double, 5>/us::tensor<double, 5, 1>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto y, auto target) { return us::mean_squared_error(y, target); };
us::program planned(us::grad(loss), us::tensor<double, 5, 1>{}, us::tensor<double, 5>{});
