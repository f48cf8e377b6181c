// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/refuse.hpp>

namespace unspool {
inline namespace v0 {

/// An index beyond its table. In a constant, the compiler stops here.
[[noreturn]] inline void index_is_out_of_range(double index, int extent) {
    char text[120];
    std::snprintf(text, sizeof text,
                  "unspool: index %g is not a whole number from %d to %d, as the table's first "
                  "extent asks",
                  index, -extent, extent - 1);
    detail::refuse<std::out_of_range>(text);
}

/// The row that an index names; negative ones count from the back, as in NumPy.
template <class T>
constexpr int checked_index(T index, int extent) {
    if (!(index >= T(-extent) && index < T(extent)))
        index_is_out_of_range(static_cast<double>(index), extent);
    int const i = static_cast<int>(index);
    if (static_cast<T>(i) != index) index_is_out_of_range(static_cast<double>(index), extent);
    return i < 0 ? i + extent : i;
}

}  // namespace v0
}  // namespace unspool
