// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the loss does not depend on a parameter that is differentiated
// expect-note: argument_number<1>
// twin: s/grad<0, 1>/grad<0>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w, auto) { return us::sum(us::square(w)); };
us::program planned(us::grad<0, 1>(loss), us::tensor<double, 3>{}, us::tensor<double, 4>{});
