// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/math/sqrt.hpp>
#include <unspool/optim/sweep.hpp>

#include <cstdint>
#include <type_traits>

namespace unspool {
inline namespace v0 {

namespace detail {

template <class T>
struct adam_rule {
    T rate;     // learning rate with both bias corrections
    T epsilon;  // added to the root of the uncorrected second moment
    T fade_1;   // 1 − β₁
    T fade_2;
    T decay;
    T scale;

    template <class V>
    UNSPOOL_INLINE constexpr void operator()(V gradient, V& p, V& m, V& v) const noexcept {
        V const g = gradient * V(scale) + p * V(decay);
        m = m + (g - m) * V(fade_1);
        v = v + (g * g - v) * V(fade_2);
        p = p - V(rate) * m / (math::sqrt(v) + V(epsilon));
    }
};

constexpr double power(double x, std::int64_t n) noexcept {
    double result = 1;
    for (; n > 0; n /= 2, x *= x)
        if (n % 2 != 0) result *= x;
    return result;
}

}  // namespace detail

/// Where Adam adds ε, which matters when gradients are as small as √ε.
enum class adam_form {
    /// to √v̂, after the bias correction; ε = 1e-8
    pytorch,
    /// to √v, before it; ε = 1e-7. Keras 3 itself takes βᵗ from β rounded to float, which for 0.999
    /// makes its steps differ from the formula by up to 1e-5 relative.
    keras
};

/// Adam for parameters of type P: a tensor, a Boost.Hana struct, or tuples and arrays of these, of
/// float or double.
///
///     us::adam<params> optimiser{.learning_rate = 5e-3};
///     optimiser.step(cell, gradient);
///     optimiser.learning_rate *= 0.97;
///     us::adam<params, us::adam_form::keras> like_keras;
///
/// m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g², m̂ = m/(1 − β₁ᵗ), v̂ = v/(1 − β₂ᵗ), then
/// p ← p − learning_rate·m̂/(√v̂ + ε), or in Keras' form
/// p ← p − learning_rate·√(1 − β₂ᵗ)/(1 − β₁ᵗ)·m/(√v + ε).
/// g includes weight_decay·p, as in PyTorch's Adam. Options may be changed between steps. Moments
/// and parameters are updated in the parameters' own type, the corrections computed in double; the
/// bits are the same on every instruction set and in constants.
/// Source: Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015.
///
/// The state (two P) is a member: keep large ones off the stack.
template <class P, adam_form Form = adam_form::pytorch>
struct adam {
    double learning_rate = 1e-3;
    double beta_1 = 0.9;
    double beta_2 = 0.999;
    double epsilon = Form == adam_form::keras ? 1e-7 : 1e-8;
    double weight_decay = 0;

    std::int64_t steps = 0;  ///< t, steps made
    P first_moment{};        ///< m
    P second_moment{};       ///< v

    /// One step on params, in place; scale multiplies the gradient on the way, see clip_factor. No
    /// heap.
    constexpr void step(P& params, P const& gradient, double scale = 1) noexcept {
        ++steps;
        // Multiplying p's fraction by √(1 − β₂ᵗ) above and below turns one form into the other.
        double const root = math::sqrt(1 - detail::power(beta_2, steps));
        double const rate = learning_rate * root / (1 - detail::power(beta_1, steps));
        double const added = Form == adam_form::keras ? epsilon : epsilon * root;
        detail::sweep(
            [&]<class T>(std::type_identity<T>) {
                return detail::adam_rule<T>{
                    static_cast<T>(rate),         static_cast<T>(added),
                    static_cast<T>(1 - beta_1),   static_cast<T>(1 - beta_2),
                    static_cast<T>(weight_decay), static_cast<T>(scale)};
            },
            gradient, params, first_moment, second_moment);
    }
};

}  // namespace v0
}  // namespace unspool
