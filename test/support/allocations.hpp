// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

namespace unspool_test {

/// Allocations and releases of the whole process (all threads) since it started.
struct allocation_counts {
    std::size_t news = 0;  ///< calls of any form of operator new: single, array, nothrow, aligned
    /// calls of malloc, calloc, realloc, reallocarray, aligned_alloc, posix_memalign, memalign,
    /// valloc, pvalloc
    std::size_t mallocs = 0;
    std::size_t bytes = 0;  ///< bytes asked for by all of these

    /// Both kinds together: the number that must be 0.
    [[nodiscard]] constexpr std::size_t total() const { return news + mallocs; }

    friend constexpr allocation_counts operator-(allocation_counts a, allocation_counts b) {
        return {a.news - b.news, a.mallocs - b.mallocs, a.bytes - b.bytes};
    }
};

/// The counts so far. Link allocations.cpp (meson: allocation_counter_dep) into the program; it
/// replaces operator new and, with glibc, the malloc family, so that allocations inside other
/// libraries are seen as well. Under AddressSanitizer and ThreadSanitizer, which have their own
/// malloc, its hooks do the counting and every form appears in `mallocs`.
allocation_counts allocations() noexcept;

/// Calls f and returns what was allocated meanwhile.
template <class F>
allocation_counts allocations_during(F&& f) {
    auto const before = allocations();
    static_cast<F&&>(f)();
    return allocations() - before;
}

}  // namespace unspool_test
