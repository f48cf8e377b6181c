// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/kernel/dot.hpp>
#include <unspool/kernel/pack.hpp>
#include <unspool/kernel/shape.hpp>
#include <unspool/kernel/tile.hpp>
#include <unspool/kernel/tiling.hpp>

#include <cstddef>

/// @file
/// Matrix products of fixed size.

namespace unspool::inline v0::kernel {

namespace detail {

/// Bytes of B that a product works through before it goes on along k: half of a first-level cache.
inline constexpr int panel_bytes = 24 * 1024;

/// K in equal blocks of at most `most` steps.
constexpr int block_of(int k, int most) {
    return most < 1 ? 1 : ceil_div(k, ceil_div(k, most));
}

/// The loops around the micro kernel. `Panel` vectors make a panel (0: free choice).
template <class T, class Arch, class Shape, class Epilogue, int Panel = 0>
struct product_loops {
    using vec = simd::vec<T, Arch>;
    using index = std::ptrdiff_t;
    static constexpr int width = vec::width, groups = Shape::groups;
    using column = columns<Shape::n, width, groups>;
    static constexpr tiling tile_size =
        choose_tiling(Shape::m, column::total, Shape::k, registers<Arch>, temporaries<Arch>,
                      groups > 1 ? groups : Panel);
    static constexpr int rows = tile_size.rows, vectors = tile_size.vectors;
    static constexpr int last_count = column::count(column::total - 1);
    /// Panels whose vectors are all full; then at most one of `rest` vectors.
    static constexpr int full = last_count == width ? column::total / vectors
                                                    : (column::total - 1) / vectors;
    static constexpr int rest = column::total - full * vectors;

    template <int Rows, int Vectors, int Lanes, source From, bool Blocked>
    using kernel = micro<T, Arch, Shape, tile<Rows, Vectors, Lanes, From>, Epilogue, Blocked>;

    /// All rows of one panel. b at its first element, n its first column.
    template <int Vectors, int Lanes, source From, bool Blocked>
    UNSPOOL_INLINE static void panel(operands<T> o, int m_end, Epilogue& e) {
        constexpr int left = Shape::m % rows;
        for (; o.m + rows <= m_end; o.m += rows) {
            kernel<rows, Vectors, Lanes, From, Blocked>::run(o, e);
            o.a += index{rows} * Shape::a_row;
            o.c += index{rows} * Shape::c_row;
            if constexpr (Shape::d_row != none)
                o.d += index{rows} * Shape::d_row;
        }
        if constexpr (left > 0) {
            if (o.m < m_end)
                kernel<left, Vectors, Lanes, From, Blocked>::run(o, e);
        }
    }

    static operands<T> at(T const* a, T const* b, T* c, T const* d, int m, int n) {
        return {a + m * index{Shape::a_row},
                b,
                c + m * index{Shape::c_row} + n,
                Shape::d_row == none ? d : d + m * index{Shape::d_row} + n,
                m,
                n,
                Shape::k,
                true,
                true};
    }

    /// B as it stands, its columns contiguous.
    static void direct(T const* a, T const* b, T* c, T const* d, Epilogue& e) {
        for (int p = 0; p < full; ++p) {
            int const n = column::first(p * vectors);
            panel<vectors, width, source::strided, false>(at(a, b + n, c, d, 0, n), Shape::m, e);
        }
        if constexpr (rest > 0) {
            constexpr int n = column::first(full * vectors);
            panel<rest, last_count, source::strided, false>(at(a, b + n, c, d, 0, n), Shape::m, e);
        }
    }

