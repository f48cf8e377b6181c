// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/checked_index.hpp>
#include <unspool/kernel/copy.hpp>

#include <cstddef>

/// @file
/// Rows of a table by indices that are data. Everything is row-major and contiguous.

namespace unspool {
inline namespace v0 {
namespace kernel {

/// to[i] = x[index[i]] for `Count` indices into a table of `Extent` rows of `Row` elements.
/// An index beyond the table throws std::out_of_range.
template <class T, class Arch, int Count, int Row, int Extent>
UNSPOOL_INLINE void gather(T const* index, T const* x, T* to) {
    using row = copy_shape<ints<Row>, ints<1>, ints<1>>;
    for (int i = 0; i < Count; ++i)
        copy<T, Arch, row>(x + std::ptrdiff_t{checked_index(index[i], Extent)} * Row,
                           to + std::ptrdiff_t{i} * Row);
}

/// to = 0, then to[index[i]] += x[i] for each i in order.
template <class T, class Arch, int Count, int Row, int Extent>
UNSPOOL_INLINE void scatter_add(T const* index, T const* x, T* to) {
    using vec = simd::vec<T, Arch>;
    fill<T, Arch, Extent * Row>(to, T(0));
    for (int i = 0; i < Count; ++i) {
        T const* from = x + std::ptrdiff_t{i} * Row;
        T* y = to + std::ptrdiff_t{checked_index(index[i], Extent)} * Row;
        int k = 0;
        for (; k + vec::width <= Row; k += vec::width)
            (vec::load(y + k) + vec::load(from + k)).store(y + k);
        if constexpr (constexpr int rest = Row % vec::width; rest != 0)
            (vec::template load<rest>(y + k) + vec::template load<rest>(from + k))
                .template store<rest>(y + k);
    }
}

}  // namespace kernel
}  // namespace v0
}  // namespace unspool
