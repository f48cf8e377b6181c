// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/place.hpp>

namespace unspool {
inline namespace v0 {

/// What runs as one kernel: a group of elementwise operations over one iteration space, or a single
/// other operation.
struct unit {
    list<ref> members;
    shape space;  ///< of a group: the shape without axes of extent 1
    bool group = false;
    int level = 0;
    ref product = none;      ///< of a group: the product whose results it takes from registers
    int product_groups = 1;  ///< …and of how many column blocks they are
};

/// The units of a graph, in an order in which they can run.
struct units {
    list<unit> all;
    list<int> of;       ///< for each value, the unit that computes it, or `none`
    list<char> stored;  ///< values that must lie in memory: read by another unit, or results
};

namespace detail {

/// A view that changes nothing but axes of extent 1: the same element at the same index.
constexpr bool is_relabelling(graph const& g, ref id) {
    return (g.is<op::reshape>(id) || g.is<op::broadcast>(id)) &&
           squeezed(g.dims(id)) == squeezed(g.dims(g.operand(id, 0)));
}
constexpr ref behind_relabelling(graph const& g, ref id) {
    while (is_relabelling(g, id)) id = g.operand(id, 0);
    return id;
}
/// The value whose memory a view shows.
constexpr ref behind_views(graph const& g, ref id) {
    while (g.kind(id) == op::family::view) id = g.operand(id, 0);
    return id;
}

template <class Op>
struct view_of {
    static constexpr op::axes none_of(shape const&, int const*) { return {}; }
    static constexpr op::axes (*value)(shape const&, int const*) = [] {
        if constexpr (requires { &Op::view; }) return &Op::view;
        else return &none_of;
    }();
};
/// Where a view lies whose operand lies at `from`; unplaced if no strides can express it.
constexpr place place_of_view(graph const& g, ref id, place const& from) {
    constexpr auto views = op::table<view_of>;
    shape const x = g.dims(g.operand(id, 0));
    if (g.is<op::reshape>(id)) return reshaped(from, x, g.dims(id));
    return viewed(views[g[id].code](x, g.attr(id)), from, x, g.dims(id));
}
/// …whose source, some views behind it, lies there.
constexpr place place_of_view(graph const& g, ref id, ref source, place const& from) {
    if (id == source) return from;
    place const operand = place_of_view(g, g.operand(id, 0), source, from);
    return operand.exists() ? place_of_view(g, id, operand) : operand;
}

/// Units in the order of their numbers, chained by level: groups apart from others.
class chains {
public:
    constexpr int levels() const { return level_.size(); }
    constexpr int groups(int level) const {
        return level < levels() ? level_[level].first[1] : none;
    }
    constexpr int singles(int level) const { return level_[level].first[0]; }
    constexpr int behind(int unit) const { return next_[unit]; }
    constexpr void add_group(int level) { add(level, 1); }
    constexpr void add_single(int level) { add(level, 0); }

private:
    struct ends {
        int first[2] = {none, none};
        int last[2] = {none, none};
    };
    list<ends> level_;
    list<int> next_;

    constexpr void add(int level, int kind) {
        level_.resize(level < levels() ? levels() : level + 1);
        ends& e = level_[level];
        int const unit = next_.size();
        next_.push_back(none);
        (e.last[kind] == none ? e.first[kind] : next_[e.last[kind]]) = unit;
        e.last[kind] = unit;
    }
};

}  // namespace detail

/// Groups elementwise operations. Two of them share a kernel if they have the same iteration space
/// and no path from one to the other leaves the group: their levels, which grow along each path
/// that leaves an iteration space or passes another kind of unit, are equal.
/// `copied` flags views that must be made arrays, which are units too.
constexpr units find_units(graph const& g, list<char> const& copied) {
    units u;
    u.of.resize(g.size(), none);
    u.stored.resize(g.size(), 0);
    list<int> level(g.size(), 0);
    list<unit> found;
    detail::chains by_level;
    list<shape> space;
    for (ref id = 0; id < g.size(); ++id) {
        bool const elementwise = g.kind(id) == op::family::elementwise;
        space.push_back(elementwise ? squeezed(g.dims(id)) : shape{});
        if (g.kind(id) == op::family::source) continue;
        for (int k = 0; k < g[id].count; ++k) {
            ref const operand = g.operand(id, k);
            ref const x = elementwise ? detail::behind_relabelling(g, operand) : operand;
            bool const x_elementwise = g.kind(x) == op::family::elementwise;
            int at = level[x];
            if (elementwise) {
                bool const same = x_elementwise && space[x] == space[id];
                if (!same && g.kind(x) != op::family::source) ++at;
            }
            if (at > level[id]) level[id] = at;
        }
        // A value seen through a real view is read at other indices: a later kernel.
        if (g.kind(id) == op::family::view && !copied[id]) continue;
        if (elementwise) {
            int at = by_level.groups(level[id]);
            while (at != none && found[at].space != space[id]) at = by_level.behind(at);
            if (at == none) {
                at = found.size();
                found.push_back({{}, space[id], true, level[id]});
                by_level.add_group(level[id]);
            }
            found[at].members.push_back(id);
            u.of[id] = at;
        } else {
            u.of[id] = found.size();
            found.push_back({{id}, {}, false, level[id]});
            by_level.add_single(level[id]);
        }
    }
    // At one level groups come first: they read units of lower levels, the others read them.
    list<int> position(found.size(), none);
    u.all.reserve(found.size());
    auto take = [&](int first) {
        for (int i = first; i != none; i = by_level.behind(i)) {
            position[i] = u.all.size();
            u.all.push_back(std::move(found[i]));
        }
    };
    for (int at = 0; at < by_level.levels(); ++at) {
        take(by_level.groups(at));
        take(by_level.singles(at));
    }
    for (int& i : u.of)
        if (i != none) i = position[i];

    auto store = [&](ref id) {
        if (!copied[id]) {
            while (g.kind(id) == op::family::view && !copied[id]) id = g.operand(id, 0);
        }
        u.stored[id] = 1;
    };
    for (ref id = 0; id < g.size(); ++id) {
        if (u.of[id] == none) continue;
        bool const group = u.all[u.of[id]].group;
        for (int k = 0; k < g[id].count; ++k) {
            ref const operand = g.operand(id, k);
            ref const x = group ? detail::behind_relabelling(g, operand) : operand;
            if (!(group && u.of[x] == u.of[id])) store(x);
        }
    }
    for (ref id : g.results) store(id);
    return u;
}

}  // namespace v0
}  // namespace unspool
