// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an expression is assigned to one of another shape
// expect-note: operator=
// twin: s/x = us::sum<0>(y)/x = us::tanh(y)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto y) { return (x = us::sum<0>(y), x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{}, us::tensor<double, 3, 4>{});
