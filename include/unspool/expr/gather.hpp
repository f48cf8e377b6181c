// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/shaping.hpp>

/// Rows by indices that are data: embeddings, tables, counts. Indices are whole numbers in the
/// element type, exact up to 2^24 in float; negative ones count from the back. One beyond the table
/// is an error: in a constant it does not compile, at run time the call throws std::out_of_range
/// before it has written any result of the operation.
namespace unspool {
inline namespace v0 {
namespace detail {

template <class Op, shape S, bool Fits, class Index, class X>
constexpr auto indexed(Index const& index, X const& x, int extent) {
    using T = element_t<X>;
    static_assert(has_element<T, Index>,
                  "unspool: indices and rows mix float and double; use one element type; both "
                  "stand in indexed<op, …>");
    trace_scope* scope = scope_of(index, x);
    if constexpr (!Fits) {
        return no_result<Op, T, S>(fault::kind::told, scope);
    } else {
        if (scope == nullptr) return no_result<Op, T, S>(fault::kind::constants, scope);
        traced_tensor<T, S> result;
        result.scope = scope;
        result.id =
            scope->g.template indexed<Op>(index.in(*scope), as_expression<T>(x).in(*scope), extent);
        return traced_expr<Op, T, S>(result);
    }
}

}  // namespace detail

/// y[i…] = x[index[i…]]: rows of x along its first axis, as NumPy's `take` along axis 0. The
/// result's shape is the indices' and then a row's. The derivative adds up in the rows taken.
template <operand X, expression Index>
    requires(!std::is_arithmetic_v<X>)
constexpr auto take(X const& x, Index const& index) {
    using table = as_traced<X>;
    constexpr bool fits = table::rank >= 1 && table::rank + Index::rank - 1 <= max_rank;
    static_assert(fits, "unspool: take needs a table with rows, and no more axes in all than a "
                        "tensor may have; table and indices stand in take<tensor, tensor>");
    constexpr shape s = fits ? op::indexed_rows::rows(Index::dims, table::dims) : Index::dims;
    return detail::indexed<op::gather, s, fits>(index, x, 0);
}

/// A table of `Extent` rows, each the sum of the rows x[i…] whose index[i…] names it, 0 where none
/// does. The axes of the indices are the first ones of x.
template <int Extent, expression Index, expression X>
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
    return detail::indexed<op::scatter_add, s, fits>(index, x, Extent);
}

}  // namespace v0
}  // namespace unspool
