// SPDX-License-Identifier: BSL-1.0
// expect: unspool: with has_aux a function returns {loss, aux}
// expect-note: loss_and_aux<
// twin: s/us::grad(loss, us::has_aux)/us::grad(loss)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w) { return us::sum(us::square(w)); };
us::program planned(us::grad(loss, us::has_aux), us::tensor<double, 3>{});
