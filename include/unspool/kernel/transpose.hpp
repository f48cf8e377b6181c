// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/simd/vec.hpp>

#include <utility>

/// @file
/// Shuffles of whole registers: the transpose of a square of vectors, and the sums of many at once.

namespace unspool {
inline namespace v0 {
namespace kernel {
namespace detail {

/// Lane 2i is lane i of a's lower (or upper) half, lane 2i + 1 that of b.
template <bool Upper, class Vec, int... I>
UNSPOOL_INLINE Vec zip(Vec a, Vec b, std::integer_sequence<int, I...>) {
    constexpr int w = Vec::width, half = Upper ? w / 2 : 0;
    return Vec(__builtin_shufflevector(a.r, b.r, (I % 2 * w + half + I / 2)...));
}

/// Even (or odd) lanes of a, then those of b.
template <bool Odd, class Vec, int... I>
UNSPOOL_INLINE Vec unzip(Vec a, Vec b, std::integer_sequence<int, I...>) {
    return Vec(__builtin_shufflevector(a.r, b.r, (2 * I + Odd)...));
}

template <class Vec, int... I>
UNSPOOL_INLINE void zip_round(Vec* x, std::integer_sequence<int, I...>) {
    constexpr int w = Vec::width;
    using lanes = std::make_integer_sequence<int, w>;
    Vec const y[] = {zip<I % 2>(x[I / 2], x[I / 2 + w / 2], lanes{})...};
    ((x[I] = y[I]), ...);
}

/// x as a square matrix becomes its transpose: log2(width) perfect shuffles of all its elements.
template <class Vec>
UNSPOOL_INLINE void transpose_square(Vec* x) {
    constexpr int w = Vec::width;
    using all = std::make_integer_sequence<int, w>;
    if constexpr (w > 1) zip_round(x, all{});
    if constexpr (w > 2) zip_round(x, all{});
    if constexpr (w > 4) zip_round(x, all{});
    if constexpr (w > 8) zip_round(x, all{});
    static_assert(w <= 16);
}

/// How sums come together.
struct add {
    template <class Vec>
    UNSPOOL_INLINE static Vec fold(Vec acc, Vec x) {
        return acc + x;
    }
};

template <class Op, class Vec>
UNSPOOL_INLINE Vec fold_pairs(Vec a, Vec b) {
    using lanes = std::make_integer_sequence<int, Vec::width>;
    return Op::fold(unzip<false>(a, b, lanes{}), unzip<true>(a, b, lanes{}));
}

template <class Op, int Count, class Vec>
UNSPOOL_INLINE Vec fold_halves(Vec const* x) {
    if constexpr (Count == 1) return x[0];
    else
        return fold_pairs<Op>(fold_halves<Op, Count / 2>(x),
                              fold_halves<Op, Count / 2>(x + Count / 2));
}

/// Lane i of the result is the sum (fold) of the lanes of x[i], for a power of two Count <= width
/// of vectors; behind lane Count they repeat. Neighbouring lanes come together first.
template <class Op, int Count, class Vec>
UNSPOOL_INLINE Vec fold_each(Vec const* x) {
    constexpr int w = Vec::width;
    static_assert(Count <= w && w <= 16);
    Vec y = fold_halves<Op, Count>(x);
    if constexpr (Count < w && w / Count >= 2) y = fold_pairs<Op>(y, y);
    if constexpr (Count < w && w / Count >= 4) y = fold_pairs<Op>(y, y);
    if constexpr (Count < w && w / Count >= 8) y = fold_pairs<Op>(y, y);
    if constexpr (Count < w && w / Count >= 16) y = fold_pairs<Op>(y, y);
    return y;
}

}  // namespace detail
}  // namespace kernel
}  // namespace v0
}  // namespace unspool
