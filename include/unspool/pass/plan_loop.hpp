// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/plan.hpp>

/// The part of the planner that lays out loops.
namespace unspool {
inline namespace v0 {
namespace detail {

/// Whether the new value of carry k may overwrite the old one: every kernel that reads the old
/// value runs before the one that writes the new, or is that one and reads at the index it writes.
constexpr bool planner::can_update_in_place(graph const& body, op::scan_layout const& l, int k,
                                            units const& u) {
    ref const before = body.arguments[l.first_carry() + k];
    ref const after = body.results[k];
    op::family const kind = body.kind(after);
    if (kind != op::family::elementwise && kind != op::family::product) return false;
    for (int i = 0; i < body.results.size(); ++i) {
        if (behind_views(body, body.results[i]) == before) return false;
        if (i != k && i < l.carries && body.results[i] == after) return false;
    }
    int const writer = u.of[after];
    for (ref id = 0; id < body.size(); ++id) {
        int const reader = u.of[id];
        if (reader == none || reader < writer) continue;
        for (int i = 0; i < body[id].count; ++i) {
            ref const x = body.operand(id, i);
            if (behind_views(body, x) != before) continue;
            bool const addend = id == after && kind == op::family::product && i == 2;
            // A product of the same unit reads its factors at every element.
            bool const aligned = reader == writer && behind_relabelling(body, x) == before &&
                                 (body.kind(id) == op::family::elementwise || addend);
            if (!aligned) return false;
        }
    }
    return true;
}

constexpr planner::carry_memory planner::place_carry(frame& f, ref id, int k, units const& u,
                                                     list<place>& stacked) {
    graph const& g = f.g;
    graph const& body = g.body(id);
    op::scan_layout const l = g.layout(id);
    ref const argument = body.arguments[l.first_carry() + k];
    shape const dims = body.dims(argument);
    int const size = dims.size();
    carry_memory m;

    // Stacked anyway: steps + 1 slots, of which a step reads one and writes the next.
    int now = none;   // the output that stacks values after each step
    int then = none;  // the output that stacks values before each step
    for (int j = l.carries; j < l.results(); ++j) {
        ref const out = output_node(f, id, j);
        if (out == none || f.home[out].exists() || stacked[j].exists()) continue;
        if (body.results[j] == body.results[k]) now = j;
        else if (body.results[j] == argument) then = j;
    }
    if (now != none || then != none) {
        place const all = new_buffer(dims.with_front(l.steps + 1));
        place later = all;
        later.offset += size;
        place const& old_values = l.reverse ? later : all;
        place const& new_values = l.reverse ? all : later;
        if (now != none) stacked[now] = new_values;
        if (then != none) stacked[then] = old_values;
        m.before = at_step(old_values, dims.rank + 1, f.depth);
        m.after = at_step(new_values, dims.rank + 1, f.depth);
        m.start = m.last = place::row_major(all.base, dims);
        (l.reverse ? m.start : m.last).offset += l.steps * size;
        return m;
    }
    if (can_update_in_place(body, l, k, u)) {
        ref const out = output_node(f, id, k);
        bool const wanted = out != none && f.home[out].exists() && f.home[out].is_row_major(dims);
        m.start = wanted ? f.home[out] : new_buffer(dims);
        m.before = m.after = m.last = m.start;
        return m;
    }
    // Two slots that change roles at each step.
    place const both = new_buffer(dims.with_front(2));
    m.start = place::row_major(both.base, dims);
    m.before = m.start;
    m.before.loop_flip[f.depth] = size;
    m.after = m.start;
    m.after.offset += size;
    m.after.loop_flip[f.depth] = -size;
    m.last = m.start;
    m.last.offset += l.steps % 2 * size;
    return m;
}

/// Loop constants that products of the body read as B are packed before the loop where that pays.
constexpr list<place> planner::pack_constants(frame& f, graph const& body, op::scan_layout const& l,
                                              list<place> const& arguments, units const& u) {
    list<place> packed(body.size(), place{});
    for (ref id = 0; id < body.size(); ++id) {
        if (u.of[id] == none || !body.is<op::dot>(id) || body.dims(id).rank != 2) continue;
        ref const b = body.operand(id, 1);
        ref const source = behind_views(body, b);
        int constant = 0;
        while (constant < l.constants && body.arguments[constant] != source) ++constant;
        if (constant == l.constants) continue;
        place const from =
            swapped(place_of_view(body, b, source, arguments[constant]), 2, body.attr(id)[1]);
        shape const dims = body.dims(id);
        shape const factor = shape::of(
            op::dot::inner(body.dims(body.operand(id, 0)), body.attr(id)), dims.extent[1]);
        if (!from.exists() || from.is_uniform() ||
            !core_.packing_pays(dims.extent[0], factor.extent[1], factor.extent[0], l.steps,
                                bytes_))
            continue;
        unit const& reader = u.all[u.of[id]];
        int const groups = reader.product == id ? reader.product_groups : 1;
        place const room =
            new_buffer(shape::of(factor.extent[0], core_.padded(factor.extent[1], groups, bytes_)));
        packed[id] = place::row_major(room.base, factor);
        memory_.advance();
        instruction& i = emit(f, instruction::kind::pack, factor);
        i.groups = groups;
        emit_places(i, {packed[id], from});
    }
    return packed;
}

constexpr void planner::loop(frame& f, ref id) {
    graph const& g = f.g;
    graph const& body = g.body(id);
    op::scan_layout const l = g.layout(id);

    list<place> arguments(l.operands(), place{});
    for (int k = 0; k < l.operands(); ++k) {
        shape const dims = body.dims(body.arguments[k]);
        if (k < l.constants) arguments[k] = where(f, g.operand(id, k));
        else if (k >= l.first_input())
            arguments[k] = at_step(where(f, g.operand(id, k)), dims.rank + 1, f.depth);
        else arguments[k] = place::row_major(0, dims);  // strides are all that matters here
    }
    units u = units_of(body, arguments);
    list<place> packed = pack_constants(f, body, l, arguments, u);

    list<place> stacked(l.results(), place{});
    list<carry_memory> carries;
    for (int k = 0; k < l.carries; ++k) {
        carries.push_back(place_carry(f, id, k, u, stacked));
        carry_memory const& m = carries.back();
        ref const start = g.operand(id, l.first_carry() + k);
        copy(f, m.start, where(f, start), g.dims(start));
        arguments[l.first_carry() + k] = m.before;
    }
    list<place> wanted;
    for (carry_memory const& m : carries) wanted.push_back(m.after);
    for (int j = l.carries; j < l.results(); ++j) {
        ref const out = output_node(f, id, j);
        shape const dims = body.dims(body.results[j]);
        if (out != none && !stacked[j].exists())
            stacked[j] = f.home[out].exists() ? f.home[out] : new_buffer(dims.with_front(l.steps));
        wanted.push_back(out == none ? place{} : at_step(stacked[j], dims.rank + 1, f.depth));
    }

    memory_.advance();
    int const at = plan_.code.size();
    instruction& head = emit(f, instruction::kind::loop, {});
    head.steps = l.steps;
    head.reverse = l.reverse;
    // The loop's arrays live from its first step to its last, whichever instruction uses them.
    for (place const& p : arguments) touch(p);
    for (place const& p : wanted) touch(p);
    memory_.open_region();
    region(body, arguments, wanted, std::move(u), std::move(packed), f.depth + 1,
           f.trips * l.steps);
    memory_.close_region();
    plan_.code[at].end = plan_.code.size();

    for (int k = 0; k < l.results(); ++k) {
        ref const out = output_node(f, id, k);
        if (out != none) f.at[out] = k < l.carries ? carries[k].last : stacked[k];
    }
}

}  // namespace detail

constexpr plan make_plan(graph const& g, machine const& core, int element_bytes) {
    return detail::planner(g, core, element_bytes).take();
}

}  // namespace v0
}  // namespace unspool
