// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/kernel/shape.hpp>
#include <unspool/kernel/tiling.hpp>
#include <unspool/kernel/transpose.hpp>
#include <unspool/simd/vec.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

/// @file
/// Products along contiguous k: many scalar products with one vector, several at a time.

namespace unspool {
inline namespace v0 {
namespace kernel {
namespace detail {

/// A strided vector is gathered on the stack up to this size.
inline constexpr int gather_bytes = 16 * 1024;

constexpr int bit_ceil(int x) {
    int p = 1;
    while (p < x) p *= 2;
    return p;
}

/// out(i) = Σ_k x(k) y(i,k) + d(i) for i < Count: x(k) at x[k * XStep], y(i,k) at y[i * YRow + k],
/// out(i) at out[i * OutStep], d(i) at d[i * DStep] unless DStep == none. The epilogue gets
/// (acc, fixed, i, lanes), or (acc, i, fixed, lanes) if Column.
template <class T, class Arch, int Count, int K, int XStep, int YRow, int OutStep, int DStep,
          bool Column, class Epilogue>
struct dots {
    using vec = simd::vec<T, Arch>;
    using index = std::ptrdiff_t;
    static constexpr int width = vec::width;
    /// A vector of results at a time; a single lane wide set takes eight separate sums as well.
    static constexpr int group = width;
    static constexpr int whole = K / width, tail = K % width;

    static constexpr int chains_of(int size) {
        int const chains = size >= 8 ? 1 : 8 / size;
        return chains < whole ? chains : whole > 0 ? whole : 1;
    }

    /// y's rows behind the last are the last again: computed, never stored.
    template <int Valid>
    static constexpr index row(int i) {
        return index{i < Valid ? i : Valid - 1} * YRow;
    }

    template <int Valid, int Steps, int... G>
    UNSPOOL_INLINE static void multiply(vec* acc, T const* x, T const* y,
                                        std::integer_sequence<int, G...>) {
        vec const s = vec::template load<Steps>(x);
        ((acc[G] = fma(s, vec::template load<Steps>(y + row<Valid>(G)), acc[G])), ...);
    }

    template <int Valid, int Size, int... C>
    UNSPOOL_INLINE static void turn(vec* acc, T const* x, T const* y,
                                    std::integer_sequence<int, C...>) {
        (multiply<Valid, width>(acc + C * Size, x + C * width, y + C * width,
                                std::make_integer_sequence<int, Size>{}),
         ...);
    }

    template <int Valid, int... I>
    UNSPOOL_INLINE static vec sums(T const* x, T const* y, std::integer_sequence<int, I...>) {
        constexpr int size = bit_ceil(Valid), chains = chains_of(size);
        vec acc[] = {vec(static_cast<T>(0 * I))...};
        for (int t = 0; t < whole / chains; ++t, x += chains * width, y += chains * width)
            turn<Valid, size>(acc, x, y, std::make_integer_sequence<int, chains>{});
        if constexpr (whole % chains > 0) {
            turn<Valid, size>(acc, x, y, std::make_integer_sequence<int, whole % chains>{});
            x += whole % chains * width;
            y += whole % chains * width;
        }
        if constexpr (tail > 0)
            multiply<Valid, tail>(acc, x, y, std::make_integer_sequence<int, size>{});
        for (int c = 1; c < chains; ++c)
            for (int i = 0; i < size; ++i) acc[i] = acc[i] + acc[c * size + i];
        return fold_each<add, size>(acc);
    }

    template <int Valid>
    UNSPOOL_INLINE static vec addend(T const* d) {
        if constexpr (DStep == none) {
            return vec(T(0));
        } else if constexpr (DStep == 0) {
            return vec(*d);
        } else if constexpr (DStep == 1) {
            return vec::template load<Valid>(d);
        } else {
            T lane[width] = {};
            for (int i = 0; i < Valid; ++i) lane[i] = d[i * index{DStep}];
            return vec::load(lane);
        }
    }

    template <int Valid>
    UNSPOOL_INLINE static void part(T const* x, T const* y, T* out, T const* d, int i, int fixed,
                                    Epilogue& e) {
        constexpr int size = bit_ceil(Valid);
        vec acc = sums<Valid>(x, y + i * index{YRow},
                              std::make_integer_sequence<int, chains_of(size) * size>{});
        if constexpr (DStep != none) acc = acc + addend<Valid>(d + i * index{DStep});
        int const m = Column ? i : fixed, n = Column ? fixed : i;
        if constexpr (std::is_void_v<decltype(e(acc, m, n, lanes<Valid>{}))>) {
            e(acc, m, n, lanes<Valid>{});
        } else {
            vec const result = e(acc, m, n, lanes<Valid>{});
            T* const to = out + i * index{OutStep};
            if constexpr (OutStep == 1) {
                result.template store<Valid>(to);
            } else {
                T lane[width];
                result.store(lane);
                for (int j = 0; j < Valid; ++j) to[j * index{OutStep}] = lane[j];
            }
        }
    }

    UNSPOOL_INLINE static void all(T const* x, T const* y, T* out, T const* d, int fixed,
                                   Epilogue& e) {
        int i = 0;
        for (; i + group <= Count; i += group) part<group>(x, y, out, d, i, fixed, e);
        if constexpr (Count % group > 0) part<Count % group>(x, y, out, d, i, fixed, e);
    }

    static void run(T const* x, T const* y, T* out, T const* d, int fixed, Epilogue& e) {
        if constexpr (XStep == 1) {
            all(x, y, out, d, fixed, e);
        } else {
            alignas(64) T gathered[K];
            for (int k = 0; k < K; ++k) gathered[k] = x[k * index{XStep}];
            all(gathered, y, out, d, fixed, e);
        }
    }
};

/// The epilogue of a column product that is computed as a row: n counts rows. A scalar addend that
/// all rows share is added here.
template <class T, class Epilogue, bool Shared>
struct as_column {
    Epilogue inner;
    T const* shared;
    static constexpr bool light = detail::light<Epilogue>;
    template <class Vec, class Lanes>
    UNSPOOL_INLINE auto operator()(Vec acc, int, int n, Lanes l) {
        if constexpr (Shared) return inner(acc + Vec(*shared), n, 0, l);
        else return inner(acc, n, 0, l);
    }
};

}  // namespace detail
}  // namespace kernel
}  // namespace v0
}  // namespace unspool
