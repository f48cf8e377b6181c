// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace unspool {
inline namespace v0 {

/// A core as the passes see it: what decides whether moving a computation pays. The defaults are a
/// core of today with 512-bit vectors; only ratios matter.
struct machine {
    int vector_bytes = 64;
    double fma_per_cycle = 2;      ///< with operands in registers
    double loads_per_cycle = 1.5;  ///< vectors, from L1
    int l1_bytes = 32 * 1024;
    int l2_bytes = 1024 * 1024;
    double l2_bytes_per_cycle = 32;
    double far_bytes_per_cycle = 10;  ///< beyond L2
    double start = 25;                ///< cycles until a kernel's first result

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
    /// Cycles to read and write C once, as an accumulation over a loop does at every step.
    constexpr double accumulate(double m, double n, int element_bytes) const {
        double const bytes = m * n * element_bytes;
        return 2 * bytes / (bytes <= l1_bytes ? 2.0 * l2_bytes_per_cycle : l2_bytes_per_cycle);
    }
};

}  // namespace v0
}  // namespace unspool
