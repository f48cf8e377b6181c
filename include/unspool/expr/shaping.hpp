// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/operators.hpp>

#include <array>

/// Operations that change shapes without computing: views, concatenation, constants.
namespace unspool {
inline namespace v0 {
namespace detail {

/// Applies `build(graph, id)` to an expression and gives it shape S; an expression that is one number
/// everywhere stays that number.
template <class Op, shape S, class X, class Build>
constexpr auto structural(X const& x, Build build) {
    using T = element_t<X>;
    traced_tensor<T, S> result;
    if (x.scope != nullptr) {
        result.scope = x.scope;
        result.id = build(x.scope->g, x.id);
    } else if (x.table != nullptr) {
        throw "unspool: an operation on a table alone; shape the table before the function";
    } else {
        result.fill = x.fill;
    }
    return traced_expr<Op, T, S>(result);
}

template <class From, class To, bool Fit>
struct reshape_sizes {
    static_assert(Fit, "unspool: reshape changes the number of elements; both shapes stand in "
                       "reshape_sizes<dims, dims>");
};
template <class Shape, int Axis, int Begin, int End, bool Fit>
struct slice_bounds {
    static_assert(Fit, "unspool: a slice leaves its operand; shape, axis, begin and end stand in "
                       "slice_bounds<dims, axis, begin, end>");
};
template <class Shape, int Axis, bool Fit>
struct axis_of {
    static_assert(Fit, "unspool: no such axis; shape and axis stand in axis_of<dims, axis>");
};
template <class First, class Other, int Axis, bool Fit>
struct concatenated_shapes {
    static_assert(Fit, "unspool: concatenated shapes differ beside their axis; both stand in "
                       "concatenated_shapes<dims, dims, axis>");
};

/// An axis counted from the front; negative ones count from the back, as in NumPy.
template <class X, int Axis>
constexpr int checked_axis() {
    constexpr bool fits = Axis >= -X::rank && Axis < X::rank;
    static_assert(sizeof(axis_of<printable_t<X>, Axis, fits>) > 0);
    return fits ? (Axis < 0 ? Axis + X::rank : Axis) : 0;
}

}  // namespace detail

/// x under another shape of as many elements, row-major order kept.
template <std::size_t... N>
constexpr auto reshape(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr shape s = shape::of(N...);
    constexpr bool fits = s.size() == X::count;
    static_assert(sizeof(detail::reshape_sizes<detail::printable_t<X>,
                                               detail::printable_t<tensor<int, N...>>, fits>) > 0);
    return detail::structural<op::reshape, s>(
        x, [&](graph& g, ref id) { return fits ? g.reshape(id, shape::of(N...)) : id; });
}

/// x with its axes in the given order; without one, reversed.
template <int... Axis>
constexpr auto transpose(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    static_assert(sizeof...(Axis) == 0 || sizeof...(Axis) == X::rank,
                  "unspool: transpose names each axis once, or none to reverse them");
    constexpr auto order = [] {
        std::array<int, static_cast<std::size_t>(X::rank) + 1> a{Axis...};
        if constexpr (sizeof...(Axis) == 0)
            for (int i = 0; i < X::rank; ++i) a[static_cast<std::size_t>(i)] = X::rank - 1 - i;
        return a;
    }();
    constexpr shape s = [] {
        shape r;
        r.rank = X::rank;
        for (int i = 0; i < r.rank; ++i)
            r.extent[i] = X::dims.extent[order[static_cast<std::size_t>(i)]];
        return r;
    }();
    return detail::structural<op::transpose, s>(x, [&](graph& g, ref id) {
        return g.transpose(id, list<int>(order.data(), X::rank));
    });
}

/// Elements [Begin, End) of x along an axis, which stays.
template <int Axis, int Begin, int End>
constexpr auto slice(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr int axis = detail::checked_axis<X, Axis>();
    constexpr bool fits = Begin >= 0 && Begin < End && End <= X::dims.extent[axis];
    static_assert(
        sizeof(detail::slice_bounds<detail::printable_t<X>, Axis, Begin, End, fits>) > 0);
    constexpr shape s = [] {
        shape r = X::dims;
        if (fits) r.extent[axis] = End - Begin;
        return r;
    }();
    return detail::structural<op::slice, s>(x, [&](graph& g, ref id) {
        list<int> start(X::rank, 0);
        start[axis] = fits ? Begin : 0;
        return g.slice(id, start, s);
    });
}

/// x in `Parts` equal pieces along an axis.
template <int Parts, int Axis = -1>
constexpr auto split(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr int axis = detail::checked_axis<X, Axis>();
    constexpr int extent = X::dims.extent[axis];
    static_assert(extent % Parts == 0, "unspool: split needs equal pieces");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        using piece = as_traced<decltype(slice<axis, 0, extent / Parts>(x))>;
        return std::array<piece, Parts>{
            piece(slice<axis, int(I) * (extent / Parts), int(I + 1) * (extent / Parts)>(x))...};
    }(std::make_index_sequence<Parts>{});
}

/// The operands one after the other along an axis.
template <int Axis = 0, expression First, expression... Rest>
constexpr auto concatenate(First const& first, Rest const&... rest) {
    using T = element_t<First>;
    (detail::check_element<T, Rest>(), ...);
    constexpr int axis = detail::checked_axis<First, Axis>();
    auto agrees = []<class X>(std::type_identity<X>) {
        constexpr bool fits = [] {
            shape s = X::dims;
            if (s.rank != First::rank) return false;
            s.extent[axis] = First::dims.extent[axis];
            return s == First::dims;
        }();
        return sizeof(detail::concatenated_shapes<detail::printable_t<First>,
                                                  detail::printable_t<X>, Axis, fits>);
    };
    ((void)agrees(std::type_identity<Rest>{}), ...);
    constexpr shape s = [] {
        shape r = First::dims;
        ((r.extent[axis] += Rest::dims.extent[axis]), ...);
        return r;
    }();
    trace_scope* scope = detail::scope_of(first, rest...);
    if (scope == nullptr)
        throw "unspool: a concatenation of constants alone; concatenate before the function";
    traced_tensor<T, s> result;
    result.scope = scope;
    result.id = scope->g.concatenate({first.in(*scope), rest.in(*scope)...}, axis);
    return traced_expr<op::concatenate, T, s>(result);
}

/// x repeated along the axes that the shape N... has more of, or of larger extent.
template <std::size_t... N>
constexpr auto broadcast_to(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr shape s = shape::of(N...);
    constexpr bool fits = detail::broadcasts(X::dims, s) &&
                          detail::broadcast_shape(X::dims, s) == s;
    static_assert(sizeof(detail::elementwise_shapes<op::broadcast, detail::printable_t<X>,
                                                    detail::printable_t<tensor<int, N...>>, fits>) > 0);
    return detail::structural<op::broadcast, s>(x, [&](graph& g, ref id) {
        return fits ? detail::stretch(g, id, shape::of(N...)) : id;
    });
}

/// T tensors of one shape along a new first axis: the way from an unrolled loop back to a sequence.
template <class X, std::size_t T>
constexpr auto stack(std::array<X, T> const& items) {
    constexpr shape s = X::dims.with_front(static_cast<int>(T));
    trace_scope* scope = nullptr;
    for (X const& x : items) scope = detail::deepest(scope, x.scope);
    if (scope == nullptr)
        throw "unspool: a stack of constants alone; stack before the function";
    list<ref> rows;
    for (X const& x : items)
        rows.push_back(scope->g.reshape(x.in(*scope), X::dims.with_front(1)));
    traced_tensor<element_t<X>, s> result;
    result.scope = scope;
    result.id = scope->g.concatenate(rows, 0);
    return traced_expr<op::concatenate, element_t<X>, s>(result);
}

/// A tensor as a constant of the expression. The tensor must be a constant with static storage.
template <class T, std::size_t... N>
    requires std::is_arithmetic_v<T>
constexpr auto constant(tensor<T, N...> const& value) {
    return detail::as_expression<T>(value);
}

template <class T, std::size_t... N>
constexpr auto tensor<traced<T>, N...>::operator[](int t) const {
    static_assert(rank > 0, "unspool: a scalar has no elements to index");
    constexpr shape s = dims.without_front();
    if (t < 0 || t >= dims.extent[0]) throw "unspool: an index is out of range";
    return detail::structural<op::slice, s>(*this, [t](graph& g, ref x) {
        list<int> start(rank, 0);
        start[0] = t;
        return g.reshape(g.slice(x, start, s.with_front(1)), s);
    });
}

}  // namespace v0
}  // namespace unspool
