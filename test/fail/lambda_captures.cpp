// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a traced function captures nothing
// twin: s/[factor = 2.0](auto w) {/[](auto w) { constexpr double factor = 2.0;/
#include <unspool/unspool.hpp>

namespace us = unspool;

void train(us::tensor<double, 3> const& weights) {
    auto const loss = [factor = 2.0](auto w) { return factor * us::sum(us::square(w)); };
    us::program planned(us::grad(loss), weights);
    (void)planned;
}
