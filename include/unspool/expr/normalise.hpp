// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/statistics.hpp>

/// Exponentials over an axis, safe from overflow: each is taken relative to the largest. An element
/// of −∞ counts as absent, with derivative 0, as long as one along its axis is finite; without one,
/// and with +∞ or NaN, derivatives are NaN.
namespace unspool {
inline namespace v0 {
namespace detail {

/// The largest elements of x, axes kept, or 0 where that is infinite; no derivative flows.
template <int... Axis, class X>
constexpr auto level(X const& x) {
    auto const largest = stop_gradient(kept<X, Axis...>(max<Axis...>(x)));
    return select(largest - largest == 0, largest, 0);
}

}  // namespace detail

/// log Σ exp(x) over the named axes, or over all; −∞ of nothing but −∞, ∞ if an element is.
template <int... Axis>
constexpr auto logsumexp(expression auto const& x) {
    auto const level = detail::level<Axis...>(x);
    auto const total = sum<Axis...>(exp(x - level));
    using Y = decltype(total);
    return log(total) + detail::structural<op::reshape, Y::dims>(
                            level, [](graph& g, ref id) { return g.reshape(id, Y::dims); });
}
/// exp(x) / Σ exp(x) along an axis, the last one unless told; NaN where it has nothing but −∞.
template <int Axis = -1>
constexpr auto softmax(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    auto const e = exp(x - detail::level<Axis>(x));
    return e / detail::kept<X, Axis>(sum<Axis>(e));
}
/// The logarithm of `softmax`, exact where that is tiny: −∞ for an element of −∞.
template <int Axis = -1>
constexpr auto log_softmax(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    auto const d = x - detail::level<Axis>(x);
    return d - detail::kept<X, Axis>(log(sum<Axis>(exp(d))));
}

}  // namespace v0
}  // namespace unspool
