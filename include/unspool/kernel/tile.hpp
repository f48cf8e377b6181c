// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/kernel/shape.hpp>
#include <unspool/kernel/tiling.hpp>
#include <unspool/simd/vec.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

/// @file
/// The micro kernel of a product: Rows x Vectors accumulators that stay in registers over k.

namespace unspool {
inline namespace v0 {
namespace kernel {
namespace detail {

/// Where a tile reads B.
enum class source {
    strided,  ///< The matrix itself, whose columns are contiguous.
    panel,    ///< A packed panel: Panel full vectors per k, padded with zeros.
};

/// One register tile as a type: its extent, lanes of its last vector (of every one, if grouped),
/// the vectors in a row of the panel, and how B is read.
template <int Rows, int Vectors, int Lanes, source From>
struct tile {
    static constexpr int rows = Rows, vectors = Vectors, count = Lanes;
    static constexpr source from = From;
};

/// What the micro kernel reads and writes: pointers at its first element.
template <class T>
struct operands {
    T const* a;
    T const* b;
    T* c;
    T const* d;
    int m, n;  ///< Of the first element, for the epilogue.
    // When k is blocked:
    int k;             ///< Steps in this call.
    bool first, last;  ///< Whether this is the first, the last block.
    T* part;           ///< Sums between the blocks: in C, or full vectors elsewhere.
};

/// Keeps x in a register from here on: g++ 12 would fold the load of a row of B into every
/// multiply-add that uses it, and run out of loads. To notice that it is no longer needed: count
/// the loads in the loop of a 4 x 5 tile without it.
template <class Vec>
UNSPOOL_INLINE void hold(Vec& x) {
#if defined(__AVX512F__)
    asm("" : "+v"(x.r));
#elif defined(__SSE2__)
    asm("" : "+x"(x.r));
#elif defined(__aarch64__)
    asm("" : "+w"(x.r));
#else
    static_cast<void>(x);
#endif
}

/// PartRow is the row stride of the sums between the blocks of k, or none if k is not blocked.
template <class T, class Arch, class Shape, class Tile, class Epilogue, int PartRow = none>
struct micro {
    using vec = simd::vec<T, Arch>;
    using index = std::ptrdiff_t;
    static constexpr int width = vec::width, rows = Tile::rows, vectors = Tile::vectors;
    static constexpr int size = rows * vectors;
    static constexpr bool grouped = Shape::groups > 1, blocked = PartRow != none;
    static constexpr bool packed = Tile::from == source::panel;
    static constexpr int chains = blocked ? choose_chains(size, 64, Arch::registers)
                                          : choose_chains(size, Shape::k, Arch::registers);
    /// Steps of k per turn of the loop: a short tile would otherwise count more than it multiplies.
    static constexpr int unroll = chains * (size * chains >= 16 ? 1 : size * chains >= 8 ? 2 : 4);
    using tiles = std::make_integer_sequence<int, size>;
    using across = std::make_integer_sequence<int, vectors>;
    using group_numbers = std::make_integer_sequence<int, Shape::groups>;

    /// A tile holds whole blocks of groups: the same columns of every group.
    static constexpr int groups = Shape::groups, blocks = vectors / groups;
    static constexpr int count(int j) { return j / groups == blocks - 1 ? Tile::count : width; }
    static constexpr index column(int j) {
        return index{columns<Shape::n, width, groups>::first(j)};
    }
    static constexpr index b_column(int j) { return packed ? index{j} * width : column(j); }
    static constexpr index b_row = packed ? index{vectors} * width : index{Shape::b_row};

    /// Row loads of B. Sets without cheap masks read whole vectors where the next row of B follows
    /// anyway (`Whole`), and only the last rows lane by lane.
    template <int J, bool Whole>
    UNSPOOL_INLINE static vec load_b(T const* b) {
        if constexpr (packed || Whole) {
            return vec::load(b + b_column(J));
        } else {
            return vec::template load<count(J)>(b + b_column(J));
        }
    }

    template <bool Whole, int... I, int... J>
    UNSPOOL_INLINE static void step(vec* acc, T const* a, T const* b,
                                    std::integer_sequence<int, I...>,
                                    std::integer_sequence<int, J...>) {
        vec row[] = {load_b<J, Whole>(b)...};
        if constexpr (rows > 1) (hold(row[J]), ...);
        ((acc[I] = fma(vec(a[index{I / vectors} * Shape::a_row]), row[I % vectors], acc[I])), ...);
    }

    template <bool Whole, int... S>
    UNSPOOL_INLINE static void steps(vec* acc, T const* a, T const* b,
                                     std::integer_sequence<int, S...>) {
        (step<Whole>(acc + S % chains * size, a + index{S} * Shape::a_col, b + S * b_row, tiles{},
                     across{}),
         ...);
    }

    /// `Count` steps if it is known (> 0), else `count`.
    template <bool Whole, int Count>
    UNSPOOL_INLINE static void sweep(vec* acc, T const*& a, T const*& b, int count) {
        if constexpr (Count > 0 && Count * size <= 48) {
            steps<Whole>(acc, a, b, std::make_integer_sequence<int, Count>{});
            a += index{Count} * Shape::a_col;
            b += Count * b_row;
        } else {
            int const turns = (Count > 0 ? Count : count) / unroll;
            for (int t = 0; t < turns; ++t) {
                steps<Whole>(acc, a, b, std::make_integer_sequence<int, unroll>{});
                a += index{unroll} * Shape::a_col;
                b += unroll * b_row;
            }
            if constexpr (Count > 0) {
                if constexpr (Count % unroll > 0)
                    steps<Whole>(acc, a, b, std::make_integer_sequence<int, Count % unroll>{});
                a += index{Count % unroll} * Shape::a_col;
                b += Count % unroll * b_row;
            } else if constexpr (unroll > 1) {
                for (int t = count % unroll; t > 0; --t) {
                    steps<Whole>(acc, a, b, std::make_integer_sequence<int, 1>{});
                    a += Shape::a_col;
                    b += b_row;
                }
            }
        }
    }

    template <int I>
    UNSPOOL_INLINE static vec load_d(T const* d) {
        constexpr int row = I / vectors, j = I % vectors;
        if constexpr (Shape::d_row == none) return vec(T(0));
        else return vec::template load<count(j)>(d + index{row} * Shape::d_row + column(j));
    }
    template <int I>
    UNSPOOL_INLINE static T* part_of(T* part) {
        constexpr int j = I % vectors;
        constexpr index at = returns_vector<Epilogue, vec> ? column(j) : index{j} * width;
        return part + index{I / vectors} * PartRow + at;
    }

    template <int... J>
    UNSPOOL_INLINE static void finish_row(vec* acc, operands<T> const& o, int row, Epilogue& e,
                                          std::integer_sequence<int, J...>) {
        T* const c = advance_c<Epilogue, vec>(o.c, index{row} * Shape::c_row);
        if constexpr (requires(vec(&all)[groups]) { e.row(all, 0, 0, lanes<Tile::count>{}); }) {
            vec all[blocks][groups];
            ((all[J / groups][J % groups] = acc[J]), ...);
            for (int b = 0; b < blocks - 1; ++b)
                finish_block<width>(all[b], c, o.m + row, o.n, b, e, group_numbers{});
            finish_block<Tile::count>(all[blocks - 1], c, o.m + row, o.n, blocks - 1, e,
                                      group_numbers{});
        } else {
            (finish<J>(acc[J], c, o.m + row, o.n, e), ...);
        }
    }
    template <int Lanes, int... G>
    UNSPOOL_INLINE static void finish_block(vec (&all)[groups], T* c, int m, int n, int block,
                                            Epilogue& e, std::integer_sequence<int, G...>) {
        if (e.row(all, m, n + block * width, lanes<Lanes>{}))
            (all[G].template store<Lanes>(c + block * width + column(G)), ...);
    }
    template <int J>
    UNSPOOL_INLINE static void finish(vec acc, T* c, int m, int n, Epilogue& e) {
        using count_type = lanes<count(J)>;
        if constexpr (std::is_void_v<decltype(e(acc, 0, 0, count_type{}))>) {
            e(acc, m, n + int(column(J)), count_type{});
        } else {
            e(acc, m, n + int(column(J)), count_type{}).template store<count(J)>(c + column(J));
        }
    }

    template <int... R>
    UNSPOOL_INLINE static void store_rows(vec* acc, operands<T> const& o, Epilogue& e,
                                          std::integer_sequence<int, R...>) {
        if constexpr (rows == 1 || light<Epilogue>) {
            (finish_row(acc + R * vectors, o, R, e, across{}), ...);
        } else {
            // The array that is indexed at run time is a copy: the accumulators stay in registers.
            vec results[rows][vectors];
            (copy_row(results[R], acc + R * vectors, across{}), ...);
            for (int r = 0; r < rows; ++r) finish_row(results[r], o, r, e, across{});
        }
    }
    template <int... J>
    UNSPOOL_INLINE static void copy_row(vec* to, vec const* from,
                                        std::integer_sequence<int, J...>) {
        ((to[J] = from[J]), ...);
    }

    template <int... I>
    UNSPOOL_INLINE static void add_chains(vec* acc, std::integer_sequence<int, I...>) {
        if constexpr (chains == 4)
            ((acc[I] = (acc[I] + acc[I + size]) + (acc[I + 2 * size] + acc[I + 3 * size])), ...);
        else if constexpr (chains == 2) ((acc[I] = acc[I] + acc[I + size]), ...);
    }

    /// The steps of k in which whole vectors of B can be read: what stands behind the row's end
    /// must still be B. With cheap masks (AVX-512) all or none.
    static constexpr int whole_steps() {
        int const beyond = width - Tile::count;
        if (packed || beyond == 0) return Shape::k;
        if (std::is_same_v<Arch, simd::avx512> || Shape::b_row < 1) return 0;
        int const rest = ceil_div(beyond, Shape::b_row);
        return rest < Shape::k ? Shape::k - rest : 0;
    }

    template <int... I, int... Z>
    UNSPOOL_INLINE static void run(operands<T> const& o, Epilogue& e,
                                   std::integer_sequence<int, I...>,
                                   std::integer_sequence<int, Z...>) {
        vec acc[] = {load_d<I>(o.d)..., vec(static_cast<T>(0 * Z))...};
        if constexpr (blocked) {
            if (!o.first)
                ((acc[I] = vec::template load<count(I % vectors)>(part_of<I>(o.part))), ...);
        }
        T const* a = o.a;
        T const* b = o.b;
        constexpr int whole = whole_steps();
        if constexpr (blocked) {
            sweep<true, 0>(acc, a, b, o.k);
        } else {
            if constexpr (whole > 0) sweep<true, whole>(acc, a, b, 0);
            if constexpr (whole < Shape::k) sweep<false, Shape::k - whole>(acc, a, b, 0);
        }
        add_chains(acc, tiles{});
        if constexpr (blocked) {
            if (!o.last) {
                (acc[I].template store<count(I % vectors)>(part_of<I>(o.part)), ...);
                return;
            }
        }
        store_rows(acc, o, e, std::make_integer_sequence<int, rows>{});
    }
    UNSPOOL_INLINE static void run(operands<T> const& o, Epilogue& e) {
        run(o, e, tiles{}, std::make_integer_sequence<int, (chains - 1) * size>{});
    }
};

}  // namespace detail
}  // namespace kernel
}  // namespace v0
}  // namespace unspool
