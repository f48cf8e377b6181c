// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/shaping.hpp>

/// Rearrangements by NumPy's names. Axes may be negative, which counts from the back. None of them
/// computes; all are views but `pad`, `roll`, `stack`, and `tile` and `repeat` of rank above 1.
namespace unspool {
inline namespace v0 {
namespace detail {

/// A shape with another extent on an axis; 0 takes the axis away.
constexpr shape with_extent(shape s, int axis, int extent) {
    s.extent[axis] = extent;
    if (extent != 0) return s;
    --s.rank;
    for (int i = axis; i < s.rank; ++i) s.extent[i] = s.extent[i + 1];
    return s;
}
/// A shape with a new axis before axis `at`.
constexpr shape with_axis(shape const& s, int at, int extent) {
    shape r = s.with_front(extent);
    for (int i = 0; i < at; ++i) r.extent[i] = s.extent[i];
    r.extent[at] = extent;
    return r;
}
constexpr list<int> at_axis(shape const& dims, int axis, int value) {
    list<int> a(dims.rank, 0);
    a[axis] = value;
    return a;
}
/// x in `n` copies along a new axis before axis `at`.
constexpr ref copies(graph& g, ref x, int at, int n) {
    shape const dims = g.dims(x);
    list<int> to;
    for (int i = 0; i < dims.rank; ++i) to.push_back(i < at ? i : i + 1);
    return g.broadcast(x, to, with_axis(dims, at, n));
}
/// The order of axes that takes axis `from` to `to` and keeps that of the others.
constexpr list<int> moved_order(int rank, int from, int to) {
    list<int> order;
    for (int i = 0; i < rank; ++i)
        if (i != from) order.push_back(i);
    order.insert(to, from);
    return order;
}
constexpr shape permuted(shape const& dims, list<int> const& order) {
    shape s = dims;
    for (int i = 0; i < s.rank; ++i) s.extent[i] = dims.extent[order[i]];
    return s;
}

/// As `structural`, of what puts other elements beside those of x: a number that is the same
/// everywhere does not stay one.
template <class Op, shape S, bool Fits = true, class X, class Build>
constexpr auto composed(X const& x, Build build) {
    if (Fits && x.scope == nullptr) {
        auto const what = x.id == mistake_is_told ? fault::kind::told : fault::kind::constants;
        return no_result<Op, element_t<X>, S>(what, nullptr);
    }
    return structural<Op, S, Fits>(x, build);
}

/// x with the named axes (all if none is) joined to one, the last: what is folded over.
template <int... Axis, class X>
constexpr auto folded_last(X const& x) {
    constexpr auto folded = []([[maybe_unused]] int i) {
        return sizeof...(Axis) == 0 || ((front_axis<X, Axis> == i) || ...);
    };
    constexpr shape s = [folded] {
        shape r;
        int n = 1;
        for (int i = 0; i < X::rank; ++i) {
            if (folded(i)) n *= X::dims.extent[i];
            else r.extent[r.rank++] = X::dims.extent[i];
        }
        r.extent[r.rank++] = n;
        return r;
    }();
    return structural<op::reshape, s>(x, [&](graph& g, ref id) {
        list<int> order;
        for (int i = 0; i < X::rank; ++i)
            if (!folded(i)) order.push_back(i);
        for (int i = 0; i < X::rank; ++i)
            if (folded(i)) order.push_back(i);
        return g.reshape(g.transpose(id, order), s);
    });
}

template <int Before, int After>
constexpr auto padding_amounts() {
    static_assert(Before >= 0 && After >= 0,
                  "unspool: pad adds a negative number of zeros; the amounts stand in "
                  "padding_amounts<before, after>");
    return true;
}
template <class X, int Axis>
constexpr auto new_axis() {
    static_assert(Axis >= -X::rank - 1 && Axis <= X::rank,
                  "unspool: a new axis lies beyond the result's; the operand and the axis stand in "
                  "new_axis<tensor, axis>");
    return true;
}
template <class X, int Axis>
inline constexpr bool takes_axis = Axis >= -X::rank - 1 && Axis <= X::rank;

}  // namespace detail

/// x with `Before` zeros before it and `After` behind it on an axis.
template <int Axis, int Before, int After>
constexpr auto pad(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    constexpr int axis = detail::front_axis<X, Axis>;
    detail::axis<X, Axis>();
    constexpr bool amounts = Before >= 0 && After >= 0;
    detail::padding_amounts<Before, After>();
    constexpr bool fits = detail::has_axis<X, Axis> && amounts;
    constexpr shape s =
        fits ? detail::with_extent(X::dims, axis, Before + X::dims.extent[axis] + After) : X::dims;
    return detail::composed<op::pad, s, fits>(
        x, [&](graph& g, ref id) { return g.pad(id, detail::at_axis(X::dims, axis, Before), s); });
}

/// x with the order of its elements along the axes reversed; along all if none is named.
template <int... Axis>
constexpr auto flip(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    (detail::axis<X, Axis>(), ...);
    constexpr bool fits = (detail::has_axis<X, Axis> && ...);
    return detail::structural<op::reverse, X::dims, fits>(x, [](graph& g, ref id) {
        list<int> flags(X::rank, sizeof...(Axis) == 0 ? 1 : 0);
        ((flags[detail::front_axis<X, Axis>] = 1), ...);
        return g.reverse(id, flags);
    });
}

/// x with its elements moved by `shift` along an axis; those that leave it at the end come back at
/// the front.
template <int Axis>
constexpr auto roll(expression auto const& x, int shift) {
    using X = std::remove_cvref_t<decltype(x)>;
    detail::axis<X, Axis>();
    return detail::structural<op::concatenate, X::dims, detail::has_axis<X, Axis>>(
        x, [shift](graph& g, ref id) {
            constexpr int axis = detail::front_axis<X, Axis>;
            int const extent = X::dims.extent[axis];
            int const last = (shift % extent + extent) % extent;  // that many come to the front
            if (last == 0) return id;
            auto part = [&](int begin, int count) {
                return g.slice(id, detail::at_axis(X::dims, axis, begin),
                               detail::with_extent(X::dims, axis, count));
            };
            return g.concatenate({part(extent - last, last), part(0, extent - last)}, axis);
        });
}

/// x without the named axes, whose extents are 1; without all of extent 1 if none is named.
template <int... Axis>
constexpr auto squeeze(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    (detail::axis<X, Axis>(), ...);
    constexpr bool exist = (detail::has_axis<X, Axis> && ...);
    constexpr bool fits = exist && ((X::dims.extent[detail::front_axis<X, Axis>] == 1) && ...);
    static_assert(fits || !exist, "unspool: squeeze takes away axes of extent 1 alone; the axes "
                                  "and the operand stand in squeeze<axes…, tensor>");
    constexpr shape s = [] {
        shape r;
        for (int i = 0; i < X::rank; ++i) {
            bool const named = sizeof...(Axis) == 0 || ((detail::front_axis<X, Axis> == i) || ...);
            if (!named || X::dims.extent[i] != 1) r.extent[r.rank++] = X::dims.extent[i];
        }
        return r;
    }();
    return detail::structural<op::reshape, s, fits>(
        x, [&](graph& g, ref id) { return g.reshape(id, s); });
}

/// x with a new axis of extent 1, which is number `Axis` of the result.
template <int Axis>
constexpr auto expand_dims(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    detail::new_axis<X, Axis>();
    constexpr bool fits = detail::takes_axis<X, Axis>;
    constexpr shape s = detail::with_axis(X::dims,
                                          !fits      ? 0
                                          : Axis < 0 ? Axis + X::rank + 1
                                                     : Axis,
                                          1);
    return detail::structural<op::reshape, s, fits>(
        x, [&](graph& g, ref id) { return g.reshape(id, s); });
}

/// x as a vector, in row-major order.
constexpr auto flatten(expression auto const& x) {
    constexpr shape s = shape::of(std::remove_cvref_t<decltype(x)>::count);
    return detail::structural<op::reshape, s>(x,
                                              [&](graph& g, ref id) { return g.reshape(id, s); });
}

/// x with axis `From` moved to place `To`, the others in order.
template <int From, int To>
constexpr auto moveaxis(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    detail::axis<X, From>();
    if constexpr (detail::has_axis<X, From>) detail::axis<X, To>();
    constexpr bool fits = detail::has_axis<X, From> && detail::has_axis<X, To>;
    constexpr auto order = [] {
        return detail::moved_order(X::rank, detail::front_axis<X, From>, detail::front_axis<X, To>);
    };
    constexpr shape s = fits ? detail::permuted(X::dims, order()) : X::dims;
    return detail::structural<op::transpose, s, fits>(
        x, [&](graph& g, ref id) { return g.transpose(id, order()); });
}

/// x with two axes in each other's place.
template <int A, int B>
constexpr auto swapaxes(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    detail::axis<X, A>();
    if constexpr (detail::has_axis<X, A>) detail::axis<X, B>();
    constexpr bool fits = detail::has_axis<X, A> && detail::has_axis<X, B>;
    constexpr auto order = [] {
        list<int> axes;
        for (int i = 0; i < X::rank; ++i) axes.push_back(i);
        if (fits) std::swap(axes[detail::front_axis<X, A>], axes[detail::front_axis<X, B>]);
        return axes;
    };
    constexpr shape s = detail::permuted(X::dims, order());
    return detail::structural<op::transpose, s, fits>(
        x, [&](graph& g, ref id) { return g.transpose(id, order()); });
}

/// The whole of x `Times` times along an axis: a b c a b c.
template <int Axis, int Times>
constexpr auto tile(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    detail::axis<X, Axis>();
    constexpr int axis = detail::front_axis<X, Axis>;
    constexpr bool fits = detail::has_axis<X, Axis> && Times > 0;
    static_assert(Times > 0, "unspool: tile repeats its operand at least once; the axis and the "
                             "number of times stand in tile<axis, times, "
                             "tensor>");
    constexpr shape s =
        fits ? detail::with_extent(X::dims, axis, X::dims.extent[axis] * Times) : X::dims;
    return detail::structural<op::broadcast, s, fits>(
        x, [&](graph& g, ref id) { return g.reshape(detail::copies(g, id, axis, Times), s); });
}

/// Each element of x `Times` times along an axis: a a b b c c.
template <int Axis, int Times>
constexpr auto repeat(expression auto const& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    detail::axis<X, Axis>();
    constexpr int axis = detail::front_axis<X, Axis>;
    constexpr bool fits = detail::has_axis<X, Axis> && Times > 0;
    static_assert(Times > 0, "unspool: repeat repeats each element at least once; the axis and the "
                             "number of times stand in repeat<axis, times, "
                             "tensor>");
    constexpr shape s =
        fits ? detail::with_extent(X::dims, axis, X::dims.extent[axis] * Times) : X::dims;
    return detail::structural<op::broadcast, s, fits>(
        x, [&](graph& g, ref id) { return g.reshape(detail::copies(g, id, axis + 1, Times), s); });
}

/// Expressions of one shape along a new axis, which is number `Axis` of the result.
template <int Axis = 0, expression First, expression... Rest>
constexpr auto stack(First const& first, Rest const&... rest) {
    constexpr bool agree = ((First::dims == Rest::dims) && ...);
    static_assert(agree, "unspool: the operands of stack have different shapes; the axis and the "
                         "operands stand in stack<axis, tensors…>");
    if constexpr (agree && detail::takes_axis<First, Axis>)
        return concatenate<Axis>(expand_dims<Axis>(first), expand_dims<Axis>(rest)...);
    else return expand_dims<Axis>(first);
}

}  // namespace v0
}  // namespace unspool
