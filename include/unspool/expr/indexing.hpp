// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/constants.hpp>
#include <unspool/expr/arrange.hpp>

#include <array>
#include <concepts>

/// NumPy's indexing with constant indices: `x(us::all, us::range<2, 5>, us::at<-1>)` is x[:, 2:5,
/// -1]. Negative indices count from the back; nothing is clipped.
namespace unspool {
inline namespace v0 {

/// The whole of an axis. As a function, whether all elements of x are true, that is not 0: 1 or 0
/// in the element type; over some axes it is `us::all.over<1>(x)`. The derivative is zero, as that
/// of comparisons.
struct all_t {
    template <int... Axis>
    constexpr auto over(expression auto const& x) const {
        return max<Axis...>(x == 0) == 0;
    }
    constexpr auto operator()(expression auto const& x) const { return over<>(x); }
};
inline constexpr all_t all{};

// Enumerators, which no local name of theirs is warned to shadow.

/// A new axis of extent 1.
enum newaxis_t { newaxis };
/// As many whole axes as are left.
enum ellipsis_t { ellipsis };
/// In `range`: from the first element, or to the last.
enum edge_t : int { edge = 1 << 30 };

template <int I>
struct at_t {};
/// Element I of an axis, which the result lacks.
template <int I>
inline constexpr at_t<I> at{};

template <int Begin, int End, int Step>
struct range_t {};
/// Elements Begin, Begin + Step, … of an axis, up to but without End. From the last to the first
/// they are `us::range<us::edge, us::edge, -1>`.
template <int Begin, int End = edge, int Step = 1>
inline constexpr range_t<Begin, End, Step> range{};

namespace detail {

/// 0, 1, …, N − 1.
template <class T, int N>
inline constexpr auto counting = arange<T, static_cast<std::size_t>(N)>();

/// What an index takes of one axis: elements begin, begin + step, …
struct cut {
    int begin = 0;
    int step = 1;
    int count = 0;
    bool dropped = false;
    bool fits = true;
};
constexpr cut cut_of(all_t, int extent) { return {0, 1, extent}; }
template <std::integral I>
constexpr cut cut_of(I i, int extent) {
    int const from = static_cast<int>(i) < 0 ? static_cast<int>(i) + extent : static_cast<int>(i);
    return {from, 1, 1, true, from >= 0 && from < extent};
}
template <int I>
constexpr cut cut_of(at_t<I>, int extent) {
    return cut_of(I, extent);
}
template <int Begin, int End, int Step>
constexpr cut cut_of(range_t<Begin, End, Step>, int extent) {
    auto from_front = [&](int i, int at_edge) {
        return i == edge ? at_edge : i < 0 ? i + extent : i;
    };
    int const begin = from_front(Begin, Step > 0 ? 0 : extent - 1);
    int const end = from_front(End, Step > 0 ? extent : -1);
    int const step = Step > 0 ? Step : -Step;
    int const length = Step > 0 ? end - begin : begin - end;
    bool const fits =
        Step != 0 && begin >= 0 && begin < extent && end >= -1 && end <= extent && length > 0;
    return {begin, Step, fits ? (length + step - 1) / step : 1, false, fits};
}

/// What stands at one place of an index.
template <class I>
concept axis_index = requires(I i) {
    cut_of(i, 1);
};
template <class I>
concept index_item = axis_index<I> || std::is_same_v<I, newaxis_t> || std::is_same_v<I, ellipsis_t>;

/// All cuts of an index into `x`, and the shape that is left.
struct cuts {
    cut axis[max_rank]{};
    shape dims;
    bool ranks_fit = true;
    int outside = none;  ///< the first axis whose index leaves it
};
template <class... I>
constexpr cuts cuts_of(shape const& x, I... items) {
    cuts all_cuts;
    int const named = ((axis_index<I> ? 1 : 0) + ... + 0);
    int const gaps = ((std::is_same_v<I, ellipsis_t> ? 1 : 0) + ... + 0);
    int const news = ((std::is_same_v<I, newaxis_t> ? 1 : 0) + ... + 0);
    all_cuts.ranks_fit = named <= x.rank && gaps <= 1 && x.rank + news <= max_rank;
    if (!all_cuts.ranks_fit) return all_cuts;
    int next = 0;
    auto take = [&]<class Item>(Item item) {
        if constexpr (axis_index<Item>) {
            cut const c = cut_of(item, x.extent[next]);
            if (!c.fits && all_cuts.outside == none) all_cuts.outside = next;
            if (!c.dropped) all_cuts.dims.extent[all_cuts.dims.rank++] = c.count;
            all_cuts.axis[next++] = c;
        } else {
            all_cuts.dims.extent[all_cuts.dims.rank++] = 1;
        }
    };
    auto take_rest = [&](int last) {
        while (next < last) take(all);
    };
    auto item_or_rest = [&]<class Item>(Item item) {
        if constexpr (std::is_same_v<Item, ellipsis_t>) take_rest(next + x.rank - named);
        else take(item);
    };
    (item_or_rest(items), ...);
    take_rest(x.rank);
    return all_cuts;
}

/// Elements begin, begin + step, … of an axis, as a view where a whole number of steps lies within
/// the axis, else of a copy with zeros behind.
constexpr ref strided(graph& g, ref x, int axis, int begin, int step, int count) {
    shape const dims = g.dims(x);
    shape const taken = with_extent(dims, axis, count);
    if (step == 1 || count == 1) return g.slice(x, at_axis(dims, axis, begin), taken);
    int const extent = dims.extent[axis];
    int const window = count * step;
    int const start = extent < window || begin < extent - window ? begin : extent - window;
    int const inside = extent < window ? extent - begin : window;
    ref part = g.slice(x, at_axis(dims, axis, start), with_extent(dims, axis, inside));
    part = g.pad(part, list<int>(dims.rank, 0), with_extent(dims, axis, window));
    int const before = dims.span(0, axis);
    int const after = dims.span(axis + 1, dims.rank);
    ref const steps = g.reshape(part, shape::of(before, count, step, after));
    return g.reshape(g.slice(steps, {0, 0, begin - start, 0}, shape::of(before, count, 1, after)),
                     taken);
}

constexpr ref cut_out(graph& g, ref x, cuts const& c) {
    shape const dims = g.dims(x);
    shape block = dims;
    list<int> start(dims.rank, 0);
    list<int> backwards(dims.rank, 0);
    for (int i = 0; i < dims.rank; ++i) {
        if (c.axis[i].step != 1) continue;
        start[i] = c.axis[i].begin;
        block.extent[i] = c.axis[i].count;
    }
    x = g.slice(x, start, block);
    for (int i = 0; i < dims.rank; ++i) {
        auto const [begin, step, count, dropped, fits] = c.axis[i];
        if (step > 1) x = strided(g, x, i, begin, step, count);
        if (step < 0) x = strided(g, x, i, begin + (count - 1) * step, -step, count);
        backwards[i] = step < 0;
    }
    return g.reshape(g.reverse(x, backwards), c.dims);
}

/// Elements `at` of an axis, in that order: runs of neighbours are slices, joined.
constexpr ref gathered(graph& g, ref x, int axis, int const* at, int count) {
    shape const dims = g.dims(x);
    list<ref> runs;
    for (int first = 0, last = 1; first < count; first = last++) {
        while (last < count && at[last] == at[last - 1] + 1) ++last;
        runs.push_back(
            g.slice(x, at_axis(dims, axis, at[first]), with_extent(dims, axis, last - first)));
    }
    return g.concatenate(runs, axis);
}

}  // namespace detail

template <class T, std::size_t... N>
template <class... I>
constexpr auto tensor<traced<T>, N...>::operator()(I... items) const {
    constexpr bool known = (detail::index_item<I> && ...);
    static_assert(known,
                  "unspool: an expression is indexed by us::all, us::range, us::at, us::newaxis, "
                  "us::ellipsis and integers; what is given stands in operator()<…>");
    if constexpr (!known) {
        return detail::no_result<op::slice, T, shape{}>(fault::kind::told, scope);
    } else {
        constexpr detail::cuts c = detail::cuts_of(dims, I{}...);
        static_assert(c.ranks_fit,
                      "unspool: an expression has fewer axes than its index names, or the index "
                      "has two ellipses; both stand in tensor<…>::operator()<indices…>");
        static_assert(!c.ranks_fit || c.outside == none,
                      "unspool: an index leaves its axis or takes nothing of it; it and the "
                      "operand stand in tensor<…>::operator()<indices…>");
        constexpr bool fits = c.ranks_fit && c.outside == none;
        return detail::structural<op::slice, c.dims, fits>(*this, [=](graph& g, ref whole) {
            detail::cuts const given = detail::cuts_of(dims, items...);
            if (int const axis = given.outside; axis != none) {
                g.report({fault::kind::index, {given.axis[axis].begin, dims.extent[axis]}});
                return g.constant(0, given.dims);
            }
            return detail::cut_out(g, whole, given);
        });
    }
}

/// Elements `indices` of x along an axis, in that order, repeated as often as they are named. Each
/// run of neighbours is one copy, so that long lists without order make long programs; a tensor of
/// indices does not.
template <int Axis = 0, std::size_t Count>
    requires(Count > 0)
constexpr auto take(expression auto const& x, std::array<int, Count> const& indices) {
    using X = std::remove_cvref_t<decltype(x)>;
    detail::axis<X, Axis>();
    constexpr int axis = detail::front_axis<X, Axis>;
    constexpr bool fits = detail::has_axis<X, Axis>;
    constexpr shape s = fits ? detail::with_extent(X::dims, axis, int(Count)) : X::dims;
    return detail::structural<op::concatenate, s, fits>(x, [&](graph& g, ref id) {
        int const extent = X::dims.extent[axis];
        std::array<int, Count> at = indices;
        for (int& i : at) {
            if (i < 0) i += extent;
            if (i >= 0 && i < extent) continue;
            g.report({fault::kind::index, {i, extent}});
            return g.constant(0, s);
        }
        return detail::gathered(g, id, axis, at.data(), int(Count));
    });
}

/// For each element i of x a row of N elements, 1 at place i and 0 elsewhere; all 0 where i is no
/// integer in [0, N). Its derivative is zero, as that of comparisons.
template <int N>
constexpr auto one_hot(expression auto const& x) {
    using T = element_t<std::remove_cvref_t<decltype(x)>>;
    return expand_dims<-1>(x) == detail::counting<T, N>;
}
/// The same of constants: a tensor of 0 and 1 that may stand beside expressions.
template <int N, class T, std::size_t... Extent>
    requires std::is_integral_v<T>
constexpr auto one_hot(tensor<T, Extent...> const& x) {
    tensor<T, Extent..., static_cast<std::size_t>(N)> y;
    for (int i = 0; i < y.size(); ++i) y[i] = x[i / N] == static_cast<T>(i % N);
    return y;
}

}  // namespace v0
}  // namespace unspool
