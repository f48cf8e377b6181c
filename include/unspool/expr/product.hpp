// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/broadcast.hpp>
#include <unspool/expr/shaping.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

/// Shapes of NumPy's matmul for operands of rank 1 and more where at most one has more than two
/// axes.
constexpr shape product_shape(shape const& a, shape const& b) {
    shape s;
    for (int i = 0; i + 1 < a.rank; ++i) s.extent[s.rank++] = a.extent[i];
    if (b.rank > 1) s.extent[s.rank++] = b.extent[b.rank - 1];
    return s;
}

/// The axes before the last two, and matrices behind them.
constexpr shape batch_axes(shape s) {
    s.rank -= 2;
    return s;
}
constexpr shape matrices(shape s, int rows, int columns) {
    s.extent[s.rank++] = rows;
    s.extent[s.rank++] = columns;
    return s;
}

}  // namespace detail

/// The product of matrices and vectors, as NumPy's `dot`: the last axis of a with the first of a
/// vector b or the rows of a matrix b. Axes of a before its last are kept, so a sequence of shape
/// (T, batch, inputs) times a matrix of shape (inputs, units) is a sequence (T, batch, units).
template <expression A, expression B>
constexpr auto dot(A const& a, B const& b) {
    using T = element_t<A>;
    static_assert(detail::has_element<T, B>,
                  "unspool: a product mixes float and double; use one "
                  "element type; the operands stand in dot<tensor, tensor>");
    constexpr bool ranks = A::rank >= 1 && (B::rank == 1 || B::rank == 2);
    static_assert(ranks,
                  "unspool: dot takes a vector, matrix or sequence and a vector or matrix; the "
                  "operands stand in dot<tensor, tensor>");
    constexpr int inner = A::dims.extent[ranks ? A::rank - 1 : 0];
    constexpr bool fits = ranks && inner == B::dims.extent[0];
    static_assert(fits || !ranks,
                  "unspool: the inner extents of a product differ, the last of the left "
                  "and the first of the right; the operands stand in dot<tensor, tensor>");
    constexpr shape s = detail::product_shape(A::dims, B::dims);
    trace_scope* scope = detail::scope_of(a, b);
    if constexpr (!fits) {
        return detail::no_result<op::dot, T, s>(fault::kind::told, scope);
    } else {
        if (scope == nullptr)
            return detail::no_result<op::dot, T, s>(fault::kind::constants, scope);
        graph& g = scope->g;
        traced_tensor<T, s> result;
        shape const rows = shape::of(A::count / inner, inner);
        shape const columns = shape::of(inner, B::count / inner);
        ref const product = g.dot(g.reshape(a.in(*scope), rows), g.reshape(b.in(*scope), columns));
        result.scope = scope;
        result.id = g.reshape(product, s);
        return traced_expr<op::dot, T, s>(result);
    }
}

/// NumPy's matmul: the product of the last two axes, those before them broadcast together; a vector
/// on the left is a row, on the right a column, and its axis is lost.
template <expression A, expression B>
constexpr auto matmul(A const& a, B const& b) {
    if constexpr (B::rank <= 2 || A::rank == 0) {
        return dot(a, b);
    } else {
        using T = element_t<A>;
        static_assert(detail::has_element<T, B>,
                      "unspool: a product mixes float and double; use one "
                      "element type; the operands stand in matmul<tensor, tensor>");
        constexpr shape rows = A::rank == 1 ? A::dims.with_front(1) : A::dims;
        constexpr int inner = rows.extent[rows.rank - 1];
        constexpr bool meet = inner == B::dims.extent[B::rank - 2];
        static_assert(meet, "unspool: the inner extents of a product differ, the last of the left "
                            "and the last but one of the right; the operands stand in "
                            "matmul<tensor, tensor>");
        constexpr bool aligned =
            detail::broadcasts(detail::batch_axes(rows), detail::batch_axes(B::dims));
        static_assert(aligned, "unspool: the axes before the matrices of a product do not "
                               "broadcast; the operands stand in matmul<tensor, tensor>");
        constexpr shape batch =
            detail::broadcast_shape(detail::batch_axes(rows), detail::batch_axes(B::dims));
        constexpr int m = rows.extent[rows.rank - 2];
        constexpr int n = B::dims.extent[B::rank - 1];
        constexpr shape s = [&] {
            if (A::rank > 1) return detail::matrices(batch, m, n);
            shape r = batch;
            r.extent[r.rank++] = n;
            return r;
        }();
        trace_scope* scope = detail::scope_of(a, b);
        if constexpr (!meet || !aligned || !detail::has_element<T, B>) {
            return detail::no_result<op::dot, T, s>(fault::kind::told, scope);
        } else {
            if (scope == nullptr)
                return detail::no_result<op::dot, T, s>(fault::kind::constants, scope);
            graph& g = scope->g;
            ref const left = detail::stretch(g, g.reshape(a.in(*scope), rows),
                                             detail::matrices(batch, m, inner));
            ref const right = detail::stretch(g, b.in(*scope), detail::matrices(batch, inner, n));
            traced_tensor<T, s> result;
            result.scope = scope;
            result.id = g.reshape(g.dot(left, right), s);
            return traced_expr<op::dot, T, s>(result);
        }
    }
}

}  // namespace v0
}  // namespace unspool
