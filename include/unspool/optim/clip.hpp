// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/structure.hpp>
#include <unspool/math/sqrt.hpp>
#include <unspool/optim/sweep.hpp>

#include <limits>
#include <type_traits>

namespace unspool {
inline namespace v0 {

namespace detail {

/// Σ x², in double and in one order for all compilers and instruction sets.
template <class T>
constexpr double sum_of_squares(T const* x, int n) noexcept {
    constexpr int lanes = 8;
    double sum[lanes] = {};
    int k = 0;
    for (; k + lanes <= n; k += lanes)
        for (int i = 0; i < lanes; ++i) sum[i] += double(x[k + i]) * double(x[k + i]);
    for (int i = 0; i < n % lanes; ++i) sum[i] += double(x[k + i]) * double(x[k + i]);
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

}  // namespace detail

/// The 2-norm of all elements of a gradient together: of a tensor, a struct, a tuple, … Accumulated
/// in double. Infinite or NaN if an element is (or, for doubles, beyond 1e154).
template <class P>
constexpr double global_norm(P const& gradient) noexcept {
    double sum = 0;
    for_each_leaf(
        [&](auto const& leaf) {
            using X = std::remove_cvref_t<decltype(leaf)>;
            sum += detail::sum_of_squares(detail::leaf_data(leaf), detail::leaf_size<X>());
        },
        gradient);
    return math::sqrt(sum);
}

/// What a gradient is to be multiplied by so that its global norm is at most max_norm > 0: 1 or
/// less. For gradients that may not be changed: `optimiser.step(cell, g, us::clip_factor(g, 1.0))`.
/// A norm that is not finite gives 1; see global_norm.
template <class P>
constexpr double clip_factor(P const& gradient, double max_norm) noexcept {
    double const norm = global_norm(gradient);
    return norm > max_norm && norm <= std::numeric_limits<double>::max() ? max_norm / norm : 1.0;
}

/// Scales a gradient in place so that its global norm is at most max_norm > 0, and returns the norm
/// it had. A gradient whose norm is infinite or NaN is left as it is: look at what is returned.
/// Source: TensorFlow's clip_by_global_norm (PyTorch's clip_grad_norm_ divides by norm + 1e-6).
template <class P>
constexpr double clip_by_global_norm(P& gradient, double max_norm) noexcept {
    double const norm = global_norm(gradient);
    if (norm > max_norm && norm <= std::numeric_limits<double>::max()) {
        double const factor = max_norm / norm;
        for_each_leaf(
            [&](auto& leaf) {
                auto* const x = detail::leaf_data(leaf);
                using T = std::remove_reference_t<decltype(*x)>;
                constexpr int n = detail::leaf_size<std::remove_cvref_t<decltype(leaf)>>();
                for (int k = 0; k < n; ++k) x[k] *= static_cast<T>(factor);
            },
            gradient);
    }
    return norm;
}

}  // namespace v0
}  // namespace unspool
