// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/simd/vec.hpp>

#include <cstddef>
#include <utility>

/// @file
/// Fused groups of elementwise operations: every intermediate value stays in a register.

namespace unspool {
inline namespace v0 {
namespace kernel {

/// One step of a group: a load, a number, a store, an operation on earlier steps, or what the
/// caller gives.
struct group_step {
    enum kind { load, uniform, store, compute, given } what = load;
    int x[3] = {};  ///< earlier steps; of a given one: which
    int inner = 0;  ///< of a load or store: elements from one index of the last axis to the next
};

namespace detail {

/// `Program` says, all static constexpr:
///   rank, extent[rank]      the iteration space, at least one axis
///   count, step[count]      the steps
///   stride[count][rank]     of loads and stores, in elements
///   value<I>(vec...)        the result of computing step I
///   number<I>               of a uniform step
template <class T, class Arch, class Program>
struct group_loops {
    using vec = simd::vec<T, Arch>;
    using all = std::make_integer_sequence<int, Program::count>;
    static constexpr int width = vec::width;
    static constexpr int inner = Program::extent[Program::rank - 1];

    /// clang nests the operands of a fold no deeper than 256.
    template <int... I>
    static constexpr bool fold_nests = sizeof...(I) < 256;

    template <int I>
    static constexpr bool invariant_in_row = Program::step[I].what == group_step::uniform ||
                                             (Program::step[I].what == group_step::load &&
                                              Program::step[I].inner == 0);

    template <int I>
    UNSPOOL_INLINE static vec row_value(T* const* p) {
        if constexpr (Program::step[I].what == group_step::uniform)
            return vec(static_cast<T>(Program::template number<I>));
        else if constexpr (invariant_in_row<I>) return vec(*p[I]);
        else return vec(T(0));
    }
    template <int I, int Lanes>
    UNSPOOL_INLINE static void run_step(vec (&v)[Program::count], T* const* p, int at,
                                        vec const* given) {
        constexpr group_step s = Program::step[I];
        std::ptrdiff_t const k = std::ptrdiff_t{at} * s.inner;
        if constexpr (s.what == group_step::load && s.inner == 1) {
            v[I] = vec::template load<Lanes>(p[I] + k);
        } else if constexpr (s.what == group_step::load && s.inner != 0) {
            T lane[width] = {};
            for (int i = 0; i < Lanes; ++i) lane[i] = p[I][k + std::ptrdiff_t{i} * s.inner];
            v[I] = vec::load(lane);
        } else if constexpr (s.what == group_step::store && s.inner == 1) {
            v[s.x[0]].template store<Lanes>(p[I] + k);
        } else if constexpr (s.what == group_step::store) {
            T lane[width];
            v[s.x[0]].store(lane);
            for (int i = 0; i < Lanes; ++i) p[I][k + std::ptrdiff_t{i} * s.inner] = lane[i];
        } else if constexpr (s.what == group_step::given) {
            v[I] = given[s.x[0]];
        } else if constexpr (s.what == group_step::compute) {
            v[I] = Program::template value<I>(v[s.x[0]], v[s.x[1]], v[s.x[2]]);
        }
    }
    template <int Lanes, int... I>
    UNSPOOL_INLINE static void block(vec const (&row)[Program::count], T* const* p, int at,
                                     std::integer_sequence<int, I...>, vec const* given = nullptr) {
        vec v[Program::count];
        if constexpr (fold_nests<I...>) {
            ((invariant_in_row<I> ? void(v[I] = row[I]) : void()), ...);
            (run_step<I, Lanes>(v, p, at, given), ...);
        } else {
            int const in_order[] = {(invariant_in_row<I> ? void(v[I] = row[I]) : void(), 0)...,
                                    (run_step<I, Lanes>(v, p, at, given), 0)...};
            (void)in_order;
        }
    }
    /// One vector of the space, at row m and column n, some of its values given.
    template <int Lanes, int... I>
    UNSPOOL_INLINE static void vector_at(T* const* p, int m, int n, vec const* given,
                                         std::integer_sequence<int, I...> steps) {
        T* const at_row[] = {Program::step[I].what == group_step::load ||
                                     Program::step[I].what == group_step::store
                                 ? p[I] + m * std::ptrdiff_t{Program::stride[I][0]}
                                 : nullptr...};
        vec const row[Program::count] = {row_value<I>(at_row)...};
        block<Lanes>(row, at_row, n, steps, given);
    }
    template <int... I>
    UNSPOOL_INLINE static void sweep(T* const* p, std::integer_sequence<int, I...> steps) {
        vec const row[Program::count] = {row_value<I>(p)...};
        int at = 0;
        for (; at + width <= inner; at += width) block<width>(row, p, at, steps);
        if constexpr (inner % width != 0) block<inner % width>(row, p, at, steps);
    }
    template <int Axis, int... I>
    UNSPOOL_INLINE static void axes(T* const* p, std::integer_sequence<int, I...> steps) {
        if constexpr (Axis == Program::rank - 1) {
            sweep(p, steps);
        } else {
            T* moving[] = {p[I]...};
            for (int i = 0; i < Program::extent[Axis]; ++i) {
                axes<Axis + 1>(moving, steps);
                if constexpr (fold_nests<I...>) {
                    ((moving[I] += Program::stride[I][Axis]), ...);
                } else {
                    int const in_order[] = {(moving[I] += Program::stride[I][Axis], 0)...};
                    (void)in_order;
                }
            }
        }
    }
};

}  // namespace detail

/// A group as the epilogue of a product whose columns are `Groups` blocks: step `given` number g is
/// block g of a row. The group's space has two axes, rows and the columns of a block.
template <class T, class Arch, class Program, int Groups>
struct group_epilogue {
    using loops = detail::group_loops<T, Arch, Program>;
    using vec = simd::vec<T, Arch>;
    static constexpr bool leaves_c = true;
    T* const* p;

    template <class Lanes>
        requires(Groups == 1)
    UNSPOOL_INLINE void operator()(vec acc, int m, int n, Lanes) const {
        loops::template vector_at<Lanes::value>(p, m, n, &acc, typename loops::all{});
    }
    template <class Lanes>
        requires(Groups > 1)
    UNSPOOL_INLINE bool row(vec (&acc)[static_cast<std::size_t>(Groups)], int m, int n,
                            Lanes) const {
        loops::template vector_at<Lanes::value>(p, m, n, acc, typename loops::all{});
        return false;
    }
};

/// Runs a group; p[I] points to the first element of loading or storing step I.
template <class T, class Arch, class Program>
void group(T* const* p) {
    using loops = detail::group_loops<T, Arch, Program>;
    loops::template axes<0>(p, typename loops::all{});
}

}  // namespace kernel
}  // namespace v0
}  // namespace unspool
