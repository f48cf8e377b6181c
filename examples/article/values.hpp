// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "model.hpp"

#include <unspool/ext/xtensor.hpp>

#if __has_include(<xtensor/core/xmath.hpp>)  // since xtensor 0.26
#include <xtensor/core/xmath.hpp>
#include <xtensor/reducers/xnorm.hpp>
#else
#include <xtensor/xmath.hpp>
#include <xtensor/xnorm.hpp>
#endif

#include <array>
#include <cstddef>

/// @file
/// The article's deterministic values, and norms, by xtensor.
namespace article {

/// scale·sin(rate·k + phase) for k = 0 … n − 1.
inline xt::xtensor<double, 1> sines(int n, double scale, double rate, double phase) {
    return scale * xt::sin(rate * xt::arange<double>(n) + phase);
}

/// Fills a tensor through a view of it, k being the flat index.
template <class Tensor>
void fill(Tensor& x, double scale, double rate, double phase) {
    auto view = us::ext::view(x);
    auto const values = sines(x.size(), scale, rate, phase);
    std::copy(values.begin(), values.end(), view.begin());
}

inline params initial_cell() {
    params cell;
    fill(cell.kernel, 0.3, 0.7, 0.1);
    fill(cell.recurrent_kernel, 0.3, 0.9, 0.2);
    fill(cell.bias, 0.1, 1, 0.3);
    return cell;
}

/// The input as an array of dynamic shape, as if it came from elsewhere.
inline xt::xtensor<double, 3> input() {
    xt::xtensor<double, 1> const flat = sines(steps * features, 1, 0.37, 0.4);
    return xt::reshape_view(flat, std::array<std::size_t, 3>{steps, 1, features});
}

/// The 2-norm of a tensor.
template <class Tensor>
double norm(Tensor const& x) {
    return xt::norm_l2(us::ext::view(x))();
}
/// ‖whole − part‖ / ‖whole‖.
template <class Tensor>
double missing(Tensor const& whole, Tensor const& part) {
    return xt::norm_l2(us::ext::view(whole) - us::ext::view(part))() / norm(whole);
}
/// ‖x_t‖ for each step of a sequence.
inline std::array<double, steps> norms_of_steps(outputs const& x) {
    xt::xtensor<double, 1> const norms = xt::norm_l2(us::ext::view(x), {1, 2});
    std::array<double, steps> result{};
    std::copy(norms.begin(), norms.end(), result.begin());
    return result;
}

}  // namespace article
