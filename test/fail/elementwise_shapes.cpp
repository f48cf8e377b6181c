// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the shapes of an elementwise operation do not broadcast
// expect-note: op::multiply
// expect-note: double, 3, 4>
// expect-note: unspool::traced<double>, 3> | unspool::v0::traced<double>, 3>
// twin: s/{}, us::tensor<double, 3>/{}, us::tensor<double, 4>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto y) { return us::tanh(x) * y; };
us::program planned(forward_pass, us::tensor<double, 3, 4>{}, us::tensor<double, 3>{});
