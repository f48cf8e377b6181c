// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

/// What random graphs are made of: dice, and a graph under construction that knows the range of
/// each value, so that any value can be made to fit where another shape or range is wanted.
namespace unspool_test {

namespace op = unspool::op;

/// The same numbers from a seed on every platform, which <random>'s distributions do not promise.
class dice {
public:
    explicit dice(std::uint64_t seed) : engine_(seed * 0x9E3779B97F4A7C15u + 1) {}
    /// An integer in [0, n).
    int below(int n) { return static_cast<int>((engine_() >> 11) % static_cast<unsigned>(n)); }
    int between(int first, int last) { return first + below(last - first + 1); }
    bool one_in(int n) { return below(n) == 0; }
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * unit(); }

private:
    std::mt19937_64 engine_;
};

struct random_graph_options {
    int values = 14;      ///< operations asked for in the outermost graph; views come on top
    int loop_values = 6;  ///< the same for the body of a loop
    int loop_depth = 2;   ///< loops in loops
    int largest_extent = 4;
    int largest_size = 48;  ///< elements of one value
    bool smooth = false;    ///< nothing with a jump, a kink or a derivative that is not its own
};

namespace detail {

struct interval {
    double low = 0;
    double high = 0;

    double magnitude() const { return std::max(std::fabs(low), std::fabs(high)); }
    bool within(double limit) const { return magnitude() <= limit; }
};

inline interval hull(interval a, interval b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
inline interval product(interval a, interval b) {
    double const p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}
inline interval scaled(interval a, double factor) { return product(a, {factor, factor}); }

}  // namespace detail
/// A graph under construction and, for each value, where its elements lie.
class ranged_builder {
protected:
    using graph = unspool::graph;
    using shape = unspool::shape;
    using ref = unspool::ref;
    using ints = unspool::list<int>;
    using interval = detail::interval;

    dice& random_;
    random_graph_options const& options_;
    graph g_;
    std::vector<interval> range_;
    std::vector<char> live_;  ///< depends on an argument, differentiably

    ranged_builder(dice& random, random_graph_options const& options)
        : random_(random), options_(options) {}

    // ---- bookkeeping

    ref note(ref id, interval range) {
        for (ref next = static_cast<ref>(range_.size()); next < g_.size(); ++next) {
            range_.push_back({0, 0});
            live_.push_back(g_.is<op::argument>(next));
            if (!op::table<op::is_differentiable>[g_[next].code]) continue;
            for (int k = 0; k < g_[next].count; ++k)
                if (live(g_.operand(next, k))) live_.back() = 1;
        }
        range_[static_cast<std::size_t>(id)] = range;
        return id;
    }
    bool live(ref id) const { return live_[static_cast<std::size_t>(id)] != 0; }
    interval range(ref id) const { return range_[static_cast<std::size_t>(id)]; }
    shape dims(ref id) const { return g_.dims(id); }
    ref argument(shape const& s, interval r, bool is_live = true) {
        ref const id = note(g_.argument(s), r);
        live_[static_cast<std::size_t>(id)] = is_live;
        return id;
    }

    // One throw a statement: the order of others is the compiler's.
    shape random_shape() {
        int const rank = random_.below(4);
        return random_shape(random_.one_in(8) ? rank + 1 : rank);
    }
    shape random_shape(int rank) {
        shape s;
        s.rank = rank;
        for (int i = 0; i < rank; ++i) s.extent[i] = random_.between(1, options_.largest_extent);
        while (s.size() > options_.largest_size) s.extent[random_.below(rank)] = 1;
        return s;
    }
    double random_number() {
        if (random_.one_in(4))
            return std::array{0.0, 1.0, -1.0, 2.0, 0.5}[static_cast<std::size_t>(random_.below(5))];
        return random_.uniform(-1.5, 1.5);
    }

    // ---- values of a given kind

