// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/unspool.hpp>

/// @file
/// A model for a microcontroller: an LSTM of 8 units and a dense output, one sample in, one out.
namespace embedded {

namespace us = unspool;

inline constexpr int units = 8;
inline constexpr int window = 32;  // samples that a training step sees

using state = us::lstm_state<float, 1, units>;
using sample = us::tensor<float, 1, 1>;
using sequence = us::tensor<float, window, 1, 1>;  // time-major

template <class T, auto... N>
struct network;
template <class T, auto Units>
struct network<T, Units> {
    BOOST_HANA_DEFINE_STRUCT(network, (us::lstm_params<T, 1, Units>, lstm),
                             (us::dense_params<T, Units, 1>, dense));
};

/// One sample: the output and the state for the next.
inline constexpr auto play = [](auto const& net, auto const& before, auto const& x) {
    auto const after = us::lstm_cell(net.lstm, x, before);
    return std::pair{us::dense(net.dense, after.h), after};
};

/// The mean squared error over a window, from a state of zeros.
inline constexpr auto loss = [](auto const& net, auto const& xs, auto const& targets) {
    return us::mean(us::square(us::dense(net.dense, us::lstm(net.lstm, xs).outputs) - targets));
};

}  // namespace embedded
