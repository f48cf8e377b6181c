// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/operators.hpp>

#include <array>

/// Operations that change shapes without computing: views, concatenation, constants.
namespace unspool {
inline namespace v0 {
namespace detail {

/// Applies `build(graph, id)` to an expression and gives it shape S; an expression that is one
/// number everywhere stays that number. If the shapes do not fit, the caller has told so.
template <class Op, shape S, bool Fits = true, class X, class Build>
constexpr auto structural(X const& x, Build build) {
    using T = element_t<X>;
    traced_tensor<T, S> result;
    if constexpr (!Fits) {
        return no_result<Op, T, S>(fault::kind::told, x.scope);
    } else {
        if (x.scope != nullptr) {
            result.scope = x.scope;
            result.id = build(x.scope->g, x.in(*x.scope));
        } else if (x.table != nullptr) {
            return no_result<Op, T, S>(fault::kind::constants, nullptr);
        } else {
            result.fill = x.fill;
            result.id = x.id;
        }
        return traced_expr<Op, T, S>(result);
    }
}

template <class X, int Axis>
inline constexpr bool has_axis = Axis >= -X::rank&& Axis < X::rank;

template <class X, int Axis>
constexpr auto axis() {
    static_assert(has_axis<X, Axis>,
                  "unspool: no such axis; the operand and the axis stand in axis<tensor, axis>");
    return true;
}

/// An axis counted from the front; negative ones count from the back, as in NumPy.
template <class X, int Axis>
inline constexpr int front_axis = !has_axis<X, Axis> ? 0
                                  : Axis < 0         ? Axis + X::rank
                                                     : Axis;

}  // namespace detail

/// x under another shape of as many elements, row-major order kept.
template <std::size_t... N>
constexpr auto reshape(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr shape s = shape::of(N...);
    constexpr bool fits = s.size() == X::count;
    static_assert(fits, "unspool: reshape changes the number of elements; the new extents and the "
                        "operand stand in reshape<extents…, tensor>");
    return detail::structural<op::reshape, s, fits>(
        x, [](graph& g, ref id) { return g.reshape(id, shape::of(N...)); });
}

/// x with its axes in the given order; without one, reversed.
template <int... Axis>
constexpr auto transpose(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr bool fits = [] {
        if (sizeof...(Axis) == 0) return true;
        bool named[max_rank]{};
        ((named[detail::front_axis<X, Axis>] = detail::has_axis<X, Axis>), ...);
        bool all = sizeof...(Axis) == X::rank;
        for (int i = 0; i < X::rank; ++i) all = all && named[i];
        return all;
    }();
    static_assert(fits,
                  "unspool: transpose names each axis once, or none to reverse them; the order "
                  "and the operand stand in transpose<axes…, tensor>");
    constexpr auto order = [] {
        std::array<int, static_cast<std::size_t>(X::rank) + 1> a{};
        for (int i = 0; i < X::rank; ++i) a[static_cast<std::size_t>(i)] = X::rank - 1 - i;
        std::size_t k = 0;
        if constexpr (fits) ((a[k++] = detail::front_axis<X, Axis>), ...);
        return a;
    }();
    constexpr shape s = [&] {
        shape r;
        r.rank = X::rank;
        for (int i = 0; i < r.rank; ++i)
            r.extent[i] = X::dims.extent[order[static_cast<std::size_t>(i)]];
        return r;
    }();
    return detail::structural<op::transpose, s, fits>(
        x, [&](graph& g, ref id) { return g.transpose(id, list<int>(order.data(), X::rank)); });
}

/// Elements [Begin, End) of x along an axis, which stays.
template <int Axis, int Begin, int End>
constexpr auto slice(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr int axis = detail::front_axis<X, Axis>;
    detail::axis<X, Axis>();
    constexpr bool inside = Begin >= 0 && Begin < End && End <= X::dims.extent[axis];
    constexpr bool fits = inside && detail::has_axis<X, Axis>;
    static_assert(
        inside || !detail::has_axis<X, Axis>,
        "unspool: a slice is empty or leaves its operand; axis, begin, end and operand stand "
        "in slice<axis, begin, end, tensor>");
    constexpr shape s = [] {
        shape r = X::dims;
        if (Begin < End) r.extent[axis] = End - Begin;
        return r;
    }();
    return detail::structural<op::slice, s, fits>(x, [&](graph& g, ref id) {
        list<int> start(X::rank, 0);
        start[axis] = Begin;
        return g.slice(id, start, s);
    });
}

/// x in `Parts` equal pieces along an axis.
template <int Parts, int Axis = -1>
constexpr auto split(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr int axis = detail::front_axis<X, Axis>;
    detail::axis<X, Axis>();
    constexpr int extent = X::dims.extent[axis];
    static_assert(
        extent % Parts == 0 || !detail::has_axis<X, Axis>,
        "unspool: split needs equal pieces; their number, the axis and the operand stand in "
        "split<parts, axis, tensor>");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        constexpr int width = extent < Parts ? 1 : extent / Parts;
        using piece = as_traced<decltype(slice<axis, 0, width>(x))>;
        if constexpr (detail::has_axis<X, Axis> && extent >= Parts)
            return std::array<piece, Parts>{
                piece(slice<axis, int(I) * width, int(I + 1) * width>(x))...};
        else return std::array<piece, Parts>{};
    }
    (std::make_index_sequence<Parts>{});
}

/// The operands one after the other along an axis.
template <int Axis = 0, expression First, expression... Rest>
constexpr auto concatenate(First const& first, Rest const&... rest) {
    using T = element_t<First>;
    static_assert(
        (detail::has_element<T, Rest> && ...),
        "unspool: a concatenation mixes float and double; use one element type; the operands "
        "stand in concatenate<axis, tensors…>");
    constexpr int axis = detail::front_axis<First, Axis>;
    detail::axis<First, Axis>();
    constexpr bool agree = [] {
        auto agrees = [](shape dims) {
            if (dims.rank != First::rank) return false;
            dims.extent[axis] = First::dims.extent[axis];
            return dims == First::dims;
        };
        return (agrees(Rest::dims) && ...);
    }();
    static_assert(agree,
                  "unspool: the operands of concatenate differ beside their axis; the axis and "
                  "the operands stand in concatenate<axis, tensors…>");
    constexpr shape s = [] {
        shape r = First::dims;
        if (agree) ((r.extent[axis] += Rest::dims.extent[axis]), ...);
        return r;
    }();
    trace_scope* scope = detail::scope_of(first, rest...);
    constexpr bool fits = agree && detail::has_axis<First, Axis>;
    if constexpr (!fits) {
        return detail::no_result<op::concatenate, T, s>(fault::kind::told, scope);
    } else {
        if (scope == nullptr)
            return detail::no_result<op::concatenate, T, s>(fault::kind::constants, scope);
        traced_tensor<T, s> result;
        result.scope = scope;
        result.id = scope->g.concatenate({first.in(*scope), rest.in(*scope)...}, axis);
        return traced_expr<op::concatenate, T, s>(result);
    }
}

/// x repeated along the axes that the shape N... has more of, or of larger extent.
template <std::size_t... N>
constexpr auto broadcast_to(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr shape s = shape::of(N...);
    constexpr bool fits =
        detail::broadcasts(X::dims, s) && detail::broadcast_shape(X::dims, s) == s;
    static_assert(fits, "unspool: broadcast_to cannot stretch its operand to that shape; the new "
                        "extents and the operand stand in broadcast_to<extents…, tensor>");
    return detail::structural<op::broadcast, s, fits>(
        x, [](graph& g, ref id) { return detail::stretch(g, id, shape::of(N...)); });
}

/// T tensors of one shape along a new first axis: the way from an unrolled loop back to a sequence.
template <class X, std::size_t T>
constexpr auto stack(std::array<X, T> const& items) {
    constexpr shape s = X::dims.with_front(static_cast<int>(T));
    trace_scope* scope = nullptr;
    for (X const& x : items) scope = detail::deepest(scope, x.scope);
    if (scope == nullptr)
        return detail::no_result<op::concatenate, element_t<X>, s>(fault::kind::constants, scope);
    list<ref> rows;
    for (X const& x : items) rows.push_back(scope->g.reshape(x.in(*scope), X::dims.with_front(1)));
    traced_tensor<element_t<X>, s> result;
    result.scope = scope;
    result.id = scope->g.concatenate(rows, 0);
    return traced_expr<op::concatenate, element_t<X>, s>(result);
}

/// A tensor as a constant of the expression. The tensor must be a constant with static storage.
template <class T, std::size_t... N>
    requires std::is_arithmetic_v<T>
constexpr auto constant(tensor<T, N...> const& value) { return detail::as_expression<T>(value); }

template <class T, std::size_t... N>
constexpr auto tensor<traced<T>, N...>::operator[](int t) const {
    static_assert(rank > 0, "unspool: a scalar has no elements to index");
    constexpr shape s = rank > 0 ? dims.without_front() : dims;
    return detail::structural<op::slice, s, (rank > 0)>(*this, [t, s](graph& g, ref x) {
        if (t < 0 || t >= dims.extent[0]) {
            g.report({fault::kind::index, {t, dims.extent[0]}});
            return g.constant(0, dims.without_front());
        }
        list<int> start(rank, 0);
        start[0] = t;
        return g.reshape(g.slice(x, start, s.with_front(1)), s);
    });
}

}  // namespace v0
}  // namespace unspool
