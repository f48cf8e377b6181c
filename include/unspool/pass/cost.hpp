// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace unspool {
inline namespace v0 {

/// A core as the passes see it: what decides whether moving a computation pays. The defaults are a
/// core of today with 512-bit vectors; only ratios matter.
struct machine {
    int vector_bytes = 64;
    int registers = 32;            ///< of vectors
    double fma_per_cycle = 2;      ///< with operands in registers
    double loads_per_cycle = 1.5;  ///< vectors, from L1
    int l1_bytes = 32 * 1024;
    int l2_bytes = 1024 * 1024;
    double l2_bytes_per_cycle = 32;
    double far_bytes_per_cycle = 10;  ///< beyond L2
    double start = 25;                ///< cycles until a kernel's first result
    /// From so many rows of C on, and so many bytes of B, packed panels beat rows as they stand.
    int packing_rows = 4, packing_bytes = 128 * 1024;
    /// Up to so many rows of C a step waits for one product, and saves the trip of its results
    /// through memory; with more, kernels of their own keep the registers to themselves.
    int epilogue_rows = 1;
    double store_to_load = 12;  ///< cycles until what was stored can be loaded
    /// Rows a multiple of so many bytes apart meet in a few sets of a cache.
    int conflict_bytes = 2048;

    /// Cycles to write an array of that size and read it back, once each, elsewhere in time.
    constexpr double round_trip(double bytes) const {
        return 2 * bytes / (bytes <= l2_bytes ? l2_bytes_per_cycle : far_bytes_per_cycle);
    }
    /// Cycles of C += A·B with A of m × k and B of k × n elements: bound by multiply-adds where
    /// rows of B are used for several rows of C, by loads of B where they are not.
    constexpr double product(double m, double n, double k, int element_bytes) const {
        double const lanes = double(vector_bytes) / element_bytes;
        double const row = double(int((n + lanes - 1) / lanes));
        double const arithmetic = m * k * row / fma_per_cycle;
        double const tiles = double(int((m + 3) / 4));
        double loads = tiles * k * row / loads_per_cycle;
        if (k * n * element_bytes > l1_bytes) loads *= 2;
        return start + (arithmetic > loads ? arithmetic : loads);
    }
    /// Columns of C when each of `groups` blocks of them is whole vectors.
    constexpr int padded(int n, int groups, int element_bytes) const {
        int const lanes = vector_bytes / element_bytes;
        return (n / groups + lanes - 1) / lanes * lanes * groups;
    }
    /// Whether B is better packed once for all steps of a loop.
    constexpr bool packing_pays(int m, int n, int k, int steps, int element_bytes) const {
        return m >= packing_rows && steps > 1 && double(n) * k * element_bytes >= packing_bytes;
    }
    /// Whether a product's results are better taken from registers, its column blocks padded to
    /// whole vectors, than written and read again.
    constexpr bool epilogue_pays(int m, int n, int k, int groups, int element_bytes) const {
        if (m > epilogue_rows) return false;
        double const wide = padded(n, groups, element_bytes);
        double const trip = 2.0 * m * n * element_bytes / vector_bytes / loads_per_cycle;
        // Twice, since sums of a single row are split in two to overlap.
        bool const in_registers = 2 * wide * element_bytes / vector_bytes * 5 <= registers * 4.0;
        return in_registers &&
               product(m, wide, k, element_bytes) - product(m, n, k, element_bytes) <=
                   trip + store_to_load;
    }
    /// Cycles to read and write C once, as an accumulation over a loop does at every step.
    constexpr double accumulate(double m, double n, int element_bytes) const {
        double const bytes = m * n * element_bytes;
        return 2 * bytes / (bytes <= l1_bytes ? 2.0 * l2_bytes_per_cycle : l2_bytes_per_cycle);
    }
};

}  // namespace v0
}  // namespace unspool
