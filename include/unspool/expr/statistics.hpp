// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/indexing.hpp>
#include <unspool/expr/reduction.hpp>

/// Variance, norm and the places of extremes, over chosen axes or over all, as in reduction.hpp.
namespace unspool {
inline namespace v0 {
namespace detail {

/// A reduction of X with its axes kept, of extent 1, so that it broadcasts against what it was
/// reduced from.
template <class X, int... Axis, class Y>
constexpr auto kept(Y const& y) {
    constexpr shape s = [] {
        shape r = X::dims;
        for (int i = 0; i < r.rank; ++i)
            if (sizeof...(Axis) == 0 || ((front_axis<X, Axis> == i) || ...)) r.extent[i] = 1;
        return r;
    }();
    return structural<op::reshape, s>(y, [&](graph& g, ref id) { return g.reshape(id, s); });
}

/// √x of what is not negative, with derivative 0 at 0.
template <class X>
constexpr auto root(X const& x) {
    auto const zero = x == 0;
    return select(zero, 0, sqrt(select(zero, 1, x)));
}

}  // namespace detail

/// The mean of the squared distances from the mean.
template <int... Axis>
constexpr auto var(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    return mean<Axis...>(square(x - detail::kept<X, Axis...>(mean<Axis...>(x))));
}
/// The standard deviation, the root of `var`; its derivative where all elements are equal is 0.
template <int... Axis>
constexpr auto stddev(expression auto const& x) {
    return detail::root(var<Axis...>(x));
}
/// The Euclidean norm √Σx² (of a matrix, Frobenius'); its derivative at 0 is 0. Squares must not
/// overflow.
template <int... Axis>
constexpr auto norm(expression auto const& x) {
    return detail::root(sum<Axis...>(square(x)));
}

/// The index of the first of the largest elements along an axis, in the element type; NaN counts as
/// the largest. Without an axis, of all elements in row-major order. Its derivative is zero, as
/// that of comparisons; in float, exact below 2²⁴ elements.
template <int... Axis>
    requires(sizeof...(Axis) <= 1)
constexpr auto argmax(expression auto const& x) {
    auto const largest = max<Axis...>(x);
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr int n = X::count / decltype(largest)::count;
    auto const row = detail::folded_last<Axis...>(x);
    auto const hit = select(row == row, row == expand_dims<-1>(largest), 1);
    return min<-1>(select(hit, detail::counting<element_t<X>, n>, n));
}
/// The index of the first of the smallest elements; otherwise as `argmax`.
template <int... Axis>
    requires(sizeof...(Axis) <= 1)
constexpr auto argmin(expression auto const& x) { return argmax<Axis...>(-x); }

}  // namespace v0
}  // namespace unspool
