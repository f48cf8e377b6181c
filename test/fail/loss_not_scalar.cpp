// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the loss is not a scalar
// expect-note: loss<
// expect-note: double>, 3>
// twin: s/us::tanh(w)/us::sum(us::tanh(w))/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w) { return us::tanh(w); };
us::program planned(us::value_and_grad(loss), us::tensor<double, 3>{});
