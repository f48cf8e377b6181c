// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/cost.hpp>
#include <unspool/pass/units.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

/// Finds, for each group, a product that nothing else reads, and of which the group reads column
/// blocks of its own shape: a layer's activation, the gates of an LSTM.
class epilogue_search {
public:
    constexpr epilogue_search(graph const& g, units const& u, list<char> const& copied)
        : g_(g), u_(u), copied_(copied), reader_(g.size(), unread), groups_(g.size(), 0) {
        for (ref id = 0; id < g.size(); ++id) {
            if (u.of[id] == none) continue;
            for (int k = 0; k < g[id].count; ++k) read(id, g.operand(id, k));
        }
        for (ref id : g.results) reader_[behind_views(g, id)] = several;
    }
    /// The group that alone reads a product, or `none`.
    constexpr int reader(ref id) const { return reader_[id] >= 0 ? reader_[id] : none; }
    constexpr int groups(ref id) const { return groups_[id]; }

private:
    enum : int { unread = -1, several = -2 };
    graph const& g_;
    units const& u_;
    list<char> const& copied_;
    list<int> reader_, groups_;

    constexpr bool can_have_epilogue(ref id) const {
        if (!g_.is<op::dot>(id) || g_.dims(id).rank != 2) return false;
        // A column has its lanes along rows; a transposed B of few rows is read by dot products.
        shape const dims = g_.dims(id);
        return dims.extent[1] > 1 && (!g_.attr(id)[1] || dims.extent[0] > 3);
    }
    constexpr void read(ref by, ref operand) {
        ref const x = behind_views(g_, operand);
        if (!can_have_epilogue(x) || reader_[x] == several) return;
        unit const& u = u_.all[u_.of[by]];
        int const blocks = u.group ? blocks_of(x, operand, u.space) : 0;
        bool const first = reader_[x] == unread;
        if (blocks == 0 || (!first && (reader_[x] != u_.of[by] || groups_[x] != blocks))) {
            reader_[x] = several;
            return;
        }
        reader_[x] = u_.of[by];
        groups_[x] = blocks;
    }
    /// Of how many equal column blocks of a product a view shows one, as (rows, columns of a
    /// block); 0 if it shows anything else.
    constexpr int blocks_of(ref product, ref view, shape const& space) const {
        for (ref id = view; id != product; id = g_.operand(id, 0))
            if (copied_[id]) return 0;
        shape const whole = g_.dims(product);
        int const n = whole.extent[1];
        int const width = space.rank > 0 ? space.extent[space.rank - 1] : 1;
        if (width < 2 || n % width != 0) return 0;
        if (space != squeezed(shape::of(whole.extent[0], width))) return 0;
        place const p = place_of_view(g_, view, product, place::row_major(0, whole));
        shape const shown = g_.dims(view);
        if (!p.exists() || p.offset % width != 0 || squeezed(shown) != space) return 0;
        int wanted = 1;
        for (int axis = shown.rank - 1; axis >= 0; --axis) {
            if (shown.extent[axis] == 1) continue;
            if (p.step[axis] != wanted) return 0;
            wanted = n;
        }
        return n / width;
    }
};

}  // namespace detail

/// Lets a group take the results of a product from registers where that pays: the product becomes
/// part of the group's unit. Not where blocks would have to be padded by more than the trip of the
/// results through memory costs.
constexpr void fuse_epilogues(graph const& g, units& u, list<char> const& copied,
                              machine const& core, int element_bytes) {
    detail::epilogue_search const found(g, u, copied);
    for (ref id = g.size() - 1; id >= 0; --id) {
        int const reader = g.is<op::dot>(id) ? found.reader(id) : none;
        if (reader == none || u.all[reader].product != none) continue;
        shape const dims = g.dims(id);
        int const groups = found.groups(id);
        int const k = op::dot::inner(g.dims(g.operand(id, 0)), g.attr(id));
        if (!core.epilogue_pays(dims.extent[0], dims.extent[1], k, groups, element_bytes)) continue;
        u.all[u.of[id]].members = {};
        u.of[id] = reader;
        u.all[reader].product = id;
        u.all[reader].product_groups = groups;
    }
}

}  // namespace v0
}  // namespace unspool
