// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/indexing.hpp>

/// Diagonals and triangles of matrices, by NumPy's names. `Offset` counts diagonals from the main
/// one, positive ones above it.
namespace unspool {
inline namespace v0 {
namespace detail {

/// How many elements a diagonal of a matrix has.
constexpr int diagonal_length(int rows, int columns, int offset) {
    int const down = offset < 0 ? rows + offset : rows;
    int const right = offset > 0 ? columns - offset : columns;
    return down < right ? down : right;
}

template <class X, int Offset>
constexpr auto diagonal_of() {
    static_assert(X::rank < 2 || diagonal_length(X::dims.extent[X::rank - 2],
                                                 X::dims.extent[X::rank - 1], Offset) > 0,
                  "unspool: a diagonal lies outside of its matrix; the operand and the offset "
                  "stand in diagonal_of<tensor, offset>");
    return true;
}

/// x where the column less the row is at most `Offset` (Lower) or at least that, else 0.
template <int Offset, bool Lower, class X>
constexpr auto triangle(X const& x) {
    constexpr bool fits = X::rank >= 2;
    static_assert(fits, "unspool: a triangle is taken of a matrix or of a stack of them; the "
                        "operand stands in triangle<…, tensor>");
    return composed<op::select, X::dims, fits>(x, [](graph& g, ref id) {
        // Compared at run time: two short tables instead of one of the matrix's size.
        auto counted = [&](int axis, int from) {
            list<double> values;
            for (int i = 0; i < X::dims.extent[axis]; ++i) values.push_back(from + i);
            ref const line = g.literal(values.data(), shape::of(values.size()));
            return g.broadcast(line, {axis}, X::dims);
        };
        ref const row = counted(X::rank - 2, Offset);
        ref const column = counted(X::rank - 1, 0);
        ref const inside =
            Lower ? g.apply<op::less_equal>(column, row) : g.apply<op::less_equal>(row, column);
        return g.apply<op::select>(inside, id, g.constant(0, X::dims));
    });
}

}  // namespace detail

/// The diagonal of the last two axes, as the last axis of the result.
template <int Offset = 0>
constexpr auto diagonal(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    static_assert(X::rank >= 2, "unspool: a diagonal is taken of a matrix or of a stack of them; "
                                "the operand stands in diagonal<offset, tensor>");
    detail::diagonal_of<X, Offset>();
    constexpr int rows = X::rank < 2 ? 1 : X::dims.extent[X::rank < 2 ? 0 : X::rank - 2];
    constexpr int columns = X::rank < 2 ? 1 : X::dims.extent[X::rank < 2 ? 0 : X::rank - 1];
    constexpr int length = detail::diagonal_length(rows, columns, Offset);
    constexpr bool fits = X::rank >= 2 && length > 0;
    constexpr shape s = fits ? [] {
        shape r = X::dims;
        r.extent[--r.rank - 1] = length;
        return r;
    }() : shape::of(1);
    return detail::structural<op::slice, s, fits>(x, [&](graph& g, ref id) {
        // In the flat matrix the diagonal's elements lie a row and a column apart.
        int const first = Offset < 0 ? -Offset * columns : Offset;
        ref const flat = g.reshape(id, shape::of(X::count / (rows * columns), rows * columns));
        return g.reshape(detail::strided(g, flat, 1, first, columns + 1, length), s);
    });
}

/// Of a vector, the square matrix with it on a diagonal and 0 elsewhere; of a matrix, its diagonal.
template <int Offset = 0>
constexpr auto diag(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr bool fits = X::rank == 1 || X::rank == 2;
    static_assert(fits, "unspool: diag takes a vector or a matrix; its operand stands in "
                        "diag<offset, tensor>");
    if constexpr (X::rank == 2) {
        return diagonal<Offset>(x);
    } else {
        constexpr int n = X::count;
        constexpr int size = n + (Offset < 0 ? -Offset : Offset);
        return detail::composed<op::pad, shape::of(size, size), fits>(x, [](graph& g, ref id) {
            // Rows one longer than the matrix's: each element moves one further than its row.
            ref const wide = g.pad(g.reshape(id, shape::of(n, 1)), {0, 0}, shape::of(n, n + 1));
            ref const flat =
                g.slice(g.reshape(wide, shape::of(n * (n + 1))), {0}, shape::of(n * n));
            return g.pad(g.reshape(flat, shape::of(n, n)),
                         {Offset < 0 ? -Offset : 0, Offset > 0 ? Offset : 0},
                         shape::of(size, size));
        });
    }
}

/// The lower triangle of the last two axes, 0 above diagonal `Offset`.
template <int Offset = 0>
constexpr auto tril(expression auto const& x) {
    return detail::triangle<Offset, true>(x);
}
/// The upper triangle of the last two axes, 0 below diagonal `Offset`.
template <int Offset = 0>
constexpr auto triu(expression auto const& x) {
    return detail::triangle<Offset, false>(x);
}

}  // namespace v0
}  // namespace unspool
