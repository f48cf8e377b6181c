// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/traced.hpp>

/// NumPy's broadcasting: shapes are aligned at their last axes; an extent of 1 or a missing axis
/// stretches to the other's.
namespace unspool {
inline namespace v0 {

namespace detail {

constexpr bool broadcasts(shape const& a, shape const& b) {
    for (int i = 1; i <= a.rank && i <= b.rank; ++i) {
        int const m = a.extent[a.rank - i];
        int const n = b.extent[b.rank - i];
        if (m != n && m != 1 && n != 1) return false;
    }
    return true;
}

constexpr shape broadcast_shape(shape const& a, shape const& b) {
    shape s = a.rank < b.rank ? b : a;
    shape const& other = a.rank < b.rank ? a : b;
    for (int i = 1; i <= other.rank; ++i) {
        int& extent = s.extent[s.rank - i];
        if (extent == 1) extent = other.extent[other.rank - i];
    }
    return s;
}

/// The shape of an operand; numbers are scalars.
template <class X>
constexpr shape dims_of() {
    if constexpr (std::is_arithmetic_v<X>) return {};
    else return X::dims;
}

/// The shape that operands broadcast to; those that do not fit are left out.
template <class... X>
constexpr shape common_shape() {
    shape s;
    ((s = broadcasts(s, dims_of<X>()) ? broadcast_shape(s, dims_of<X>()) : s), ...);
    return s;
}
template <class... X>
constexpr bool broadcast_together() {
    shape s;
    bool fits = true;
    ((fits = fits && broadcasts(s, dims_of<X>()), s = fits ? broadcast_shape(s, dims_of<X>()) : s),
     ...);
    return fits;
}

/// x, a value of graph g with shape `from`, stretched to `to`.
constexpr ref stretch(graph& g, ref x, shape const& to) {
    shape const from = g.dims(x);
    if (from == to) return x;
    shape squeezed;
    list<int> axes;
    int const lead = to.rank - from.rank;
    for (int i = 0; i < from.rank; ++i) {
        if (from.extent[i] == 1 && to.extent[lead + i] != 1) continue;
        squeezed.extent[squeezed.rank++] = from.extent[i];
        axes.push_back(lead + i);
    }
    return g.broadcast(g.reshape(x, squeezed), axes, to);
}

}  // namespace detail
}  // namespace v0
}  // namespace unspool