    /// B packed by the way, panel by panel.
    static void packing(T const* a, T const* b, T* c, T const* d, Epilogue& e) {
        constexpr int bytes = vectors * width * int(sizeof(T));
        constexpr int block = block_of(Shape::k, panel_bytes / bytes);
        constexpr bool blocked = block < Shape::k;
        alignas(64) T buffer[index{block} * vectors * width];
        for (int k = 0; k < Shape::k; k += block) {
            int const steps = Shape::k - k < block ? Shape::k - k : block;
            T const* const a_k = a + k * index{Shape::a_col};
            T const* const b_k = b + k * index{Shape::b_row};
            auto const go = [&](operands<T> o) {
                o.k = steps;
                o.first = k == 0;
                o.last = k + steps == Shape::k;
                return o;
            };
            for (int p = 0; p < full; ++p) {
                panel_packer<T, Arch, column, Shape::b_row, Shape::b_col, vectors>::run(
                    b_k, p * vectors, steps, buffer);
                int const n = column::first(p * vectors);
                panel<vectors, width, source::panel, blocked>(go(at(a_k, buffer, c, d, 0, n)),
                                                              Shape::m, e);
            }
            if constexpr (rest > 0) {
                panel_packer<T, Arch, column, Shape::b_row, Shape::b_col, rest>::run(
                    b_k, full * vectors, steps, buffer);
                constexpr int n = column::first(full * vectors);
                panel<rest, last_count, source::panel, blocked>(go(at(a_k, buffer, c, d, 0, n)),
                                                                Shape::m, e);
            }
        }
    }
};

} // namespace detail

/// C = A · B + D for the sizes and strides of Shape (a product_shape), through the epilogue.
///
/// The order of the sums depends on Shape and Arch only. No pointer needs any alignment; d may be
/// c, nothing else may overlap c. Uses up to 32 KiB of stack.
template <class T, class Arch, class Shape, class Epilogue = keep>
void product(T const* a, T const* b, T* c, T const* d = nullptr, Epilogue epilogue = {}) {
    using S = Shape;
    constexpr bool vectorwise = S::groups == 1 && requires(simd::vec<T, Arch> v) {
        epilogue(v, 0, 0, lanes<1>{});
    };
    constexpr bool short_k = S::k * int(sizeof(T)) <= detail::gather_bytes;
    if constexpr (S::n == 1 && S::m > 1 && S::a_row == 1 && S::c_row == 1 && vectorwise &&
                  (S::d_row == none || S::d_row == 0 || S::d_row == 1)) {
        // One column of C from contiguous columns of A: the row of the transposed product.
        using shape = product_shape<1, S::m, S::k, 0, S::b_row, S::a_col, 1, S::m,
                                    S::d_row == 1 ? 0 : none>;
        using column = detail::as_column<T, Epilogue, S::d_row == 0>;
        product<T, Arch, shape, column>(b, a, c, d, column{epilogue, d});
    } else if constexpr (S::n == 1 && S::a_col == 1 && vectorwise &&
                         (S::b_row == 1 || short_k)) {
        detail::dots<T, Arch, S::m, S::k, S::b_row, S::a_row, S::c_row, S::d_row, true,
                     Epilogue>::run(b, a, c, d, 0, epilogue);
    } else if constexpr (S::b_col == 1 || S::n == 1) {
        detail::product_loops<T, Arch, S, Epilogue>::direct(a, b, c, d, epilogue);
    } else if constexpr (S::b_row == 1 && S::m <= 3 && vectorwise &&
                         (S::a_col == 1 || short_k)) {
        for (int m = 0; m < S::m; ++m)
            detail::dots<T, Arch, S::n, S::k, S::a_col, S::b_col, 1, S::d_row == none ? none : 1,
                         false, Epilogue>::run(a + m * std::ptrdiff_t{S::a_row}, b,
                                               c + m * std::ptrdiff_t{S::c_row},
                                               d + (S::d_row == none ? 0 : m) *
                                                       std::ptrdiff_t{S::d_row},
                                               m, epilogue);
    } else {
        detail::product_loops<T, Arch, S, Epilogue>::packing(a, b, c, d, epilogue);
    }
}

} // namespace unspool::inline v0::kernel
