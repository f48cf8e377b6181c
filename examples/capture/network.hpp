// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/unspool.hpp>

#include <boost/hana/define_struct.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

/// @file
/// The model and its loss, as the compiler sees them: nothing here computes anything.

namespace capture {

namespace us = unspool;

/// The captured effect's parameters: an LSTM with one input, and a dense layer with one output.
template <class T, auto... N>
struct network;
template <class T, auto Units>
struct network<T, Units> {
    BOOST_HANA_DEFINE_STRUCT(network, (us::lstm_params<T, 1, Units>, lstm),
                             (us::dense_params<T, Units, 1>, dense));
};

/// h and c of every segment.
template <auto Batch, auto Units>
using memory = us::lstm_state<float, Batch, Units>;

/// Outputs of all steps, (steps, batch, 1), and the state after the last. `skip` is 1 or 0.
inline constexpr auto run_network = [](auto const& net, auto const& state, auto const& dry,
                                       auto const& skip) {
    auto const [hs, last] = us::lstm(net.lstm, dry, state);
    auto const predicted = us::dense(net.dense, hs) + skip * dry;
    return std::pair{predicted, last};
};

/// The state after all steps, and nothing else.
inline constexpr auto settle = [](auto const& lstm, auto const& state, auto const& dry) {
    return us::lstm(lstm, dry, state).state;
};

/// One sample, (1, 1): what the player hears, and the state for the next.
inline constexpr auto play_sample = [](auto const& net, auto const& state, auto const& dry,
                                       auto const& skip) {
    auto const next = us::lstm_cell(net.lstm, dry, state);
    auto const predicted = us::dense(net.dense, next.h) + skip * dry;
    return std::pair{predicted, next};
};

/// What training minimises: 0.75 × error-to-signal ratio after pre-emphasis, Σ(y−ŷ)² / Σy² of
/// y ← y − 0.85 z⁻¹y, plus 0.25 × DC, (mean(y) − mean(ŷ))² / mean(y²). Divisors are of the whole
/// batch; the floor (−50 dB) is for windows that are silent. The window's first sample has none
/// before it to be filtered with, so it counts for the second part only.
inline constexpr auto sound_loss = [](auto const& wet, auto const& predicted) {
    using sequence = std::remove_cvref_t<decltype(wet)>;
    constexpr int steps = sequence::dims.extent[0];
    auto const heard = [](auto const& y) { return us::slice<0, 1, steps>(us::pre_emphasis(y)); };
    auto const esr = us::error_to_signal(heard(predicted), heard(wet), 1e-5 * sequence::count);
    return 0.75 * esr + 0.25 * us::dc_error(predicted, wet, 1e-5);
};

/// {loss, state after the window}: differentiated with respect to the network.
inline constexpr auto window_loss = [](auto const& net, auto const& state, auto const& dry,
                                       auto const& wet, auto const& skip) {
    auto const [predicted, last] = run_network(net, state, dry, skip);
    return std::pair{sound_loss(wet, predicted), last};
};

/// For the gradient profile: the derivative of this with respect to `nudge`, (steps, batch, units),
/// at zero is ∂L/∂h_t. `whole` is 1 for the loss over the window, 0 for the last sample's squared
/// error.
inline constexpr auto nudged_loss = [](auto const& nudge, auto const& net, auto const& state,
                                       auto const& dry, auto const& wet, auto const& skip,
                                       auto const& whole) {
    auto const step = [&](auto const& before, auto const& x) {
        auto next = us::lstm_cell(net.lstm, std::get<1>(x), before);
        next.h += std::get<0>(x);
        return std::pair{next, next.h};
    };
    auto const hs = us::scan(step, state, std::tuple{nudge, dry}).second;
    auto const predicted = us::dense(net.dense, hs) + skip * dry;
    constexpr int last = std::remove_cvref_t<decltype(wet)>::dims.extent[0] - 1;
    auto const at_end = us::slice<0, last, last + 1>(wet - predicted);
    return whole * sound_loss(wet, predicted) + (1 - whole) * us::mean(us::square(at_end));
};

}  // namespace capture
