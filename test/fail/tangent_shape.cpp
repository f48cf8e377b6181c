// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a tangent is of the type of its argument
// expect-note: tangent<
// twin: s/{}, us::tensor<double, 4>/{}, us::tensor<double, 3>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto w) { return us::tanh(w); };
us::program planned(us::jvp(forward_pass), us::tensor<double, 3>{}, us::tensor<double, 4>{});
