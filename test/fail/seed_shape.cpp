// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a seed is of the type of the function's value
// expect-note: seed<
// twin: s/{}, us::tensor<double, 4>/{}, us::tensor<double, 3>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto w) { return us::tanh(w); };
us::program planned(us::vjp(forward_pass), us::tensor<double, 3>{}, us::tensor<double, 4>{});
