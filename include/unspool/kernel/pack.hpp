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

namespace unspool::inline v0::kernel {

namespace detail {

/// The vectors [First, First + Vectors) of the columns of a matrix, k = 0 … steps - 1, to
/// to[k * Vectors * width …]. B(k,n) stands at from[k * Row + n * Col].
template <class T, class Arch, class Columns, int Row, int Col, int Vectors>
struct panel_packer {
    using vec = simd::vec<T, Arch>;
    using index = std::ptrdiff_t;
    static constexpr int width = vec::width;
    static constexpr index to_row = index{Vectors} * width;

    /// One vector of columns, its first at `from`, `count` of them.
    static void pack(T const* from, int count, int steps, T* to) {
        if constexpr (Col == 1) {
            for (int k = 0; k < steps; ++k, from += Row, to += to_row)
                (count == width ? vec::load(from) : vec::load(from, count)).store(to);
        } else if constexpr (Row == 1) {
            int k = 0;
            for (; k + width <= steps; k += width, from += width, to += width * to_row)
                turn(from, count, width, to);
            if (k < steps)
                turn(from, count, steps - k, to);
        } else {
            for (int k = 0; k < steps; ++k, from += Row, to += to_row)
                for (int i = 0; i < width; ++i)
                    to[i] = i < count ? from[i * index{Col}] : T(0);
        }
    }

    static void turn(T const* from, int count, int steps, T* to) {
        vec x[width];
        if (count == width && steps == width)
            load_all(x, from, std::make_integer_sequence<int, width>{});
        else
            for (int i = 0; i < width; ++i)
                x[i] = i < count ? vec::load(from + i * index{Col}, steps) : vec(T(0));
        transpose_square(x);
        for (int i = 0; i < steps; ++i)
            x[i].store(to + i * to_row);
    }
    template <int... I>
    UNSPOOL_INLINE static void load_all(vec* x, T const* from,
                                        std::integer_sequence<int, I...>) {
        ((x[I] = vec::load(from + I * index{Col})), ...);
    }

    static void run(T const* from, int first, int steps, T* to) {
        for (int v = 0; v < Vectors; ++v)
            pack(from + Columns::first(first + v) * index{Col}, Columns::count(first + v), steps,
                 to + v * index{width});
    }
};

} // namespace detail

} // namespace unspool::inline v0::kernel
