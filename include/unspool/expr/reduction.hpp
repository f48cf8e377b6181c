// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/shaping.hpp>

/// Reductions over chosen axes, which the result lacks; over all axes if none is named. Negative
/// axes count from the back.
namespace unspool {
inline namespace v0 {
namespace detail {

template <class Op, int... Axis, class X>
constexpr auto reduction(X const& x) {
    constexpr shape reduced = [] {
        shape r;  // the axes, increasing, as if they were extents
        for (int i = 0; i < X::rank; ++i)
            if (sizeof...(Axis) == 0 || ((front_axis<X, Axis> == i) || ...)) r.extent[r.rank++] = i;
        return r;
    }();
    (axis<X, Axis>(), ...);
    constexpr bool exist = (has_axis<X, Axis> && ...);
    constexpr bool once = sizeof...(Axis) == 0 || reduced.rank == sizeof...(Axis);
    static_assert(once || !exist, "unspool: a reduction names an axis twice; it, the axes and its "
                                  "operand stand in reduction<op, axes…, tensor>");
    constexpr shape s = Op::infer(X::dims, reduced.extent, reduced.rank);
    using T = element_t<X>;
    if constexpr (!exist || !once) return no_result<Op, T, s>(fault::kind::told, x.scope);
    if (x.scope == nullptr) {
        auto const kind = x.id == mistake_is_told ? fault::kind::told : fault::kind::constants;
        return no_result<Op, T, s>(kind, nullptr);
    }
    traced_tensor<T, s> result;
    result.scope = x.scope;
    list<int> const axes(reduced.extent, reduced.rank);
    ref const id = x.in(*x.scope);
    if constexpr (std::is_same_v<Op, op::sum>) result.id = x.scope->g.sum(id, axes);
    else result.id = x.scope->g.template reduce<Op>(id, axes);
    return traced_expr<Op, T, s>(result);
}

}  // namespace detail

/// The sum of the elements.
template <int... Axis>
constexpr auto sum(expression auto const& x) {
    return detail::reduction<op::sum, Axis...>(x);
}
/// The arithmetic mean of the elements.
template <int... Axis>
constexpr auto mean(expression auto const& x) {
    auto const total = sum<Axis...>(x);
    using X = std::remove_cvref_t<decltype(x)>;
    return total * (double(decltype(total)::count) / double(X::count));
}
/// The largest element; ties share the derivative equally.
template <int... Axis>
constexpr auto max(expression auto const& x) {
    return detail::reduction<op::reduce_max, Axis...>(x);
}
/// The smallest element; ties share the derivative equally.
template <int... Axis>
constexpr auto min(expression auto const& x) {
    return -max<Axis...>(-x);
}
/// Whether any element is true, that is not 0, NaN too: 1 or 0 in the element type. Its derivative
/// is zero, as that of comparisons. `us::all` asks for every element.
template <int... Axis>
constexpr auto any(expression auto const& x) {
    return max<Axis...>(x != 0);
}

}  // namespace v0
}  // namespace unspool