    /// A value of the wanted shape made of `x` by views, reductions and pads.
    ref fit(ref x, shape const& want) {
        while (!(dims(x) == want)) {
            shape const have = dims(x);
            if (have.size() == want.size() && !random_.one_in(3)) {
                if (have.rank == want.rank && random_.one_in(2)) {
                    ref const turned = transposed_to(x, want);
                    if (turned != unspool::none) return turned;
                }
                return note(g_.reshape(x, want), range(x));
            }
            if (have.rank == want.rank && have.rank > 0 && !random_.one_in(4)) {
                shape low = have;
                ints start;
                for (int i = 0; i < have.rank; ++i) {
                    low.extent[i] = std::min(have.extent[i], want.extent[i]);
                    start.push_back(random_.between(0, have.extent[i] - low.extent[i]));
                }
                x = note(g_.slice(x, start, low), range(x));
                ints place;
                for (int i = 0; i < have.rank; ++i)
                    place.push_back(random_.between(0, want.extent[i] - low.extent[i]));
                interval const r = low == want ? range(x) : hull(range(x), {0, 0});
                return note(g_.pad(x, place, want), r);
            }
            ints to;
            if (embeds(have, want, to)) return note(g_.broadcast(x, to, want), range(x));
            if (have.rank > 0) x = reduced(x, random_.below(have.rank));
        }
        return x;
    }
    /// Whether the axes of `have` are some of `want`'s in order: `to[i]` is where axis i goes.
    static bool embeds(shape const& have, shape const& want, ints& to) {
        for (int axis = 0; axis < want.rank && to.size() < have.rank; ++axis)
            if (want.extent[axis] == have.extent[to.size()]) to.push_back(axis);
        return to.size() == have.rank;
    }
    ref transposed_to(ref x, shape const& want) {
        ints order;
        for (int i = 0; i < want.rank; ++i)
            for (int axis = want.rank - 1; axis >= 0; --axis)
                if (dims(x).extent[axis] == want.extent[i] && !order.contains(axis)) {
                    order.push_back(axis);
                    break;
                }
        if (order.size() < want.rank) return unspool::none;
        return note(g_.transpose(x, order), range(x));
    }
    ref reduced(ref x, int axis) { return reduced(x, ints{axis}); }
    ref reduced(ref x, ints const& axes) {
        double n = 1;
        for (int axis : axes) n *= dims(x).extent[axis];
        if (!options_.smooth && random_.one_in(3))
            return note(g_.reduce<op::reduce_max>(x, axes), range(x));
        ref const total = note(g_.sum(x, axes), detail::scaled(range(x), n));
        return n > 1 && random_.one_in(2) ? times(total, 1 / n) : tame(total);
    }
    ref scalar(ref x) {
        ints axes;
        for (int i = 0; i < dims(x).rank; ++i) axes.push_back(i);
        return axes.empty() ? x : reduced(x, axes);
    }
    ref number(double c, shape const& s) { return note(g_.constant(c, s), {c, c}); }
    ref times(ref x, double c) {
        ref const y = g_.apply<op::multiply>(number(c, dims(x)), x);
        return note(y, detail::scaled(range(x), c));
    }
    ref plus(ref x, double c) {
        ref const y = g_.apply<op::add>(x, number(c, dims(x)));
        return note(y, {range(x).low + c, range(x).high + c});
    }
    /// A function of x in [-1, 1].
    ref squashed(ref x) {
        if (range(x).within(1) && random_.one_in(2)) return x;
        switch (random_.below(4)) {
        case 0:
            return note(g_.apply<op::sigmoid>(x), {0, 1});
        case 1:
            return note(g_.apply<op::sin>(x), {-1, 1});
        default:
            return note(g_.apply<op::tanh>(x), {-1, 1});
        }
    }
    ref tame(ref x) {
        double const m = range(x).magnitude();
        if (m <= 2.5) return x;
        return random_.one_in(3) ? times(x, 1.5 / m) : squashed(x);
    }
    /// A function of x whose range lies above `low` > 0.
    ref above(ref x, double low) {
        if (range(x).low >= low) return x;
        switch (random_.below(4)) {
        case 0:
            return plus(note(g_.apply<op::sigmoid>(x), {0, 1}), low);
        case 1:
            return plus(squared(tame(x)), low);
        case 2: {
            ref const small = squashed(x);
            ref const y = note(g_.apply<op::exp>(small), {std::exp(-1.0), std::exp(1.0)});
            return low < 0.3 ? y : plus(y, low);
        }
        default:
            if (options_.smooth) return plus(squared(tame(x)), low);
            return plus(note(g_.apply<op::absolute>(x), {0, range(x).magnitude()}), low);
        }
    }
    ref squared(ref x) {
        double const m = range(x).magnitude();
        return note(g_.apply<op::square>(x), {0, m * m});
    }
    ref literal(shape const& s) {
        std::vector<double> table;
        for (int i = 0; i < s.size(); ++i) table.push_back(random_.uniform(-1, 1));
        return note(g_.literal(table.data(), s), {-1, 1});
    }

    /// A random view of x, or `none` where it would get too large.
    ref view(ref x) {
        shape const s = dims(x);
        switch (random_.below(6)) {
        case 5: {
            ints flags;
            for (int i = 0; i < s.rank; ++i) flags.push_back(random_.below(2));
            return note(g_.reverse(x, flags), range(x));
        }
        case 4:
            return note(g_.contiguous(x), range(x));
        case 0: {
            ints order;
            while (order.size() < s.rank) {
                int const axis = random_.below(s.rank);
                if (!order.contains(axis)) order.push_back(axis);
            }
            return note(g_.transpose(x, order), range(x));
        }
        case 1: {
            shape narrow = s;
            ints start;
            for (int i = 0; i < s.rank; ++i) {
                narrow.extent[i] = random_.between(1, s.extent[i]);
                start.push_back(random_.between(0, s.extent[i] - narrow.extent[i]));
            }
            return note(g_.slice(x, start, narrow), range(x));
        }
        case 2: {
            shape flat = shape::of(s.size());
            if (random_.one_in(2)) flat = shape::of(1, s.size());
            return note(g_.reshape(x, flat), range(x));
        }
        default: {
            if (s.rank > 3 || s.size() > options_.largest_size / 2) return unspool::none;
            int const at = random_.between(0, s.rank);
            shape wide;
            ints to;
            for (int i = 0; i <= s.rank; ++i) {
                if (i == at) wide.extent[wide.rank++] = random_.between(1, 3);
                if (i == s.rank) break;
                to.push_back(wide.rank);
                wide.extent[wide.rank++] = s.extent[i];
            }
            return note(g_.broadcast(x, to, wide), range(x));
        }
        }
    }
};

/// Values of one set of arguments, as the evaluator takes them.
template <class T>
struct argument_values {
    std::vector<std::vector<T>> values;

    unspool::list<T const*> pointers() const {
        unspool::list<T const*> p;
        for (auto const& v : values) p.push_back(v.data());
        return p;
    }
};

/// Values in [-1, 1] for each argument, the range that `random_graph` counts on.
template <class T = double>
argument_values<T> random_inputs(unspool::graph const& g, std::uint64_t seed) {
    dice random(seed ^ 0x51ED270B);
    argument_values<T> all;
    for (unspool::ref id : g.arguments) {
        std::vector<T> v(static_cast<std::size_t>(g.dims(id).size()));
        for (T& x : v) x = static_cast<T>(random.uniform(-1, 1));
        all.values.push_back(std::move(v));
    }
    return all;
}

}  // namespace unspool_test
