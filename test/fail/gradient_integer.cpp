// SPDX-License-Identifier: BSL-1.0
// expect: unspool: integers have no derivative
// expect-note: tensor<int, 3>
// twin: s/us::grad<0>/us::grad<1>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto n, auto w) { return us::sum(n * us::square(w)); };
us::program planned(us::grad<0>(loss), us::tensor<int, 3>{}, us::tensor<double, 3>{});
