// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "figures.hpp"
#include "model.hpp"

#include <array>
#include <cmath>
#include <cstddef>

/// @file
/// Ten steps of each optimiser on the one sequence.
namespace article {

/// TensorFlow's losses after 1, 5 and 10 steps.
using reference_losses = std::array<double, 3>;

/// What TensorFlow computes with for a decimal hyperparameter, even on variables of float64.
constexpr double through_float(double x) { return static_cast<double>(static_cast<float>(x)); }

/// Keras takes the powers of β in the bias corrections from floats; 1 − 0.999f^t is 1.00002 times
/// as large, which shows in the fifth digit. The corrections are factors of the learning rate, so
/// here the rate carries the difference.
inline double keras_learning_rate(double rate, int t) {
    auto const correction = [t](double beta_1, double beta_2) {
        return std::sqrt(1 - std::pow(beta_2, t)) / (1 - std::pow(beta_1, t));
    };
    return rate * correction(through_float(0.9), through_float(0.999)) / correction(0.9, 0.999);
}

/// Trains with an optimiser from `start` on and compares the losses; `before(t, optimiser)` is
/// called before step t = 1 ….
template <class Optimiser, class Xs, class Before>
void train(comparison& all, char const* name, Optimiser const& initial, params const& start,
           Xs const& xs, reference_losses const& expected, Before before) {
    Optimiser optimiser = initial;
    params cell = start;
    comparison::head(name);
    us::program step(us::value_and_grad(loss), cell, xs);
    std::size_t next = 0;
    for (int t = 1; t <= steps; ++t) {
        before(t, optimiser);
        optimiser.step(cell, step(cell, xs).gradient);
        if (t == 1 || t == 5 || t == 10) {
            char text[32];
            std::snprintf(text, sizeof text, "loss after %d", t);
            all.line(text, step(cell, xs).value, expected[next++]);
        }
    }
}

template <class Xs>
void train_all(comparison& all, params const& cell, Xs const& xs) {
    auto const as_it_is = [](int, auto&) {};
    train(all, "SGD", us::sgd<params>{.learning_rate = 0.1}, cell, xs,
          {0.0002539965476764899, -0.007857825271039532, -0.017992884185840583}, as_it_is);
    train(all, "SGD, momentum 0.9",
          us::sgd<params>{.learning_rate = 0.1, .momentum = through_float(0.9)}, cell, xs,
          {0.0002539965476764899, -0.024325661703879113, -0.08027004623697004}, as_it_is);
    train(all, "Adam, Keras' form", us::adam<params, us::adam_form::keras>{}, cell, xs,
          {-0.005431095297004303, -0.04460843048528666, -0.1301479488928295},
          [](int t, auto& optimiser) { optimiser.learning_rate = keras_learning_rate(0.01, t); });
    train(all, "Adam, PyTorch's", us::adam<params>{.learning_rate = 0.01}, cell, xs,
          {-0.005457847401620761, -0.04477431560397049, -0.1305651243429806}, as_it_is);
}

}  // namespace article
