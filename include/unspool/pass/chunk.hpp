// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/hoist.hpp>
#include <unspool/pass/place.hpp>
#include <unspool/pass/unroll.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

/// How many steps of a loop its hoisted arrays stay in cache for, or 0 if the loop is better left
/// whole: if they stay in cache anyway, if no number of steps in cache divides the loop's, or if
/// the sums after each chunk take longer than what the arrays' way through memory would.
constexpr int chunk_steps(graph const& g, ref loop, machine const& core, int element_bytes) {
    double const steps = g.layout(loop).steps;
    double const room = core.l2_bytes / 2.0;  // residuals and weights pass through it, too
    graph const& body = g.body(loop);
    double most = 0;  // elements that can leave at each step: most loops are done with here
    for (ref id = 0; id < body.size(); ++id)
        for (int k = 0; body.is<op::dot>(id) && k < 2; ++k)
            most += body.dims(id).size() + body.dims(body.operand(id, k)).size();
    if (steps * most * element_bytes <= room) return 0;
    graph scratch;
    list<ref> operands;
    for (int k = 0; k < g[loop].count; ++k)
        operands.push_back(scratch.argument(g.dims(g.operand(loop, k))));
    hoisted_arrays const arrays =
        loop_hoist(g, loop, scratch, std::move(operands), core, element_bytes).arrays();
    double const bytes = arrays.elements * element_bytes;
    if (steps * bytes <= room) return 0;
    int chunk = int(room / bytes);
    while (chunk > 0 && g.layout(loop).steps % chunk != 0) --chunk;
    if (chunk < 2) return 0;
    double const through_memory = 2 * steps * bytes / core.far_bytes_per_cycle;
    double const in_cache = steps / chunk * core.round_trip(chunk * bytes);
    double const sums =
        steps / chunk * (core.start + core.accumulate(arrays.sums, 1, element_bytes));
    return in_cache + sums < through_memory ? chunk : 0;
}

constexpr graph chunk_within(graph const& g, machine const& core, int element_bytes, int depth) {
    if (g.bodies.empty()) return g;
    return replace_loops(g, [&](ref id, graph& target, list<ref> const& x) {
        if (loop_depth(g.body(id)) == 0 && depth + 2 <= max_loops)
            if (int const steps = chunk_steps(g, id, core, element_bytes); steps > 0)
                return loop_of_chunks(g, id, steps, target, x);
        graph body = chunk_within(g.body(id), core, element_bytes, depth + 1);
        ref const loop = target.scan(g.layout(id), x, std::move(body));
        list<ref> results;
        for (int k = 0; k < g.layout(id).results(); ++k) results.push_back(target.output(loop, k));
        return results;
    });
}

}  // namespace detail

/// Parts the innermost loops into chunks of their steps, a loop over loops, where what hoisting
/// would compute for all steps at once does not stay in a second-level cache, and what it would
/// compute for the steps of a chunk does. Precondition: simplified. Postcondition: the same
/// results, bit for bit; no more flops; no deeper than `max_loops` by its doing. Cost: linear in
/// the nodes.
constexpr graph chunk(graph const& g, machine const& core, int element_bytes) {
    return detail::chunk_within(g, core, element_bytes, 0);
}

}  // namespace v0
}  // namespace unspool
