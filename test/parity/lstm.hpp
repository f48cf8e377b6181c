// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/unspool.hpp>

#include "parity/reference.hpp"
#include "support/catch.hpp"
#include "support/tolerance.hpp"

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

/// One size of data/lstm.json through `program`: losses, every gradient, outputs and state. The
/// sizes are spread over several files, since each is three programs to compile.
namespace unspool_test::parity {

namespace us = unspool;

inline constexpr auto lstm_mean = [](auto cell, auto xs, auto state) {
    return us::mean(us::lstm(cell, xs, state).outputs);
};

/// All outputs and the final state, weighted; the outputs and the state come along.
inline constexpr auto lstm_rich = [](auto cell, auto xs, auto state, auto outputs_weight,
                                     auto state_weight) {
    auto const r = us::lstm(cell, xs, state);
    auto const loss = us::sum(r.outputs * outputs_weight) + us::sum(r.state.h * state_weight.h) +
                      us::sum(r.state.c * state_weight.c);
    return std::pair{loss, r};
};

template <class T, int Steps, int Batch, int Inputs, int Units>
void check_lstm(std::string const& name) {
    static json const doc = load("lstm");
    json const& c = find(doc, name);
    using cell_type = us::lstm_params<T, Inputs, Units>;
    using xs_type = us::tensor<T, Steps, Batch, Inputs>;
    using ys_type = us::tensor<T, Steps, Batch, Units>;
    using state_type = us::lstm_state<T, Batch, Units>;
    auto const cell = std::make_unique<cell_type>();
    auto const xs = std::make_unique<xs_type>();
    auto const weight = std::make_unique<ys_type>();
    auto const state = std::make_unique<state_type>();
    auto const state_weight = std::make_unique<state_type>();
    auto make = [&](char const* input, auto& to) { fill(to, recipe_of(c.at("inputs").at(input))); };
    make("kernel", cell->kernel);
    make("recurrent_kernel", cell->recurrent_kernel);
    make("bias", cell->bias);
    make("x", *xs);
    make("h0", state->h);
    make("c0", state->c);
    make("outputs_weight", *weight);
    make("h_weight", state_weight->h);
    make("c_weight", state_weight->c);

    constexpr double tolerance = unspool_test::tolerance::parity<T>;
    auto check = [&](auto const& found, json const& expected, char const* what) {
        auto const v = compare(found, expected, tolerance);
        INFO(name << ' ' << what << ": " << text(v));
        CHECK(v);
    };
    auto check_gradients = [&](auto const& gradient, json const& expected) {
        auto const& [of_cell, of_xs, of_state] = gradient;
        check(of_cell.kernel, expected.at("kernel"), "kernel");
        check(of_cell.recurrent_kernel, expected.at("recurrent_kernel"), "recurrent_kernel");
        check(of_cell.bias, expected.at("bias"), "bias");
        check(of_xs, expected.at("x"), "x");
        check(of_state.h, expected.at("h0"), "h0");
        check(of_state.c, expected.at("c0"), "c0");
    };
    // In float, this loss would differ from the other in the seed only.
    if constexpr (std::is_same_v<T, double>) {
        auto f = us::value_and_grad<0, 1, 2>(lstm_mean);
        auto const step =
            std::make_unique<us::program<decltype(f), cell_type, xs_type, state_type>>();
        auto const& [value, gradient] = (*step)(*cell, *xs, *state);
        json const& expected = c.at("mean");
        CHECK(compare_scalar(double(value), expected.at("loss"), tolerance, expected.at("size")));
        check_gradients(gradient, expected.at("gradients"));
    }
    {
        auto f = us::value_and_grad<0, 1, 2>(lstm_rich, us::has_aux);
        auto const step = std::make_unique<
            us::program<decltype(f), cell_type, xs_type, state_type, ys_type, state_type>>();
        auto const& [value, gradient] = (*step)(*cell, *xs, *state, *weight, *state_weight);
        json const& expected = c.at("rich");
        auto const& [loss, aux] = value;
        CHECK(compare_scalar(double(loss), expected.at("loss"), tolerance, expected.at("size")));
        check_gradients(gradient, expected.at("gradients"));
        check(aux.outputs, c.at("forward").at("outputs"), "outputs");
        check(aux.state.h, c.at("forward").at("h"), "final h");
        check(aux.state.c, c.at("forward").at("c"), "final c");
    }
}

}  // namespace unspool_test::parity
