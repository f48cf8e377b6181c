// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/shaping.hpp>

/// Rows by indices that are data: embeddings, tables, counts. Indices are whole numbers in the
/// element type, exact up to 2^24 in float, or a tensor of integers, which is a constant of the
/// expression; negative ones count from the back. One beyond the table is an error: among constants
/// it does not compile, at run time the call throws std::out_of_range before it has written any
/// result of the operation.
namespace unspool {
inline namespace v0 {
namespace detail {

/// The first of constant indices that names no row of a table, or 0.
template <class T, std::size_t... N>
constexpr int index_outside(tensor<traced<T>, N...> const& index, int extent) {
    if constexpr (std::is_integral_v<T>)
        for (int i = 0; i < index.size() && index.table != nullptr; ++i)
            if (auto const at = static_cast<long long>(index.table[i]);
                at < -extent || at >= extent)
                return static_cast<int>(at);
    return 0;
}

/// The operation on a table of that many rows, an operand or the result.
template <class Op, shape S, bool Fits, int Rows, class Index, class X>
constexpr auto indexed(Index const& indices, X const& x) {
    using T = typename common_element<X, Index>::type;
    static_assert(has_element<T, Index> && has_element<T, X>,
                  "unspool: indices and rows mix float and double; use one element type; both "
                  "stand in indexed<op, …>");
    auto const index = as_expression<T>(indices);
    auto const rows = as_expression<T>(x);
    trace_scope* scope = scope_of(index, rows);
    if constexpr (!Fits) {
        return no_result<Op, T, S>(fault::kind::told, scope);
    } else {
        if (scope == nullptr) return no_result<Op, T, S>(fault::kind::constants, scope);
        if (int const at = index_outside(index, Rows); at != 0) {
            scope->g.report({fault::kind::index, {at, Rows}});
            return no_result<Op, T, S>(fault::kind::told, scope);
        }
        traced_tensor<T, S> result;
        result.scope = scope;
        result.id = scope->g.template indexed<Op>(index.in(*scope), rows.in(*scope), Rows);
        return traced_expr<Op, T, S>(result);
    }
}

template <class X>
concept rows_or_indices = operand<X> && !std::is_arithmetic_v<X>;
template <class A, class B>
concept rows_by_indices = rows_or_indices<A> && rows_or_indices<B> &&
    (expression<A> || expression<B>);

}  // namespace detail

/// y[i…] = x[index[i…]]: rows of x along its first axis, as NumPy's `take` along axis 0. The
/// result's shape is the indices' and then a row's. The derivative adds up in the rows taken.
template <class X, class Index>
    requires detail::rows_by_indices<X, Index>
constexpr auto take(X const& x, Index const& index) {
    using table = as_traced<X>;
    constexpr bool fits = table::rank >= 1 && table::rank + Index::rank - 1 <= max_rank;
    static_assert(fits, "unspool: take needs a table with rows, and no more axes in all than a "
                        "tensor may have; table and indices stand in take<tensor, tensor>");
    constexpr shape s = fits ? op::indexed_rows::rows(Index::dims, table::dims) : Index::dims;
    return detail::indexed < op::gather, s, fits, fits ? table::dims.extent[0] : 0 > (index, x);
}

/// A table of `Extent` rows, each the sum of the rows x[i…] whose index[i…] names it, 0 where none
/// does. The axes of the indices are the first ones of x.
template <int Extent, class Index, class X>
    requires detail::rows_by_indices<X, Index>
constexpr auto scatter_add(Index const& index, X const& x) {
    constexpr bool fits = [] {
        if (Extent < 1 || Index::rank > X::rank) return false;
        for (int i = 0; i < Index::rank; ++i)
            if (Index::dims.extent[i] != X::dims.extent[i]) return false;
        return true;
    }();
    static_assert(fits, "unspool: scatter_add needs rows whose first axes are those of the "
                        "indices; they stand in scatter_add<extent, tensor, tensor>");
    constexpr shape s = fits ? op::indexed_rows::table(Index::dims, X::dims, Extent) : X::dims;
    return detail::indexed<op::scatter_add, s, fits, Extent>(index, x);
}

}  // namespace v0
}  // namespace unspool
