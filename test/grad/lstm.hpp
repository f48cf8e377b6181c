// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "grad/check.hpp"

/// An LSTM of which every output and both final states matter, each element with a weight of its
/// own.
namespace unspool_test {

inline constexpr auto rich = [](auto cell, auto xs, auto state, auto weights) {
    auto const [outputs, last] = us::lstm(cell, xs, state);
    return us::sum(outputs * weights.first) + us::sum(last.h * weights.second.h) -
           us::sum(us::square(last.c) * weights.second.c);
};
/// The layer as a function of three arguments that returns a structure.
inline constexpr auto layer = [](auto cell, auto xs, auto state) {
    return us::lstm(cell, xs, state);
};

template <class T, int Steps, int Batch, int Inputs, int Units>
struct model {
    using params = us::lstm_params<T, Inputs, Units>;
    using state_type = us::lstm_state<T, Batch, Units>;
    params cell = random<params>(1, 0.5);
    us::tensor<T, Steps, Batch, Inputs> xs = random<us::tensor<T, Steps, Batch, Inputs>>(2);
    state_type state = random<state_type>(3, 0.7);
    std::pair<us::tensor<T, Steps, Batch, Units>, state_type> weights =
        random<std::pair<us::tensor<T, Steps, Batch, Units>, state_type>>(4);
};

}  // namespace unspool_test
