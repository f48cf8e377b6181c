// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

namespace unspool {
inline namespace v0 {

/// The deepest nesting of loops.
inline constexpr int max_loops = 4;

/// Where a value lies while a program runs: an array and strides, in elements. Inside of loops the
/// address moves with each loop's time index, or flips with the parity of its iteration count.
struct place {
    enum : int { unplaced = -1, uniform = -2 };

    int base = unplaced;  ///< an array of the plan; `uniform`: every element is `value`
    double value = 0;
    int offset = 0;
    int step[max_rank] = {};
    int loop_step[max_loops] = {};
    int loop_flip[max_loops] = {};

    constexpr bool exists() const { return base != unplaced; }
    constexpr bool is_uniform() const { return base == uniform; }

    static constexpr place row_major(int base, shape const& dims, int offset = 0) {
        place p;
        p.base = base;
        p.offset = offset;
        op::strides const s(dims);
        for (int i = 0; i < dims.rank; ++i) p.step[i] = s.step[i];
        return p;
    }
    static constexpr place everywhere(double value) {
        place p;
        p.base = uniform;
        p.value = value;
        return p;
    }
    constexpr bool is_row_major(shape const& dims) const {
        op::strides const s(dims);
        for (int i = 0; i < dims.rank; ++i)
            if (dims.extent[i] != 1 && step[i] != s.step[i]) return false;
        return true;
    }
    /// Whether some axis runs backwards.
    constexpr bool is_reversed(shape const& dims) const {
        for (int i = 0; i < dims.rank; ++i)
            if (dims.extent[i] != 1 && step[i] < 0) return true;
        return false;
    }
    constexpr place without_steps() const {
        place p = *this;
        for (int& s : p.step) s = 0;
        return p;
    }
};

/// The place of a view of a value that lies at `from`.
constexpr place viewed(op::axes const& v, place const& from, shape const& x, shape const& dims) {
    place p = from.without_steps();
    if (from.is_uniform()) return p;
    p.offset += v.offset(x, from.step);
    for (int i = 0; i < dims.rank; ++i) p.step[i] = v.step(i, from.step);
    return p;
}

/// The place of a row-major reshape of what lies at `from`, unplaced if no strides can express it.
constexpr place reshaped(place const& from, shape const& x, shape const& dims) {
    place p = from.without_steps();
    if (from.is_uniform()) return p;
    // Walk both shapes from the back in runs of equal size; in each run of x axes must be
    // contiguous.
    int i = x.rank - 1;
    int j = dims.rank - 1;
    while (i >= 0 || j >= 0) {
        while (i >= 0 && x.extent[i] == 1) --i;
        while (j >= 0 && dims.extent[j] == 1) --j;
        if (i < 0 || j < 0) break;
        int const innermost = from.step[i];
        int have = x.extent[i];
        int want = dims.extent[j];
        int contiguous = innermost * x.extent[i];
        p.step[j] = innermost;
        int filled = innermost * dims.extent[j];
        while (have != want) {
            if (have < want) {
                --i;
                while (i >= 0 && x.extent[i] == 1) --i;
                if (from.step[i] != contiguous) return place{};
                contiguous *= x.extent[i];
                have *= x.extent[i];
            } else {
                --j;
                p.step[j] = filled;
                filled *= dims.extent[j];
                want *= dims.extent[j];
            }
        }
        --i;
        --j;
    }
    return p;
}

/// A shape without its axes of extent 1.
constexpr shape squeezed(shape const& s) {
    shape r;
    for (int i = 0; i < s.rank; ++i)
        if (s.extent[i] != 1) r.extent[r.rank++] = s.extent[i];
    return r;
}

/// The place of an operand of a combination inside of the result's.
constexpr place inside_at(place const& whole, shape const& part, int const* start) {
    place p = whole;
    for (int i = 0; i < part.rank; ++i) p.offset += start[i] * whole.step[i];
    return p;
}

}  // namespace v0
}  // namespace unspool
