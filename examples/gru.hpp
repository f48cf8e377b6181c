// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/unspool.hpp>

#include <tuple>
#include <utility>

/// A GRU as a user of the library would write one. The tests hold it to Keras, PyTorch and JAX.
namespace examples {

namespace us = unspool;

/// `gru_params<T, Inputs, Units>` in Keras' layout with reset_after=True: gates z, r, h; bias row 0
/// is added to the input's product, row 1 to the state's.
template <class T, auto... N>
struct gru_params;
template <class T, auto Inputs, auto Units>
struct gru_params<T, Inputs, Units> {
    BOOST_HANA_DEFINE_STRUCT(gru_params, (us::tensor<T, Inputs, 3 * Units>, kernel),
                             (us::tensor<T, Units, 3 * Units>, recurrent_kernel),
                             (us::tensor<T, 2, 3 * Units>, bias));
    /// Keras' defaults.
    static constexpr std::tuple initializers{us::init::glorot_uniform{}, us::init::orthogonal{},
                                             us::init::zeros{}};
};

/// xs (T, batch, inputs) and h (batch, units) give {last h, all h}.
inline constexpr auto gru = [](auto const& cell, auto const& xs, auto const& initial) {
    auto const step = [&](auto const& h, auto const& x) {
        auto const [xz, xr, xn] = us::split<3>(us::dot(x, cell.kernel) + cell.bias[0]);
        auto const [hz, hr, hn] = us::split<3>(us::dot(h, cell.recurrent_kernel) + cell.bias[1]);
        auto const z = us::sigmoid(xz + hz);
        auto const n =
            us::tanh(xn + us::sigmoid(xr + hr) * hn);  // the reset gate, after the product
        auto const next = z * h + (1 - z) * n;
        return std::pair{next, next};  // {carry, output}
    };
    return us::scan(step, initial, xs);
};

}  // namespace examples
