// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the arguments of a traced function mix float and double
// expect-note: arguments<double, float> | Element = {double, float}
// twin: s/us::tensor<float, 3>/us::tensor<double, 3>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w, auto x) { return us::sum(w * x); };
us::program planned(us::grad(loss), us::tensor<double, 3>{}, us::tensor<float, 3>{});
