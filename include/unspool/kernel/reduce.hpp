// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/kernel/tiling.hpp>
#include <unspool/kernel/transpose.hpp>
#include <unspool/simd/vec.hpp>

#include <cstddef>
#include <limits>
#include <utility>

/// @file
/// Sums, maxima and minima over the middle of three axes.

namespace unspool {
inline namespace v0 {
namespace kernel {

/// out(o,i) = fold over r < Reduced of x(o,r,i): x at x[o * XOuter + r * XReduced + i * XInner],
/// out at out[o * OutOuter + i * OutInner]. Accumulate folds the old out(o,i) in as well.
template <int Outer, int Reduced, int Inner, int XOuter = Reduced* Inner, int XReduced = Inner,
          int XInner = 1, int OutOuter = Inner, int OutInner = 1, bool Accumulate = false>
struct reduce_shape {
    static_assert(Outer >= 1 && Reduced >= 1 && Inner >= 1);
    static constexpr int outer = Outer, reduced = Reduced, inner = Inner;
    static constexpr int x_outer = XOuter, x_reduced = XReduced, x_inner = XInner;
    static constexpr int out_outer = OutOuter, out_inner = OutInner;
    static constexpr bool accumulate = Accumulate;
};

/// What a reduction folds with. fold(acc, x) works on vectors of any set.
struct sum : detail::add {
    template <class T>
    static constexpr T identity = T(0);
};
/// The largest; NaN if any is NaN.
struct largest {
    template <class T>
    static constexpr T identity = -std::numeric_limits<T>::infinity();
    template <class Vec>
    UNSPOOL_INLINE static Vec fold(Vec acc, Vec x) {
        return select(x == x, max(x, acc), x);
    }
};
/// The smallest; NaN if any is NaN.
struct smallest {
    template <class T>
    static constexpr T identity = std::numeric_limits<T>::infinity();
    template <class Vec>
    UNSPOOL_INLINE static Vec fold(Vec acc, Vec x) {
        return select(x == x, min(x, acc), x);
    }
};

namespace detail {

template <class T, class Arch, class Op, class Shape>
struct reduction {
    using vec = simd::vec<T, Arch>;
    using one = simd::vec<T, simd::scalar>;
    using index = std::ptrdiff_t;
    using S = Shape;
    static constexpr int width = vec::width;

    /// Count elements at p; in the other lanes what does not change a fold.
    template <int Count>
    UNSPOOL_INLINE static vec load(T const* p) {
        if constexpr (Count == width) {
            return vec::load(p);
        } else {
            T lane[width];
            for (int i = 0; i < width; ++i) lane[i] = T(i);
            return select(vec::load(lane) < vec(T(Count)), vec::template load<Count>(p),
                          vec(Op::template identity<T>));
        }
    }
    UNSPOOL_INLINE static void put(T* out, T value) {
        *out = S::accumulate ? Op::fold(one(*out), one(value)).r : value;
    }

    /// `Chains` interleaved folds of one contiguous row.
    template <int... C>
    UNSPOOL_INLINE static vec row(T const* x, std::integer_sequence<int, C...>) {
        constexpr int chains = int(sizeof...(C)), n = S::reduced;
        constexpr int turns = n / (width * chains), rest = n % (width * chains);
        vec acc[] = {(static_cast<void>(C), vec(Op::template identity<T>))...};
        for (int t = 0; t < turns; ++t, x += chains * width)
            ((acc[C] = Op::fold(acc[C], vec::load(x + C * width))), ...);
        ((C < rest / width ? void(acc[C] = Op::fold(acc[C], vec::load(x + C * width))) : void()),
         ...);
        if constexpr (rest % width > 0)
            acc[chains - 1] =
                Op::fold(acc[chains - 1], load<rest % width>(x + rest / width * width));
        for (int step = 1; step < chains; step *= 2)
            for (int c = 0; c + step < chains; c += 2 * step)
                acc[c] = Op::fold(acc[c], acc[c + step]);
        return acc[0];
    }
    UNSPOOL_INLINE static vec row(T const* x) {
        constexpr int vectors = S::reduced / width;
        return row(x, std::make_integer_sequence < int,
                   vectors >= 8   ? 8
                   : vectors >= 4 ? 4
                   : vectors >= 2 ? 2
                                  : 1 > {});
    }

    /// Contiguous rows: a vector of results at a time, then one by one.
    static void rows(T const* x, T* out) {
        int o = 0;
        if constexpr (S::outer >= width && width > 1) {
            for (; o + width <= S::outer; o += width) {
                vec each[width];
                for (int i = 0; i < width; ++i) each[i] = row(x + (o + i) * index{S::x_outer});
                vec const y = fold_each<Op, width>(each);
                if constexpr (S::out_outer == 1) {
                    if constexpr (S::accumulate) Op::fold(vec::load(out + o), y).store(out + o);
                    else y.store(out + o);
                } else {
                    T lane[width];
                    y.store(lane);
                    for (int i = 0; i < width; ++i)
                        put(out + (o + i) * index{S::out_outer}, lane[i]);
                }
            }
        }
        for (; o < S::outer; ++o) {
            vec const y = row(x + o * index{S::x_outer});
            put(out + o * index{S::out_outer}, fold_each<Op, 1>(&y)[0]);
        }
    }

    /// `V` neighbouring vectors of columns, `Count` lanes of the last, in `Chains` folds each.
    template <int V, int Count, int Chains, int... I>
    UNSPOOL_INLINE static void strip(T const* x, T* out, std::integer_sequence<int, I...>) {
        constexpr auto lanes_of = [](int i) { return i % V == V - 1 ? Count : width; };
        vec acc[] = {(static_cast<void>(I), vec(Op::template identity<T>))...};
        for (int t = 0; t < S::reduced / Chains; ++t, x += Chains * index{S::x_reduced})
            ((acc[I] = Op::fold(acc[I], vec::template load<lanes_of(I)>(
                                            x + I / V * index{S::x_reduced} + I % V * width))),
             ...);
        for (int t = 0; t < S::reduced % Chains; ++t, x += S::x_reduced)
            ((I < V ? void(acc[I] =
                               Op::fold(acc[I], vec::template load<lanes_of(I)>(x + I % V * width)))
                    : void()),
             ...);
        for (int c = 1; c < Chains; ++c)
            for (int v = 0; v < V; ++v) acc[v] = Op::fold(acc[v], acc[c * V + v]);
        if constexpr (S::accumulate)
            ((I < V ? void(acc[I] =
                               Op::fold(vec::template load<lanes_of(I)>(out + I * width), acc[I]))
                    : void()),
             ...);
        ((I < V ? acc[I].template store<lanes_of(I)>(out + I * width) : void()), ...);
    }
    template <int V, int Count>
    UNSPOOL_INLINE static void strip(T const* x, T* out) {
        constexpr int chains = V >= 8 || S::reduced < 8 ? 1 : V >= 4 ? 2 : V >= 2 ? 4 : 8;
        strip<V, Count, chains>(x, out, std::make_integer_sequence<int, V * chains>{});
    }

    /// Contiguous columns.
    static void columns(T const* x, T* out) {
        constexpr int most = Arch::registers / 2;
        constexpr int total = ceil_div(S::inner, width);
        constexpr int last = S::inner - (total - 1) * width;
        constexpr int v = ceil_div(total, ceil_div(total, most));
        constexpr int full = last == width ? total / v : (total - 1) / v;
        constexpr int rest = total - full * v;
        for (int o = 0; o < S::outer; ++o, x += S::x_outer, out += S::out_outer) {
            for (int p = 0; p < full; ++p)
                strip<v, width>(x + p * (v * width), out + p * (v * width));
            if constexpr (rest > 0)
                strip<rest, last>(x + full * (v * width), out + full * (v * width));
        }
    }

    /// Any strides.
    static void anyhow(T const* x, T* out) {
        for (int o = 0; o < S::outer; ++o)
            for (int i = 0; i < S::inner; ++i) {
                T const* p = x + o * index{S::x_outer} + i * index{S::x_inner};
                one acc(Op::template identity<T>);
                for (int r = 0; r < S::reduced; ++r, p += S::x_reduced)
                    acc = Op::fold(acc, one(*p));
                put(out + o * index{S::out_outer} + i * index{S::out_inner}, acc.r);
            }
    }
};

}  // namespace detail

/// Folds the middle axis of Shape (a reduce_shape) with Op (sum, largest, smallest).
///
/// The order of the folds depends on Shape and Arch only. Fast when the reduced axis or one of the
/// others is contiguous in x (and then also in out). No pointer needs any alignment.
template <class T, class Arch, class Op, class Shape>
void reduce(T const* x, T* out) {
    using S = Shape;
    constexpr bool is_rows = S::x_reduced == 1 || S::reduced == 1;
    if constexpr (S::inner > 1 && S::x_inner == 1 && S::out_inner == 1) {
        detail::reduction<T, Arch, Op, S>::columns(x, out);
    } else if constexpr (S::inner == 1 && is_rows) {
        detail::reduction<T, Arch, Op, S>::rows(x, out);
    } else if constexpr (S::outer == 1 && is_rows) {
        // Rows that are counted by the inner axis.
        using swapped =
            reduce_shape<S::inner, S::reduced, 1, S::x_inner, 1, 1, S::out_inner, 1, S::accumulate>;
        detail::reduction<T, Arch, Op, swapped>::rows(x, out);
    } else if constexpr (S::outer > 1 && S::inner == 1 && S::x_outer == 1 && S::out_outer == 1) {
        using swapped =
            reduce_shape<1, S::reduced, S::outer, 0, S::x_reduced, 1, 0, 1, S::accumulate>;
        detail::reduction<T, Arch, Op, swapped>::columns(x, out);
    } else {
        detail::reduction<T, Arch, Op, S>::anyhow(x, out);
    }
}

}  // namespace kernel
}  // namespace v0
}  // namespace unspool
