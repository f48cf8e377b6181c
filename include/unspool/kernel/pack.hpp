// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/kernel/tiling.hpp>
#include <unspool/kernel/transpose.hpp>
#include <unspool/simd/vec.hpp>

#include <cstddef>
#include <utility>

/// @file
/// Packed B: panels of whole vectors, one row per k, padded with zeros, so that a product reads
/// one stream without masks, long strides or conflicts in the cache.

namespace unspool {
inline namespace v0 {
namespace kernel {

namespace detail {

/// Packs a panel: `Vectors` vectors of columns, k = 0 … steps - 1, to to[k * Vectors * width …].
/// B(k,n) stands at from[k * Row + n * Col].
template <class T, class Arch, class Columns, int Row, int Col, int Vectors>
struct panel_packer {
    using vec = simd::vec<T, Arch>;
    using index = std::ptrdiff_t;
    static constexpr int width = vec::width;
    static constexpr index to_row = index{Vectors} * width;

    /// From contiguous columns: row by row.
    template <int Count, int... V>
    UNSPOOL_INLINE static void rows(T const* from, int steps, T* to,
                                    std::integer_sequence<int, V...>) {
        // Only the last vector of a panel can be short, except among groups.
        constexpr auto count = [](int v) {
            return Columns::grouped || v == Vectors - 1 ? Count : width;
        };
        for (int k = 0; k < steps; ++k, from += Row, to += to_row)
            (vec::template load<count(V)>(from + Columns::first(V)).store(to + V * width), ...);
    }

    /// From contiguous k: squares, turned in registers.
    template <int Count, int... I>
    UNSPOOL_INLINE static void squares(T const* from, int steps, T* to,
                                       std::integer_sequence<int, I...>) {
        int k = 0;
        for (; k + width <= steps; k += width, to += width * to_row) {
            vec x[] = {I < Count ? vec::load(from + k + (I < Count ? I : 0) * index{Col})
                                 : vec(T(0))...};
            transpose_square(x);
            (x[I].store(to + I * to_row), ...);
        }
        if (k < steps) {
            vec x[] = {I < Count ? vec::load(from + k + (I < Count ? I : 0) * index{Col}, steps - k)
                                 : vec(T(0))...};
            transpose_square(x);
            for (int i = 0; i < steps - k; ++i) x[i].store(to + i * to_row);
        }
    }

    template <int Count>
    static void elements(T const* from, int steps, T* to) {
        for (int k = 0; k < steps; ++k, from += Row, to += to_row)
            for (int i = 0; i < width; ++i)
                to[i] = i < Count ? from[(i < Count ? i : 0) * index{Col}] : T(0);
    }

    template <int Count>
    static void vector(T const* from, int steps, T* to) {
        if constexpr (Row == 1)
            squares<Count>(from, steps, to, std::make_integer_sequence<int, width>{});
        else elements<Count>(from, steps, to);
    }

    /// `from` at the panel's first column; Count as in a tile: of the last vector, or of every one.
    template <int Count>
    static void run(T const* from, int steps, T* to) {
        if constexpr (Col == 1) {
            rows<Count>(from, steps, to, std::make_integer_sequence<int, Vectors>{});
        } else {
            for (int v = 0; v < Vectors - 1; ++v)
                vector<Columns::grouped ? Count : width>(from + Columns::first(v) * index{Col},
                                                         steps, to + v * width);
            vector<Count>(from + Columns::first(Vectors - 1) * index{Col}, steps,
                          to + (Vectors - 1) * width);
        }
    }
};

/// How columns are cut into panels of vectors: `full` ones of `vectors` whole vectors (whole in
/// every group), then at most one of `rest` vectors, `count` lanes in its last (in every one).
template <int N, int Width, int Groups, int Vectors>
struct panels {
    using column = columns<N, Width, Groups>;
    static constexpr int vectors = Vectors;
    static constexpr int count = column::count(column::total - 1);
    static constexpr int full =
        count == Width ? column::total / Vectors : (column::total - 1) / Vectors;
    static constexpr int rest = column::total - full * Vectors;
    static constexpr int first(int p) { return column::first(p * Vectors); }
};

/// Vectors in a panel, for products of about 16 rows.
template <class Arch>
constexpr int panel_vectors(int total, int groups) {
    return groups > 1 ? groups
                      : choose_tiling(16, total, 256, Arch::registers, temporaries<Arch>).vectors;
}

}  // namespace detail

/// B[K,N] as panels, for product_packed. Worth it where B serves several products, or where its
/// rows are a power of two long and several cache lines of them meet in one set.
template <class T, class Arch, int K, int N, int Groups = 1>
struct packed_b {
    static constexpr int width = simd::vec<T, Arch>::width;
    using column = detail::columns<N, width, Groups>;
    using panel =
        detail::panels<N, width, Groups, detail::panel_vectors<Arch>(column::total, Groups)>;

    /// Elements. 64-byte alignment is best, not required.
    static constexpr std::ptrdiff_t size = std::ptrdiff_t{column::total} * width * K;

    /// B(k,n) stands at b[k * Row + n * Col]; so <1, K> packs the transpose of a row-major [N,K].
    template <int Row = N, int Col = 1>
    static void pack(T const* b, T* to) {
        using std::ptrdiff_t;
        constexpr ptrdiff_t step = ptrdiff_t{panel::vectors} * width * K;
        for (int p = 0; p < panel::full; ++p, to += step)
            detail::panel_packer<T, Arch, column, Row, Col, panel::vectors>::template run<width>(
                b + panel::first(p) * ptrdiff_t{Col}, K, to);
        if constexpr (panel::rest > 0)
            detail::panel_packer<T, Arch, column, Row, Col, panel::rest>::template run<
                panel::count>(b + panel::first(panel::full) * ptrdiff_t{Col}, K, to);
    }
};

}  // namespace kernel
}  // namespace v0
}  // namespace unspool
