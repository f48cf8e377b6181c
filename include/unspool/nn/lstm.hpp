// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/product.hpp>
#include <unspool/expr/scan.hpp>
#include <unspool/nn/parameters.hpp>

/// @file
/// The LSTM with Keras' semantics, as an expression.

namespace unspool {
inline namespace v0 {

/// `lstm_state<T, Batch, Units>`: what an LSTM carries from step to step.
///
/// * h (Batch, Units), its last output;
/// * c (Batch, Units), its cell.
template <class T, auto... N>
struct lstm_state {
    static_assert(sizeof...(N) == 2 && sizeof...(N) == 0,
                  "unspool: lstm_state takes an element type, the batch size and the units");
};
template <class T, auto Batch, auto Units>
struct lstm_state<T, Batch, Units> {
    BOOST_HANA_DEFINE_STRUCT(lstm_state, (tensor<T, Batch, Units>, h),
                             (tensor<T, Batch, Units>, c));
};

/// What a layer over time returns: all outputs, (T, Batch, Units), and the state after the last
/// step. `state.h` is the last output; what a loss does not use costs nothing.
template <class Outputs, class State>
struct sequence_result {
    Outputs outputs{};
    State state{};
    constexpr auto members() { return std::tie(outputs, state); }
    constexpr auto members() const { return std::tie(outputs, state); }
};

/// One step of an LSTM: x (Batch, Inputs) and the state before give the state after.
///
/// z = x·kernel + bias + h·recurrent_kernel, in gates i, f, c, o;
/// c ← σ(z_f)·c + σ(z_i)·tanh(z_c), h ← σ(z_o)·tanh(c). Source: Keras' LSTMCell.
template <class T, auto Inputs, auto Units, expression X, auto Batch>
constexpr auto lstm_cell(lstm_params<traced<T>, Inputs, Units> const& cell, X const& x,
                         lstm_state<traced<T>, Batch, Units> state) {
    constexpr bool fits = X::dims == shape::of(Batch, Inputs);
    static_assert(fits,
                  "unspool: the input of one step of an LSTM is (batch, inputs), its state (batch, "
                  "units); they stand in lstm_cell<element, inputs, units, input, batch>");
    if constexpr (fits) {
        auto const z = dot(x, cell.kernel) + cell.bias + dot(state.h, cell.recurrent_kernel);
        auto const [input, forget, candidate, output] = split<4>(z);
        state.c = sigmoid(forget) * state.c + sigmoid(input) * tanh(candidate);
        state.h = sigmoid(output) * tanh(state.c);
    } else {
        state.h =
            detail::no_result<op::dot, T, shape::of(Batch, Units)>(fault::kind::told, x.scope);
    }
    return state;
}

/// An LSTM over a sequence xs, time-major (T, Batch, Inputs), from a given state.
template <class T, auto Inputs, auto Units, expression Xs, auto Batch>
constexpr auto lstm(lstm_params<traced<T>, Inputs, Units> const& cell, Xs const& xs,
                    lstm_state<traced<T>, Batch, Units> const& initial) {
    constexpr int steps = Xs::rank > 0 ? Xs::dims.extent[0] : 1;
    constexpr bool ranks = Xs::rank == 3;
    constexpr bool width = ranks && Xs::dims.extent[2] == Inputs;
    constexpr bool fits = width && Xs::dims.extent[1] == Batch;
    static_assert(ranks, "unspool: an LSTM's input is time-major, (T, batch, inputs); it stands in "
                         "lstm<element, inputs, units, input, batch>");
    static_assert(width || !ranks,
                  "unspool: an LSTM's input has another width than the layer has inputs; "
                  "both stand in lstm<element, inputs, units, input, batch>");
    static_assert(fits || !width,
                  "unspool: an LSTM's state has another batch than its input; both stand "
                  "in lstm<element, inputs, units, input, batch>");
    if constexpr (!fits) {
        constexpr shape outputs = shape::of(steps, Batch, Units);
        auto const nothing = detail::no_result<op::scan, T, outputs>(fault::kind::told, xs.scope);
        return sequence_result<as_traced<decltype(nothing)>, lstm_state<traced<T>, Batch, Units>>{
            nothing, initial};
    } else {
        auto const step = [&](auto const& state, auto const& x) {
            auto const next = lstm_cell(cell, x, state);
            return std::pair{next, next.h};
        };
        auto const [last, outputs] = scan(step, initial, xs);
        return sequence_result<std::remove_const_t<decltype(outputs)>,
                               std::remove_const_t<decltype(last)>>{outputs, last};
    }
}

/// …from a state of zeros.
template <class T, auto Inputs, auto Units, expression Xs>
constexpr auto lstm(lstm_params<traced<T>, Inputs, Units> const& cell, Xs const& xs) {
    constexpr int batch = Xs::rank == 3 ? Xs::dims.extent[1] : 1;
    return lstm(cell, xs, lstm_state<traced<T>, batch, Units>{});
}

}  // namespace v0
}  // namespace unspool
