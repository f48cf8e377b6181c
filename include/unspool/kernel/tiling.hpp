// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/simd/vec.hpp>

#include <type_traits>

/// @file
/// How large a register tile is: a search over a small cost model, at compile time.

namespace unspool {
inline namespace v0 {
namespace kernel {
namespace detail {

/// How many a tile leaves free besides its accumulators and one row of B: for an element of A, a
/// product where there is no fma, and one more, without which g++ and clang spill a full set of 16.
template <class Arch>
inline constexpr int temporaries =
    Arch::registers == 32                                                    ? 1
    : std::is_same_v<Arch, simd::sse2> || std::is_same_v<Arch, simd::scalar> ? 3
                                                                             : 2;

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// A tile of rows x vectors accumulators.
struct tiling {
    int rows;
    int vectors;
};

/// Half cycles that a tile needs per step of k on a core with two multiply-adds and two loads per
/// cycle (a core with one of each has the same ratio). Up to eight accumulators wait for the
/// multiply-add's four cycles; short k is split (choose_chains), which makes up for it.
constexpr int tile_step(int rows, int vectors) {
    int const multiply = rows * vectors;
    int const load = rows + vectors + (rows == 1 ? 0 : 1);
    int const wait = rows > 1 ? 9 : 0;
    int const busy = multiply > load ? multiply : load;
    return busy > wait ? busy : wait;
}

constexpr long tile_cost(int rows, int vectors, int k) {
    return long{k} * tile_step(rows, vectors) + 2 * rows * vectors + 20;
}

/// Rows and vectors of the tile for M rows and `total` vectors of columns. `fixed` > 0 prescribes
/// the vectors (packed panels, groups).
constexpr tiling choose_tiling(int m, int total, int k, int regs, int temps, int fixed = 0) {
    tiling best{1, fixed > 0 ? fixed : 1};
    long best_cost = -1;
    for (int v = fixed > 0 ? fixed : 1; v <= (fixed > 0 ? fixed : total) && v <= regs; ++v) {
        for (int r = 1; r <= m && r * v + 1 < regs; ++r) {
            // A single row takes B straight from memory; four fifths of the registers at most.
            bool const fits = r == 1 ? v * 5 <= regs * 4 : r * v + v + temps <= regs;
            if (!fits && !(r == 1 && fixed > 0)) continue;
            int const m_full = m / r, m_rest = m % r, n_full = total / v, n_rest = total % v;
            long cost = m_full * n_full * tile_cost(r, v, k);
            if (m_rest > 0) cost += n_full * tile_cost(m_rest, v, k);
            if (n_rest > 0) cost += m_full * tile_cost(r, n_rest, k);
            if (m_rest > 0 && n_rest > 0) cost += tile_cost(m_rest, n_rest, k);
            // Every variant is code to compile and to fetch.
            cost += cost / 64 * ((m_rest > 0) + (n_rest > 0));
            if (best_cost < 0 || cost < best_cost) {
                best_cost = cost;
                best = {r, v};
            }
        }
    }
    return best;
}

/// In how many independent chains the k loop of a tile is split, so that few accumulators do not
/// wait for each other. Cycles: latency 4, two multiply-adds a cycle, 3 for each round of sums.
constexpr int choose_chains(int accumulators, int k, int regs) {
    int best = 1, best_cost = 0;
    for (int chains = 1, sums = 0; chains <= 4; chains *= 2, ++sums) {
        if (chains > 1 && (chains * accumulators * 5 > regs * 4 || chains > k)) break;
        int const wait = ceil_div(k, chains) * 4, busy = k * accumulators / 2;
        int const cost = (wait > busy ? wait : busy) + 3 * sums;
        if (chains == 1 || cost < best_cost) {
            best = chains;
            best_cost = cost;
        }
    }
    return best;
}

/// Where the vectors of a row of C begin and how many lanes of them count. Plain: one after the
/// other, the last one short. Grouped: vector v is group v % Groups, columns (v / Groups) * Width
/// of it, so that Groups neighbours hold the same columns of every group.
template <int N, int Width, int Groups>
struct columns {
    static constexpr bool grouped = Groups > 1;
    static constexpr int extent = N / Groups;
    static constexpr int total = ceil_div(extent, Width) * Groups;
    static constexpr int first(int v) { return v % Groups * extent + v / Groups * Width; }
    static constexpr int count(int v) {
        int const left = extent - v / Groups * Width;
        return left < Width ? left : Width;
    }
};

}  // namespace detail
}  // namespace kernel
}  // namespace v0
}  // namespace unspool
