// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/kernel/dot.hpp>
#include <unspool/kernel/pack.hpp>
#include <unspool/kernel/shape.hpp>
#include <unspool/kernel/tile.hpp>
#include <unspool/kernel/tiling.hpp>

#include <algorithm>
#include <cstddef>

/// @file
/// Matrix products of fixed size.

namespace unspool {
inline namespace v0 {
namespace kernel {

namespace detail {

/// Bytes of a packed panel that a product works through before it goes on along k, and of sums
/// that it keeps meanwhile: together they, and a strip of A, fit a first-level cache of 32 KiB.
inline constexpr int panel_bytes = 20 * 1024, part_bytes = 8 * 1024;
/// Rows of A between two passes over B: A's block stays in a second-level cache.
inline constexpr int row_block = 256;

/// `size` in equal blocks of at most `most`, multiples of `unit`.
constexpr int block_of(int size, int most, int unit = 1) {
    most = most / unit * unit;
    if (size <= most || most < unit) return size <= most ? size : unit;
    return ceil_div(ceil_div(size, ceil_div(size, most)), unit) * unit;
}

/// Vectors of a tile of groups: one of each, or, B unpacked, all there are for a single row, which
/// then passes over A once and has several epilogues to overlap.
template <class Shape, class Arch>
constexpr int grouped_vectors(int total, bool packed) {
    bool const all = !packed && Shape::m == 1 && total * 5 <= Arch::registers * 4;
    return all ? total : Shape::groups;
}

/// The loops around the micro kernel. `Fixed` vectors make a panel (0: free choice).
template <class T, class Arch, class Shape, class Epilogue, int Fixed = 0>
struct product_loops {
    using vec = simd::vec<T, Arch>;
    using index = std::ptrdiff_t;
    static constexpr int width = vec::width;
    using column = columns<Shape::n, width, Shape::groups>;
    static constexpr tiling tile_size = choose_tiling(
        Shape::m, column::total, Shape::k, Arch::registers, temporaries<Arch>,
        Shape::groups > 1 ? grouped_vectors<Shape, Arch>(column::total, Fixed > 0) : Fixed);
    static constexpr int rows = tile_size.rows, vectors = tile_size.vectors;
    using panel = panels<Shape::n, width, Shape::groups, vectors>;

    /// The rows from o.m to m_end of one panel.
    template <int Vectors, int Lanes, source From, int PartRow>
    UNSPOOL_INLINE static void sweep_rows(operands<T> o, int m_end, Epilogue& e) {
        constexpr int left = Shape::m % rows;
        for (; o.m + rows <= m_end; o.m += rows) {
            micro<T, Arch, Shape, tile<rows, Vectors, Lanes, From>, Epilogue, PartRow>::run(o, e);
            o.a += index{rows} * Shape::a_row;
            o.c = advance_c<Epilogue, vec>(o.c, index{rows} * Shape::c_row);
            if constexpr (Shape::d_row != none) o.d += index{rows} * Shape::d_row;
            if constexpr (PartRow != none) o.part += index{rows} * PartRow;
        }
        if constexpr (left > 0) {
            if (o.m < m_end)
                micro<T, Arch, Shape, tile<left, Vectors, Lanes, From>, Epilogue, PartRow>::run(o,
                                                                                                e);
        }
    }

    /// Runs f in a function of its own if tiles fill the registers. Without this g++ 12 keeps
    /// constants of the kernels around in registers and rows of B on the stack: half the speed.
    template <class F>
    UNSPOOL_INLINE static void sealed(F f) {
        if constexpr (rows > 1) apart(f);
        else f();
    }
    template <class F>
    UNSPOOL_NOINLINE static void apart(F& f) {
        f();
    }

    static operands<T> at(T const* a, T const* b, T* c, T const* d, int m, int n) {
        return {a + m * index{Shape::a_row},
                b,
                advance_c<Epilogue, vec>(c, m * index{Shape::c_row} + n),
                Shape::d_row == none ? d : d + m * index{Shape::d_row} + n,
                m,
                n,
                Shape::k,
                true,
                true,
                nullptr};
    }

    /// B as it stands, its columns contiguous.
    UNSPOOL_INLINE static void direct(T const* a, T const* b, T* c, T const* d, Epilogue& e) {
        for (int p = 0; p < panel::full; ++p) {
            int const n = panel::first(p);
            sweep_rows<vectors, width, source::strided, none>(at(a, b + n, c, d, 0, n), Shape::m,
                                                              e);
        }
        if constexpr (panel::rest > 0) {
            constexpr int n = panel::first(panel::full);
            sweep_rows<panel::rest, panel::count, source::strided, none>(at(a, b + n, c, d, 0, n),
                                                                         Shape::m, e);
        }
    }

    /// B packed before.
    UNSPOOL_INLINE static void packed(T const* a, T const* b, T* c, T const* d, Epilogue& e) {
        constexpr index step = index{vectors} * width * Shape::k;
        for (int p = 0; p < panel::full; ++p, b += step)
            sweep_rows<vectors, width, source::panel, none>(at(a, b, c, d, 0, panel::first(p)),
                                                            Shape::m, e);
        if constexpr (panel::rest > 0)
            sweep_rows<panel::rest, panel::count, source::panel, none>(
                at(a, b, c, d, 0, panel::first(panel::full)), Shape::m, e);
    }

    /// One panel of `Vectors` vectors, the first at column n, packed to buffer and multiplied with
    /// rows of A: K steps from k.
    template <int Vectors, int Lanes, int PartRow>
    UNSPOOL_INLINE static void pack_and_sweep(operands<T> o, T* buffer, int k, int steps, int m_end,
                                              Epilogue& e) {
        panel_packer<T, Arch, column, Shape::b_row, Shape::b_col, Vectors>::template run<Lanes>(
            o.b + k * index{Shape::b_row} + o.n * index{Shape::b_col}, steps, buffer);
        o.a += k * index{Shape::a_col};
        o.b = buffer;
        o.k = steps;
        o.first = k == 0;
        o.last = k + steps == Shape::k;
        sweep_rows<Vectors, Lanes, source::panel, PartRow>(o, m_end, e);
    }

    /// B packed by the way, a panel of one block of k at a time; the sums between the blocks are
    /// kept in C, or on the stack if the epilogue does not leave C alone.
    UNSPOOL_INLINE static void packing(T const* a, T const* b, T* c, T const* d, Epilogue& e) {
        constexpr int bytes = vectors * width * int(sizeof(T));
        constexpr int block = block_of(Shape::k, panel_bytes / bytes);
        constexpr bool in_c = returns_vector<Epilogue, vec>;
        constexpr int part_row = block == Shape::k ? none : in_c ? Shape::c_row : vectors * width;
        constexpr int m_block = in_c ? block_of(Shape::m, row_block, rows)
                                     : block_of(Shape::m, part_bytes / bytes, rows);
        alignas(64) T buffer[index{block} * vectors * width];
        if constexpr (in_c || part_row == none) {
            for (int m = 0; m < Shape::m; m += m_block)
                for (int k = 0; k < Shape::k; k += block)
                    all_panels<part_row>(a, b, c, d, m, std::min(m + m_block, Shape::m), k,
                                         std::min(block, Shape::k - k), buffer, e);
        } else {
            alignas(64) T part[m_block * vectors * width];
            for (int m = 0; m < Shape::m; m += m_block)
                one_panel_after_the_other<part_row, block>(
                    a, b, c, d, m, std::min(m + m_block, Shape::m), buffer, part, e);
        }
    }

    template <int PartRow>
    UNSPOOL_INLINE static void all_panels(T const* a, T const* b, T* c, T const* d, int m,
                                          int m_end, int k, int steps, T* buffer, Epilogue& e) {
        for (int p = 0; p < panel::full; ++p) {
            operands<T> o = at(a, b, c, d, m, panel::first(p));
            o.part = o.c;
            pack_and_sweep<vectors, width, PartRow>(o, buffer, k, steps, m_end, e);
        }
        if constexpr (panel::rest > 0) {
            operands<T> o = at(a, b, c, d, m, panel::first(panel::full));
            o.part = o.c;
            pack_and_sweep<panel::rest, panel::count, PartRow>(o, buffer, k, steps, m_end, e);
        }
    }

    template <int PartRow, int Block>
    UNSPOOL_INLINE static void one_panel_after_the_other(T const* a, T const* b, T* c, T const* d,
                                                         int m, int m_end, T* buffer, T* part,
                                                         Epilogue& e) {
        for (int p = 0; p < panel::full; ++p)
            for (int k = 0; k < Shape::k; k += Block) {
                operands<T> o = at(a, b, c, d, m, panel::first(p));
                o.part = part;
                pack_and_sweep<vectors, width, PartRow>(o, buffer, k, std::min(Block, Shape::k - k),
                                                        m_end, e);
            }
        if constexpr (panel::rest > 0)
            for (int k = 0; k < Shape::k; k += Block) {
                operands<T> o = at(a, b, c, d, m, panel::first(panel::full));
                o.part = part;
                pack_and_sweep<panel::rest, panel::count, PartRow>(
                    o, buffer, k, std::min(Block, Shape::k - k), m_end, e);
            }
    }

    /// Whether contiguous columns are packed all the same: B is too long for a second-level cache
    /// (or for its sets, when the rows are a power of two), and enough rows use each panel.
    static constexpr bool worth_packing = [] {
        int const uses = ceil_div(Shape::m, rows);
        long const row = Shape::b_row * long(sizeof(T)), bytes = Shape::k * row;
        long const much = row % 2048 == 0 ? 1L << 20 : 2L << 20;
        return (uses >= 8 && bytes >= much) || (uses >= 4 && bytes >= 4 * much);
    }();
};

}  // namespace detail

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
        using shape =
            product_shape<1, S::m, S::k, 0, S::b_row, S::a_col, 1, S::m, S::d_row == 1 ? 0 : none>;
        using column = detail::as_column<T, Epilogue, S::d_row == 0>;
        product<T, Arch, shape, column>(b, a, c, d, column{epilogue, d});
    } else if constexpr (S::n == 1 && S::a_col == 1 && vectorwise && (S::b_row == 1 || short_k)) {
        detail::dots<T, Arch, S::m, S::k, S::b_row, S::a_row, S::c_row, S::d_row, true,
                     Epilogue>::run(b, a, c, d, 0, epilogue);
    } else if constexpr ((S::b_col == 1 || S::n == 1) &&
                         !detail::product_loops<T, Arch, S, Epilogue>::worth_packing) {
        using loops = detail::product_loops<T, Arch, S, Epilogue>;
        loops::sealed([&]() UNSPOOL_INLINE_LAMBDA { loops::direct(a, b, c, d, epilogue); });
    } else if constexpr (S::b_row == 1 && S::m <= 3 && vectorwise && (S::a_col == 1 || short_k)) {
        for (int m = 0; m < S::m; ++m)
            detail::dots<T, Arch, S::n, S::k, S::a_col, S::b_col, 1, S::d_row == none ? none : 1,
                         false, Epilogue>::run(a + m * std::ptrdiff_t{S::a_row}, b,
                                               detail::advance_c<Epilogue, simd::vec<T, Arch>>(
                                                   c, m * std::ptrdiff_t{S::c_row}),
                                               d + (S::d_row == none ? 0 : m) *
                                                       std::ptrdiff_t{S::d_row},
                                               m, epilogue);
    } else {
        using loops = detail::product_loops<T, Arch, S, Epilogue>;
        loops::sealed([&]() UNSPOOL_INLINE_LAMBDA { loops::packing(a, b, c, d, epilogue); });
    }
}

/// The same with B packed by packed_b<T, Arch, K, N, Groups>::pack; Shape's b_row and b_col are not
/// used.
template <class T, class Arch, class Shape, class Epilogue = keep>
void product_packed(T const* a, T const* packed, T* c, T const* d = nullptr,
                    Epilogue epilogue = {}) {
    using panel = typename packed_b<T, Arch, Shape::k, Shape::n, Shape::groups>::panel;
    using loops = detail::product_loops<T, Arch, Shape, Epilogue, panel::vectors>;
    loops::sealed([&]() UNSPOOL_INLINE_LAMBDA { loops::packed(a, packed, c, d, epilogue); });
}

}  // namespace kernel
}  // namespace v0
}  // namespace unspool
