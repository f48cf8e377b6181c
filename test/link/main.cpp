// SPDX-License-Identifier: BSL-1.0
// Two units that use one model link, share its definitions, and compute the same bits.
#include "model.hpp"

#include <cstdio>

int main() {
    auto const cell = unspool::initial<model::params>(1);
    auto const xs = unspool::normal<float, 6, 3, 2>(2);
    model::finding const here = model::compute(cell, xs);
    model::finding const there = model::compute_elsewhere(cell, xs);
    bool const same = here.value == there.value && here.bias == there.bias &&
                      here.function == there.function && here.value != 0;
    if (!same) std::puts("two units disagree about one model");
    return same ? 0 : 1;
}
