// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/tensor.hpp>
#include <unspool/nn/initializers.hpp>

#include <boost/hana/define_struct.hpp>

#include <tuple>

/// @file
/// Parameters of the layers, as Boost.Hana structs with the element type first, so that
/// `lstm_params<traced<T>, I, H>` is the same struct while a function is traced.

namespace unspool {
inline namespace v0 {

/// `lstm_params<T, Inputs, Units>`: parameters of an LSTM. In the last axis the gates stand side by
/// side, `Units` each, in Keras' order: input i, forget f, candidate c, output o.
///
/// * kernel (Inputs, 4·Units), from the input;
/// * recurrent_kernel (Units, 4·Units), from the last output h;
/// * bias (4·Units).
///
/// z = x·kernel + h·recurrent_kernel + bias; c ← σ(z_f)·c + σ(z_i)·tanh(z_c); h ← σ(z_o)·tanh(c).
/// Source: Keras' LSTM (PyTorch's order is i, f, g, o with transposed weights and two biases).
template <class T, auto... N>
struct lstm_params {
    static_assert(sizeof...(N) == 2 && sizeof...(N) == 0,
                  "unspool: lstm_params takes an element type, the inputs and the units");
};
template <class T, auto Inputs, auto Units>
struct lstm_params<T, Inputs, Units> {
    static_assert(Inputs > 0 && Units > 0, "unspool: an LSTM has at least one input and one unit");

    BOOST_HANA_DEFINE_STRUCT(lstm_params, (tensor<T, Inputs, 4 * Units>, kernel),
                             (tensor<T, Units, 4 * Units>, recurrent_kernel),
                             (tensor<T, 4 * Units>, bias));

    /// Keras' defaults.
    static constexpr std::tuple initializers{init::glorot_uniform{}, init::orthogonal{},
                                             init::unit_forget_bias{}};
};

/// `dense_params<T, Inputs, Outputs>`: parameters of a dense layer, y = x·kernel + bias.
///
/// * kernel (Inputs, Outputs);
/// * bias (Outputs).
///
/// Source: Keras' Dense.
template <class T, auto... N>
struct dense_params {
    static_assert(sizeof...(N) == 2 && sizeof...(N) == 0,
                  "unspool: dense_params takes an element type, the inputs and the outputs");
};
template <class T, auto Inputs, auto Outputs>
struct dense_params<T, Inputs, Outputs> {
    static_assert(Inputs > 0 && Outputs > 0,
                  "unspool: a dense layer has at least one input and one output");

    BOOST_HANA_DEFINE_STRUCT(dense_params, (tensor<T, Inputs, Outputs>, kernel),
                             (tensor<T, Outputs>, bias));

    /// Keras' defaults.
    static constexpr std::tuple initializers{init::glorot_uniform{}, init::zeros{}};
};

}  // namespace v0
}  // namespace unspool
