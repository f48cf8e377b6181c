// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/unspool.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

/// A cell of one's own, as a user of the library would write one: an LSTM with peepholes (Gers,
/// Schraudolph and Schmidhuber 2002), whose gates see the cell state.
namespace examples {

namespace us = unspool;

// Parameters: a template with the element type first, then sizes. The general case is declared, and
// the struct is its specialisation; members are tensors or other structs of this kind.
template <class T, auto... N>
struct peephole_params;
template <class T, auto Inputs, auto Units>
struct peephole_params<T, Inputs, Units> {
    BOOST_HANA_DEFINE_STRUCT(peephole_params, (us::tensor<T, Inputs, 4 * Units>, kernel),
                             (us::tensor<T, Units, 4 * Units>, recurrent_kernel),
                             (us::tensor<T, 4 * Units>, bias),
                             (us::tensor<T, 3, Units>, peepholes));
    // how us::initialize starts each member
    static constexpr std::tuple initializers{us::init::glorot_uniform{}, us::init::orthogonal{},
                                             us::init::unit_forget_bias{}, us::init::zeros{}};
};

// One step. Shapes: x (batch, inputs), h and c (batch, units). It reads like the paper's formulas.
inline constexpr auto peephole_cell = [](auto const& p, auto const& x, auto const& h,
                                         auto const& c) {
    auto const z = us::dot(x, p.kernel) + us::dot(h, p.recurrent_kernel) + p.bias;
    auto const [zi, zf, zc, zo] = us::split<4>(z);
    auto const input = us::sigmoid(zi + p.peepholes[0] * c);
    auto const forget = us::sigmoid(zf + p.peepholes[1] * c);
    auto const next_c = forget * c + input * us::tanh(zc);
    auto const output = us::sigmoid(zo + p.peepholes[2] * next_c);  // sees the new state
    return std::pair{output * us::tanh(next_c), next_c};
};

// All steps: xs is (T, batch, inputs), and the outputs are (T, batch, units).
template <class T, auto Inputs, auto Units>
constexpr auto peephole(peephole_params<us::traced<T>, Inputs, Units> const& p,
                        us::expression auto const& xs) {
    constexpr int batch = std::remove_cvref_t<decltype(xs)>::dims.extent[1];
    us::tensor<us::traced<T>, batch, Units> const zeros;
    auto const step = [&](auto const& state, auto const& x) {
        auto const next = peephole_cell(p, x, state.first, state.second);
        return std::pair{next, next.first};  // {carry, output}
    };
    return us::scan(step, std::pair{zeros, zeros}, xs).second;
}

}  // namespace examples
