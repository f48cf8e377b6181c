// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

/// Which values a derivative has to visit: those that depend on what is differentiated with respect
/// to (active) and on which what is differentiated depends (useful), through differentiable
/// operations; and which values results need at all. Loops are followed to their fixed point, carry
/// by carry.
namespace unspool {
inline namespace v0 {

/// A flag for each node, and for each scan (by its body's index) a flag for each of its results.
struct marks {
    list<char> node;
    list<list<char>> loop;
};

/// What a dependency is followed through.
enum class through { differentiable, everything };

namespace detail {

constexpr bool passes_derivative(graph const& g, ref id) {
    return op::table<op::is_differentiable>[g[id].code];
}

constexpr int first_differentiable_operand(graph const& g, ref id) {
    return op::table<op::first_differentiable>[g[id].code];
}

constexpr list<char> active_loop_results(graph const& body, op::scan_layout const& l,
                                         list<char> operands);

}  // namespace detail

/// Forward: `arguments[i]` says whether argument i is differentiated with respect to.
constexpr marks mark_active(graph const& g, list<char> const& arguments) {
    marks m;
    m.node.resize(g.size(), 0);
    m.loop.resize(g.bodies.size(), {});
    for (int i = 0; i < g.arguments.size(); ++i) m.node[g.arguments[i]] = arguments[i];
    for (ref id = 0; id < g.size(); ++id) {
        if (g.is<op::scan>(id)) {
            list<char> operands;
            for (int k = 0; k < g[id].count; ++k) operands.push_back(m.node[g.operand(id, k)]);
            m.loop[g[id].body] = detail::active_loop_results(g.body(id), g.layout(id), operands);
        } else if (g.is<op::output>(id)) {
            m.node[id] = m.loop[g[g.operand(id, 0)].body][g.attr(id)[0]];
        } else if (detail::passes_derivative(g, id)) {
            for (int k = detail::first_differentiable_operand(g, id); k < g[id].count; ++k)
                if (m.node[g.operand(id, k)]) m.node[id] = 1;
        }
    }
    return m;
}

namespace detail {

constexpr list<char> active_loop_results(graph const& body, op::scan_layout const& l,
                                         list<char> operands) {
    for (;;) {
        marks const inside = mark_active(body, operands);
        bool changed = false;
        for (int k = 0; k < l.carries; ++k) {
            char& at = operands[l.first_carry() + k];
            if (!at && inside.node[body.results[k]]) {
                at = 1;
                changed = true;
            }
        }
        if (changed) continue;
        list<char> results;
        for (int k = 0; k < l.results(); ++k) {
            bool const carried = k < l.carries && operands[l.first_carry() + k];
            results.push_back(carried || inside.node[body.results[k]]);
        }
        return results;
    }
}

struct marked_loop {
    list<char> results;   ///< of the body: those given, and the carries they depend on
    list<char> operands;  ///< of the body
};
constexpr marked_loop mark_back_through(graph const& body, op::scan_layout const& l,
                                        list<char> results, through what);

}  // namespace detail

/// Backward from the results that `results` flags, through what a derivative passes or through
/// everything.
constexpr marks mark_back(graph const& g, list<char> const& results, through what) {
    marks m;
    m.node.resize(g.size(), 0);
    m.loop.resize(g.bodies.size(), {});
    for (ref id = 0; id < g.size(); ++id)
        if (g.is<op::scan>(id)) m.loop[g[id].body].resize(g.layout(id).results(), 0);
    for (int i = 0; i < g.results.size(); ++i)
        if (results[i]) m.node[g.results[i]] = 1;
    for (ref id = g.size() - 1; id >= 0; --id) {
        if (g.is<op::output>(id)) {
            if (m.node[id]) m.loop[g[g.operand(id, 0)].body][g.attr(id)[0]] = 1;
        } else if (g.is<op::scan>(id)) {
            list<char>& wanted = m.loop[g[id].body];
            detail::marked_loop found =
                detail::mark_back_through(g.body(id), g.layout(id), wanted, what);
            for (int k = 0; k < g[id].count; ++k)
                if (found.operands[k]) m.node[g.operand(id, k)] = 1;
            wanted = std::move(found.results);
        } else if (m.node[id]) {
            bool const everything = what == through::everything;
            if (!everything && !detail::passes_derivative(g, id)) continue;
            int const first = everything ? 0 : detail::first_differentiable_operand(g, id);
            for (int k = first; k < g[id].count; ++k) m.node[g.operand(id, k)] = 1;
        }
    }
    return m;
}

namespace detail {

constexpr marked_loop mark_back_through(graph const& body, op::scan_layout const& l,
                                        list<char> results, through what) {
    for (;;) {
        marks const inside = mark_back(body, results, what);
        bool changed = false;
        for (int k = 0; k < l.carries; ++k)
            if (!results[k] && inside.node[body.arguments[l.first_carry() + k]]) {
                results[k] = 1;
                changed = true;
            }
        if (changed) continue;
        marked_loop found{results, {}};
        for (int k = 0; k < l.operands(); ++k) {
            int const carry = k - l.first_carry();
            bool const final_value = carry >= 0 && carry < l.carries && results[carry];
            found.operands.push_back(final_value || inside.node[body.arguments[k]]);
        }
        return found;
    }
}

}  // namespace detail
}  // namespace v0
}  // namespace unspool
