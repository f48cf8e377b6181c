// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/traced.hpp>

/// NumPy's broadcasting: shapes are aligned at their last axes; an extent of 1 or a missing axis
/// stretches to the other's.
namespace unspool {
inline namespace v0 {

/// A shape in a diagnosis.
template <int... N>
struct dims {};

namespace detail {

template <class X>
struct printable;
template <class T, std::size_t... N>
struct printable<tensor<T, N...>> {
    using type = dims<static_cast<int>(N)...>;
};
template <class Op, class T, std::size_t... N>
struct printable<expr<Op, T, N...>> {
    using type = dims<static_cast<int>(N)...>;
};
/// The shape of an expression type, as a type to be read in a diagnosis.
template <class X>
using printable_t = typename printable<X>::type;

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

/// The diagnosis of an elementwise operation on shapes that do not fit.
template <class Op, class Left, class Right, bool Fit>
struct elementwise_shapes {
    static_assert(Fit, "unspool: the shapes of an elementwise operation do not broadcast; the "
                       "operation and both shapes stand in elementwise_shapes<op, dims, dims>");
};

template <class Op, class... X>
constexpr shape common_shape() {
    shape s;
    bool fits = true;
    ((fits = fits && broadcasts(s, X::dims), s = fits ? broadcast_shape(s, X::dims) : s), ...);
    return s;
}

/// Instantiates the diagnosis of the first operand beside each other one.
template <class Op, class First, class... Rest>
constexpr bool check_shapes() {
    return ((sizeof(elementwise_shapes<Op, printable_t<First>, printable_t<Rest>,
                                       broadcasts(First::dims, Rest::dims)>) > 0) &&
            ...);
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
