// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the arguments of jvp are the function's and one tangent for each
// expect-note: argument_count<1, 2> | Given = 1; int Least = 2
// twin: s/planned(us::jvp(forward_pass), us::tensor<double, 3>{})/planned(us::jvp(forward_pass), us::tensor<double, 3>{}, us::tensor<double, 3>{})/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto w) { return us::tanh(w); };
us::program planned(us::jvp(forward_pass), us::tensor<double, 3>{});
