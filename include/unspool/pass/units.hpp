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
            int at = none;
            for (int i = 0; i < found.size() && at == none; ++i)
                if (found[i].group && found[i].level == level[id] && found[i].space == space[id])
                    at = i;
            if (at == none) {
                at = found.size();
                found.push_back({{}, space[id], true, level[id]});
            }
            found[at].members.push_back(id);
            u.of[id] = at;
        } else {
            u.of[id] = found.size();
            found.push_back({{id}, {}, false, level[id]});
        }
    }
    // At one level groups come first: they read units of lower levels, the others read them.
    int deepest = 0;
    for (unit const& x : found)
        if (x.level > deepest) deepest = x.level;
    list<int> position(found.size(), none);
    for (int at = 0; at <= deepest; ++at)
        for (bool group : {true, false})
            for (int i = 0; i < found.size(); ++i)
                if (found[i].level == at && found[i].group == group) {
                    position[i] = u.all.size();
                    u.all.push_back(found[i]);
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
