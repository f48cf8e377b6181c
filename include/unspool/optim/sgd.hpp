// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/optim/sweep.hpp>

#include <type_traits>

namespace unspool {
inline namespace v0 {

namespace detail {

template <class T>
struct sgd_rule {
    T rate;
    T momentum;
    T decay;
    T scale;
    bool nesterov;

    template <class V>
    UNSPOOL_INLINE constexpr void operator()(V gradient, V& p, V& velocity) const noexcept {
        V const g = gradient * V(scale) + p * V(decay);
        velocity = velocity * V(momentum) + g;
        p = p - V(rate) * (nesterov ? g + velocity * V(momentum) : velocity);
    }
};

}  // namespace detail

/// Stochastic gradient descent with momentum, for parameters of type P: a tensor, a Boost.Hana
/// struct, or tuples and arrays of these, of float or double.
///
///     us::sgd<params> optimiser{.learning_rate = 0.1, .momentum = 0.9};
///     optimiser.step(cell, gradient);
///
/// PyTorch's form: d = g + weight_decay·p; v ← momentum·v + d; p ← p − learning_rate·v, with
/// nesterov p ← p − learning_rate·(d + momentum·v). Options may be changed between steps. Computed
/// in the parameters' own type, with the same bits on every instruction set and in constants.
///
/// The state (one P) is a member: as large as the parameters, so keep large ones off the stack.
template <class P>
struct sgd {
    double learning_rate = 0.01;
    double momentum = 0;
    double weight_decay = 0;
    bool nesterov = false;

    P velocity{};  ///< v, zero before the first step

    /// One step on params, in place, along −gradient; scale multiplies the gradient on the way, see
    /// clip_factor. No heap.
    constexpr void step(P& params, P const& gradient, double scale = 1) noexcept {
        detail::sweep(
            [&]<class T>(std::type_identity<T>) {
                return detail::sgd_rule<T>{static_cast<T>(learning_rate), static_cast<T>(momentum),
                                           static_cast<T>(weight_decay), static_cast<T>(scale),
                                           nesterov};
            },
            gradient, params, velocity);
    }
};

}  // namespace v0
}  // namespace unspool
