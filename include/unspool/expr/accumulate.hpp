// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/arrange.hpp>
#include <unspool/expr/reduction.hpp>
#include <unspool/expr/scan.hpp>

/// Products of many elements, and running sums and products.
namespace unspool {
inline namespace v0 {
namespace detail {

/// A running fold along an axis, by a loop over it: linear in the axis, whatever its extent.
template <int Axis, class X, class Fold>
constexpr auto running(X const& x, double start, Fold fold) {
    axis<X, Axis>();
    if constexpr (!has_axis<X, Axis>) {
        return no_result<op::output, element_t<X>, X::dims>(fault::kind::told, x.scope);
    } else {
        auto const steps = moveaxis<Axis, 0>(x);
        step_of<as_traced<decltype(steps)>, decltype(steps)::dims.extent[0]> first;
        first.fill = start;
        auto const all = scan(
            [fold](auto const& before, auto const& item) {
                auto const now = fold(before, item);
                return std::pair{now, now};
            },
            first, steps);
        return moveaxis<0, Axis>(all.second);
    }
}

}  // namespace detail

/// The product of the elements over the named axes, or over all; multiplied in pairs, so that the
/// graph grows with the logarithm of their number. Derivatives are right where elements are 0.
template <int... Axis>
constexpr auto prod(expression auto const& x) {
    constexpr shape s = decltype(sum<Axis...>(x))::dims;
    return detail::composed<op::multiply, s>(
        detail::folded_last<Axis...>(x), [&](graph& g, ref id) {
            shape dims = g.dims(id);
            int const last = dims.rank - 1;
            ref rest = none;  // the odd elements of halves
            auto times = [&](ref a, ref b) { return a == none ? b : g.apply<op::multiply>(a, b); };
            while (dims.extent[last] > 1) {
                int const n = dims.extent[last];
                auto part = [&](int begin, int count) {
                    return g.slice(id, detail::at_axis(dims, last, begin),
                                   detail::with_extent(dims, last, count));
                };
                if (n % 2 != 0) rest = times(rest, part(n - 1, 1));
                id = times(part(0, n / 2), part(n / 2, n / 2));
                dims = g.dims(id);
            }
            return g.reshape(times(rest, id), s);
        });
}

/// The sums of the first 1, 2, … elements along an axis, added in that order.
template <int Axis>
constexpr auto cumsum(expression auto const& x) {
    return detail::running<Axis>(x, 0, [](auto const& a, auto const& b) { return a + b; });
}
/// The products of the first 1, 2, … elements along an axis.
template <int Axis>
constexpr auto cumprod(expression auto const& x) {
    return detail::running<Axis>(x, 1, [](auto const& a, auto const& b) { return a * b; });
}

}  // namespace v0
}  // namespace unspool
