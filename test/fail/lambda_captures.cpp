// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a traced function captures nothing
// twin: s/[scale](auto w)/[](auto w)/
#include <unspool/unspool.hpp>

namespace us = unspool;

void train(us::tensor<double, 3> const& scale) {
    auto const loss = [scale](auto w) { return us::sum(w * w); };
    us::program planned(us::grad(loss), scale);
    (void)planned;
}
