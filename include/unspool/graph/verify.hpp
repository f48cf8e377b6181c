// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

namespace unspool {
inline namespace v0 {

/// What a graph violates, or nullptr: operands come before their users, shapes follow each
/// operation's rule, scans fit their bodies. Run before and after each pass in tests.
constexpr char const* violation(graph const& g);

namespace detail {

constexpr char const* scan_violation(graph const& g, ref id) {
    op::scan_layout const l = g.layout(id);
    node const& n = g[id];
    if (n.body < 0 || n.body >= g.bodies.size()) return "a scan has no body";
    graph const& body = g.body(id);
    if (l.steps < 1) return "a scan has no step";
    if (l.operands() != n.count || l.operands() != body.arguments.size())
        return "a scan's operands are not its body's arguments";
    if (l.results() != body.results.size() || l.residuals > l.outputs)
        return "a scan's results are not its body's";
    for (int k = 0; k < n.count; ++k) {
        shape const inner = body.dims(body.arguments[k]);
        shape const outer = g.dims(g.operand(id, k));
        if (k >= l.first_input() ? !(outer == inner.with_front(l.steps)) : !(outer == inner))
            return "a scan's operand has another shape than its body's argument";
    }
    for (int k = 0; k < l.carries; ++k)
        if (!(body.dims(body.results[k]) == body.dims(body.arguments[l.first_carry() + k])))
            return "a scan's carry changes its shape";
    return violation(body);
}

template <class Op>
constexpr char const* rule_violation(graph const& g, ref id) {
    node const& n = g[id];
    int const* attr = g.attr(id);
    shape x[3];
    for (int k = 0; k < n.count && k < 3; ++k) x[k] = g.dims(g.operand(id, k));
    if constexpr (Op::kind == op::family::elementwise) {
        if (n.count != Op::arity) return "an elementwise operation has the wrong operands";
        for (int k = 0; k < n.count; ++k)
            if (!(x[k] == n.dims)) return "elementwise shapes differ";
    } else if constexpr (Op::kind == op::family::view || Op::kind == op::family::reduction) {
        if (!(Op::infer(x[0], attr, n.attrs) == n.dims)) return "a view or reduction misses its shape";
        if constexpr (std::is_same_v<Op, op::reshape>)
            if (x[0].size() != n.dims.size()) return "a reshape changes the size";
        if constexpr (std::is_same_v<Op, op::broadcast>)
            for (int i = 0; i < x[0].rank; ++i)
                if (x[0].extent[i] != n.dims.extent[attr[i]]) return "a broadcast axis differs";
        if constexpr (std::is_same_v<Op, op::slice>)
            for (int i = 0; i < n.dims.rank; ++i)
                if (attr[i] < 0 || attr[i] + n.dims.extent[i] > x[0].extent[i])
                    return "a slice leaves its operand";
    } else if constexpr (Op::kind == op::family::combine) {
        list<shape> all;
        for (int k = 0; k < n.count; ++k) all.push_back(g.dims(g.operand(id, k)));
        if (!(Op::infer(all.data(), n.count, attr, n.attrs) == n.dims))
            return "a pad or concatenation misses its shape";
    } else if constexpr (Op::kind == op::family::product) {
        if (op::dot::inner(x[0], attr) !=
            x[1].extent[x[1].rank - (attr[1] ? 1 : 2)])
            return "inner extents of a product differ";
        if (!(op::dot::infer(x[0], x[1], attr) == n.dims)) return "a product misses its shape";
    }
    return nullptr;
}

template <class Op>
struct rule_check {
    static constexpr char const* (*value)(graph const&, ref) = &rule_violation<Op>;
};

}  // namespace detail

constexpr char const* violation(graph const& g) {
    constexpr auto checks = op::table<detail::rule_check>;
    for (ref id = 0; id < g.size(); ++id) {
        node const& n = g[id];
        if (n.code < 0 || n.code >= op::all::count) return "an unknown operation";
        for (int k = 0; k < n.count; ++k)
            if (g.operand(id, k) < 0 || g.operand(id, k) >= id) return "an operand comes too late";
        if (g.is<op::output>(id)) {
            ref const loop = g.operand(id, 0);
            if (!g.is<op::scan>(loop) || g.attr(id)[0] >= g.layout(loop).results())
                return "an output without its scan";
        } else if (g.is<op::scan>(id)) {
            if (char const* wrong = detail::scan_violation(g, id)) return wrong;
        } else if (char const* wrong = checks[n.code](g, id)) {
            return wrong;
        }
    }
    for (ref id : g.arguments)
        if (id < 0 || id >= g.size() || !g.is<op::argument>(id)) return "an argument is not one";
    for (ref id : g.results)
        if (id < 0 || id >= g.size() || g.is<op::scan>(id)) return "a result is not a value";
    return nullptr;
}

}  // namespace v0
}  // namespace unspool
