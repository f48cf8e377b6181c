// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an argument or result is neither a tensor, a number
// expect-note: structure<double | X = double*
// twin: s/double* x/us::tensor<double, 3> x/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w) { return us::sum(us::square(w)); };
void train(double* x) {
    us::program planned(us::grad(loss), x);
    (void)planned;
}
