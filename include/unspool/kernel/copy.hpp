// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/kernel/tiling.hpp>
#include <unspool/kernel/transpose.hpp>
#include <unspool/simd/vec.hpp>

#include <cstddef>
#include <utility>

/// @file
/// Copies between strided tensors: slices, transposes, broadcasts; and fills.

namespace unspool {
inline namespace v0 {
namespace kernel {

/// A list of extents or strides, in elements.
template <int... I>
struct ints {};

/// to(i…) = from(i…) for all i… below Extents. A source stride of 0 broadcasts; the elements of the
/// destination must be distinct.
template <class Extents, class From, class To>
struct copy_shape;

namespace detail {

struct copy_axis {
    int extent, from, to;
};
struct copy_axes {
    copy_axis axis[8]{};
    int rank = 0;
};

/// The same copy with as few axes as possible: axes of extent 1 gone, those that follow each other
/// in both tensors joined; the destination's smallest stride last; before it the axis that is
/// contiguous in the source, if it is another one.
constexpr copy_axes arrange(copy_axes const& in) {
    copy_axes out;
    for (int i = 0; i < in.rank; ++i) {
        if (in.axis[i].extent == 1) continue;
        int at = out.rank++;
        for (; at > 0 && out.axis[at - 1].to < in.axis[i].to; --at) out.axis[at] = out.axis[at - 1];
        out.axis[at] = in.axis[i];
    }
    int rank = 0;
    for (int i = 0; i < out.rank; ++i) {
        copy_axis const x = out.axis[i];
        if (rank > 0 && out.axis[rank - 1].to == x.extent * x.to &&
            out.axis[rank - 1].from == x.extent * x.from)
            out.axis[rank - 1] = {out.axis[rank - 1].extent * x.extent, x.from, x.to};
        else out.axis[rank++] = x;
    }
    if (rank == 0) out.axis[rank++] = {1, 1, 1};
    out.rank = rank;
    copy_axis const last = out.axis[rank - 1];
    if (last.to == 1 && last.from != 0 && last.from != 1)
        for (int i = 0; i < rank - 1; ++i)
            if (out.axis[i].from == 1) {
                copy_axis const x = out.axis[i];
                for (; i < rank - 2; ++i) out.axis[i] = out.axis[i + 1];
                out.axis[rank - 2] = x;
                break;
            }
    return out;
}

template <class Shape>
struct copy_plan;
template <int... E, int... F, int... G>
struct copy_plan<copy_shape<ints<E...>, ints<F...>, ints<G...>>> {
    static_assert(sizeof...(E) == sizeof...(F) && sizeof...(E) == sizeof...(G) &&
                  sizeof...(E) <= 8);
    static constexpr copy_axes axes = arrange({{copy_axis{E, F, G}...}, int(sizeof...(E))});
};

template <class T, class Arch, int Count>
UNSPOOL_INLINE void fill_row(T* to, T value) {
    using vec = simd::vec<T, Arch>;
    vec const x(value);
    int i = 0;
    for (; i + vec::width <= Count; i += vec::width) x.store(to + i);
    x.template store<Count % vec::width>(to + i);
}

template <class T, class Arch, int Count>
UNSPOOL_INLINE void copy_row(T const* from, T* to) {
    using vec = simd::vec<T, Arch>;
    constexpr int w = vec::width, rest = Count % w;
    int i = 0;
    for (; i + 4 * w <= Count; i += 4 * w) {
        vec const a = vec::load(from + i), b = vec::load(from + i + w);
        vec const c = vec::load(from + i + 2 * w), d = vec::load(from + i + 3 * w);
        a.store(to + i);
        b.store(to + i + w);
        c.store(to + i + 2 * w);
        d.store(to + i + 3 * w);
    }
    for (; i + w <= Count; i += w) vec::load(from + i).store(to + i);
    if constexpr (rest > 0) vec::template load<rest>(from + i).template store<rest>(to + i);
}

/// to[r * ToRow + c] = from[c * FromCol + r], in squares of a vector's width.
template <class T, class Arch, int Rows, int Cols, int FromCol, int ToRow>
struct plane_transpose {
    using vec = simd::vec<T, Arch>;
    using index = std::ptrdiff_t;
    static constexpr int w = vec::width;

    template <int R, int C, int... I>
    UNSPOOL_INLINE static void square(T const* from, T* to, std::integer_sequence<int, I...>) {
        vec x[] = {column<R, C, I>(from)...};
        transpose_square(x);
        ((I < R ? x[I].template store<C>(to + I * index{ToRow}) : void()), ...);
    }
    template <int R, int C, int I>
    UNSPOOL_INLINE static vec column(T const* from) {
        if constexpr (I < C) return vec::template load<R>(from + I * index{FromCol});
        else return vec(T(0));
    }
    template <int R>
    UNSPOOL_INLINE static void strip(T const* from, T* to) {
        using all = std::make_integer_sequence<int, w>;
        int c = 0;
        for (; c + w <= Cols; c += w) square<R, w>(from + c * index{FromCol}, to + c, all{});
        if constexpr (Cols % w > 0) square<R, Cols % w>(from + c * index{FromCol}, to + c, all{});
    }
    UNSPOOL_INLINE static void run(T const* from, T* to) {
        int r = 0;
        for (; r + w <= Rows; r += w) strip<w>(from + r, to + r * index{ToRow});
        if constexpr (Rows % w > 0) strip<Rows % w>(from + r, to + r * index{ToRow});
    }
};

template <class T, class Arch, class Plan, int D>
UNSPOOL_INLINE void copy_nest(T const* from, T* to) {
    constexpr copy_axes axes = Plan::axes;
    constexpr copy_axis x = axes.axis[D], next = axes.axis[D + 1 < axes.rank ? D + 1 : D];
    if constexpr (D + 2 == axes.rank && x.from == 1 && next.to == 1 && next.from != 0 &&
                  next.from != 1) {
        plane_transpose<T, Arch, x.extent, next.extent, next.from, x.to>::run(from, to);
    } else if constexpr (D + 1 < axes.rank) {
        for (int i = 0; i < x.extent; ++i)
            copy_nest<T, Arch, Plan, D + 1>(from + i * std::ptrdiff_t{x.from},
                                            to + i * std::ptrdiff_t{x.to});
    } else if constexpr (x.from == 0 && x.to == 1) {
        fill_row<T, Arch, x.extent>(to, *from);
    } else if constexpr (x.from == 1 && x.to == 1) {
        copy_row<T, Arch, x.extent>(from, to);
    } else {
        for (int i = 0; i < x.extent; ++i)
            to[i * std::ptrdiff_t{x.to}] = from[i * std::ptrdiff_t{x.from}];
    }
}

}  // namespace detail

/// Copies as Shape (a copy_shape of up to eight axes) says; the two tensors must not overlap. Fast
/// when some axis is contiguous in each of them. No pointer needs any alignment.
template <class T, class Arch, class Shape>
void copy(T const* from, T* to) {
    detail::copy_nest<T, Arch, detail::copy_plan<Shape>, 0>(from, to);
}

/// to[0 … Count - 1] = value.
template <class T, class Arch, int Count>
void fill(T* to, T value) {
    detail::fill_row<T, Arch, Count>(to, value);
}

}  // namespace kernel
}  // namespace v0
}  // namespace unspool
