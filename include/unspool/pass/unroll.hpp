// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/rules.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

/// One step of a body in `target`: `map` gives the body's arguments and receives its results.
constexpr list<ref> inline_body(graph const& body, graph& target, list<ref> const& arguments) {
    list<ref> map(body.size(), none);
    for (int k = 0; k < arguments.size(); ++k) map[body.arguments[k]] = arguments[k];
    copy_needed(body, body.results, target, map);
    list<ref> results;
    for (ref id : body.results) results.push_back(map[id]);
    return results;
}

constexpr ref step_of_sequence(graph& g, ref all, int t) {
    shape const dims = g.dims(all);
    list<int> start(dims.rank, 0);
    start[0] = t;
    shape one = dims;
    one.extent[0] = 1;
    return g.reshape(g.slice(all, start, one), dims.without_front());
}

/// All steps of a loop one after the other, without a loop. What stands for each result.
constexpr list<ref> unroll_fully(graph const& source, ref id, graph& target,
                                 list<ref> const& operands) {
    op::scan_layout const l = source.layout(id);
    graph const& body = source.body(id);
    list<ref> step = operands;
    list<list<ref>> rows(l.outputs, {});
    for (int i = 0; i < l.steps; ++i) {
        int const t = l.reverse ? l.steps - 1 - i : i;
        for (int k = l.first_input(); k < l.operands(); ++k)
            step[k] = step_of_sequence(target, operands[k], t);
        list<ref> const results = inline_body(body, target, step);
        for (int k = 0; k < l.carries; ++k) step[l.first_carry() + k] = results[k];
        for (int k = 0; k < l.outputs; ++k) {
            ref const y = results[l.carries + k];
            rows[k].push_back(target.reshape(y, target.dims(y).with_front(1)));
        }
    }
    list<ref> results(step.data() + l.first_carry(), l.carries);
    for (list<ref>& r : rows) {
        list<ref> in_order;
        for (int t = 0; t < r.size(); ++t) in_order.push_back(r[l.reverse ? r.size() - 1 - t : t]);
        results.push_back(target.concatenate(in_order, 0));
    }
    return results;
}

/// A loop over chunks of `steps` steps, which divide its number: the body is a loop over the steps
/// of a chunk, or those steps one after the other. What stands for each result.
constexpr list<ref> loop_of_chunks(graph const& source, ref id, int steps, graph& target,
                                   list<ref> const& operands, bool unrolled = false) {
    op::scan_layout const l = source.layout(id);
    graph const& body = source.body(id);
    op::scan_layout inner = l;
    inner.steps = steps;
    op::scan_layout outer = l;
    outer.steps = l.steps / steps;

    graph chunk;
    for (int k = 0; k < l.operands(); ++k) {
        shape const dims = body.dims(body.arguments[k]);
        chunk.argument(k < l.first_input() ? dims : dims.with_front(steps));
    }
    graph looped = chunk;
    ref const loop = looped.scan(inner, looped.arguments, body);
    if (unrolled) chunk.results = unroll_fully(looped, loop, chunk, chunk.arguments);
    for (int k = 0; k < l.results() && !unrolled; ++k)
        looped.results.push_back(looped.output(loop, k));

    list<ref> wide = operands;
    for (int k = l.first_input(); k < l.operands(); ++k)
        wide[k] = target.reshape(
            operands[k], body.dims(body.arguments[k]).with_front(steps).with_front(outer.steps));
    ref const scan = target.scan(outer, wide, std::move(unrolled ? chunk : looped));
    list<ref> results;
    for (int k = 0; k < l.results(); ++k) {
        ref const y = target.output(scan, k);
        shape const dims = body.dims(body.results[k]);
        results.push_back(k < l.carries ? y : target.reshape(y, dims.with_front(l.steps)));
    }
    return results;
}

}  // namespace detail

/// Unrolls the loops of a graph by a factor: loops of at most that many steps disappear, of others
/// each step becomes `factor` steps if that divides their number. Inner loops stay. Postcondition:
/// the same results, bit for bit but where a step's constants fold; no more flops. Cost: the body's
/// nodes times the factor.
constexpr graph unroll(graph const& g, int factor) {
    return replace_loops(g, [&](ref id, graph& target, list<ref> const& x) {
        op::scan_layout const l = g.layout(id);
        if (l.steps <= factor) return detail::unroll_fully(g, id, target, x);
        if (factor > 1 && l.steps % factor == 0)
            return detail::loop_of_chunks(g, id, factor, target, x, true);
        ref const loop = target.copy(g, id, x);
        list<ref> results;
        for (int k = 0; k < l.results(); ++k) results.push_back(target.output(loop, k));
        return results;
    });
}

/// How deep loops are nested; 0 without a loop.
constexpr int loop_depth(graph const& g) {
    int deepest = 0;
    for (graph const& body : g.bodies)
        if (int const depth = 1 + loop_depth(body); depth > deepest) deepest = depth;
    return deepest;
}

/// Unrolls the innermost loops where they are nested more than `most` deep. Postcondition: the same
/// results, bit for bit but where a step's constants fold; no more flops; idempotent.
constexpr graph unroll_deep(graph const& g, int most) {
    if (loop_depth(g) <= most) return g;
    return replace_loops(g, [&](ref id, graph& target, list<ref> const& x) {
        graph alone;  // the loop, its body no deeper than it may be
        list<ref> operands;
        for (ref operand : x) operands.push_back(alone.argument(target.dims(operand)));
        ref const loop =
            alone.scan(g.layout(id), operands, unroll_deep(g.body(id), most == 0 ? 0 : most - 1));
        if (most == 0) return detail::unroll_fully(alone, loop, target, x);
        ref const kept = target.copy(alone, loop, x);
        list<ref> results;
        for (int k = 0; k < g.layout(id).results(); ++k) results.push_back(target.output(kept, k));
        return results;
    });
}

}  // namespace v0
}  // namespace unspool
