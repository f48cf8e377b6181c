// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the function has no argument of that number
// expect-note: argument_numbers<2 | Arguments = 2
// twin: s/grad<2>/grad<1>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w, auto x) { return us::sum(w * x); };
us::program planned(us::grad<2>(loss), us::tensor<double, 3>{}, us::tensor<double, 3>{});
