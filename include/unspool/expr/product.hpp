// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/shaping.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

template <class Left, class Right, bool Fit>
struct inner_extents {
    static_assert(Fit, "unspool: the inner extents of a product differ; both shapes stand in "
                       "inner_extents<dims, dims>");
};

/// Shapes of NumPy's matmul for operands of rank 1 and more where at most one has more than two axes.
constexpr shape product_shape(shape const& a, shape const& b) {
    shape s;
    for (int i = 0; i + 1 < a.rank; ++i) s.extent[s.rank++] = a.extent[i];
    if (b.rank > 1) s.extent[s.rank++] = b.extent[b.rank - 1];
    return s;
}

}  // namespace detail

/// The product of matrices and vectors, as NumPy's `dot`: the last axis of a with the first of a
/// vector b or the rows of a matrix b. Axes of a before its last are kept, so a sequence of shape
/// (T, batch, inputs) times a matrix of shape (inputs, units) is a sequence (T, batch, units).
template <expression A, expression B>
constexpr auto dot(A const& a, B const& b) {
    using T = element_t<A>;
    detail::check_element<T, B>();
    static_assert(A::rank >= 1 && (B::rank == 1 || B::rank == 2),
                  "unspool: dot takes a vector, matrix or sequence and a vector or matrix");
    constexpr int inner = A::dims.extent[A::rank - 1];
    constexpr bool fits = inner == B::dims.extent[0];
    static_assert(sizeof(detail::inner_extents<detail::printable_t<A>,
                                               detail::printable_t<B>, fits>) > 0);
    constexpr shape s = detail::product_shape(A::dims, B::dims);
    traced_tensor<T, s> result;
    trace_scope* scope = detail::scope_of(a, b);
    if (scope == nullptr)
        throw "unspool: a product of constants alone; multiply before the function";
    if constexpr (fits) {
        graph& g = scope->g;
        shape const rows = shape::of(A::count / inner, inner);
        shape const columns = shape::of(inner, B::count / inner);
        ref const product = g.dot(g.reshape(a.in(*scope), rows), g.reshape(b.in(*scope), columns));
        result.scope = scope;
        result.id = g.reshape(product, s);
    }
    return traced_expr<op::dot, T, s>(result);
}

/// NumPy's name for the same product.
template <expression A, expression B>
constexpr auto matmul(A const& a, B const& b) {
    return dot(a, b);
}

}  // namespace v0
}  // namespace unspool
