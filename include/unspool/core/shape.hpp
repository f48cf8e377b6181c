// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace unspool {
inline namespace v0 {

/// The largest number of axes a value can have.
inline constexpr int max_rank = 8;

/// The extents of a value as data: what the graph and the passes work with. Row-major; rank 0 is a
/// scalar. In the language itself shapes stand in types, `tensor<T, N...>`.
struct shape {
    int rank = 0;
    int extent[max_rank] = {};

    constexpr shape() = default;
    template <class... N>
    static constexpr shape of(N... n) {
        shape s;
        ((s.extent[s.rank++] = static_cast<int>(n)), ...);
        return s;
    }

    constexpr int operator[](int axis) const { return extent[axis]; }
    constexpr int size() const {
        int n = 1;
        for (int i = 0; i < rank; ++i) n *= extent[i];
        return n;
    }
    /// The product of the extents of axes [first, last).
    constexpr int span(int first, int last) const {
        int n = 1;
        for (int i = first; i < last; ++i) n *= extent[i];
        return n;
    }
    constexpr shape with_front(int n) const {
        shape s;
        s.rank = rank + 1;
        s.extent[0] = n;
        for (int i = 0; i < rank; ++i) s.extent[i + 1] = extent[i];
        return s;
    }
    constexpr shape without_front() const {
        shape s;
        s.rank = rank - 1;
        for (int i = 1; i < rank; ++i) s.extent[i - 1] = extent[i];
        return s;
    }
    friend constexpr bool operator==(shape const& a, shape const& b) {
        if (a.rank != b.rank) return false;
        for (int i = 0; i < a.rank; ++i)
            if (a.extent[i] != b.extent[i]) return false;
        return true;
    }
};

}  // namespace v0
}  // namespace unspool
