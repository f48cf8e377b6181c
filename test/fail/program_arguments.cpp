// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a program is called with the arguments it was made for
// expect-note: double, 3>
// expect-note: double, 4>
// twin: s/run(us::tensor<double, 4> const& x)/run(us::tensor<double, 3> const& x)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w) { return us::sum(us::square(w)); };
void run(us::tensor<double, 4> const& x) {
    us::program planned(us::grad(loss), us::tensor<double, 3>{});
    planned(x);
}
