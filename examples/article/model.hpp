// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/unspool.hpp>

#include <utility>

/// @file
/// The article's model: an LSTM of 10 units over 10 steps of 10 features, batch 1, from a state of
/// zeros. Its losses are functions of expressions; the compiler derives every gradient below.
namespace article {

namespace us = unspool;

inline constexpr int steps = 10;
inline constexpr int features = 10;
inline constexpr int units = 10;

using params = us::lstm_params<double, features, units>;
using sequence = us::tensor<double, steps, 1, features>;  // time-major
using outputs = us::tensor<double, steps, 1, units>;

/// The article's loss, the mean of all outputs. One tape around the loop gives its whole gradient.
inline constexpr auto loss = [](auto cell, auto xs) {
    return us::mean(us::lstm(cell, xs).outputs);
};

/// The last step's part of that mean.
inline constexpr auto last_step = [](auto cell, auto xs) {
    return us::sum(us::lstm(cell, xs).state.h) / (steps * units);
};

/// A tape inside of each step sees the carried state as a constant; the sum of what such tapes give
/// is the gradient of this function.
inline constexpr auto nested_tapes = [](auto cell, auto xs) {
    auto const step = [&](auto state, auto const& x) {
        state.h = us::stop_gradient(state.h);
        state.c = us::stop_gradient(state.c);
        auto const next = us::lstm_cell(cell, x, state);
        return std::pair{next, next.h};
    };
    us::lstm_state<us::traced<double>, 1, units> const zeros;
    return us::mean(us::scan(step, zeros, xs).second);
};

/// The outputs when `shift`, (T, 1, units), is added to every h_t: a derivative with respect to
/// shift, at zero, is the derivative with respect to h_t, whatever h_t does later.
inline constexpr auto shifted_outputs = [](auto const& shift, auto const& cell, auto const& xs) {
    auto const step = [&](auto const& state, auto const& in) {
        auto next = us::lstm_cell(cell, in.first, state);
        next.h = next.h + in.second;
        return std::pair{next, next.h};
    };
    us::lstm_state<us::traced<double>, 1, units> const zeros;
    return us::scan(step, zeros, std::pair{xs, shift}).second;
};
inline constexpr auto shifted_loss = [](auto shift, auto cell, auto xs) {
    return us::mean(shifted_outputs(shift, cell, xs));
};
inline constexpr auto shifted_last_step = [](auto shift, auto cell, auto xs) {
    return us::sum(shifted_outputs(shift, cell, xs)[steps - 1]) / (steps * units);
};

}  // namespace article
