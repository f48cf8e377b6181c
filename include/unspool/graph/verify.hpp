// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

namespace unspool {
inline namespace v0 {

/// What a graph violates, or nullptr: operands come before their users, attributes and shapes
/// follow each operation's rule, scans fit their bodies. Run before and after each pass in tests.
/// It reads nothing outside of the graph, whatever the graph says.
constexpr char const* violation(graph const& g);

namespace detail {

constexpr char const* scan_violation(graph const& g, ref id) {
    node const& n = g[id];
    if (n.body < 0 || n.body >= g.bodies.size()) return "a scan has no body";
    if (n.attrs != op::scan_layout::words) return "a scan has no layout";
    graph const& body = g.body(id);
    if (char const* wrong = violation(body)) return wrong;
    op::scan_layout const l = g.layout(id);
    if (l.steps < 1) return "a scan has no step";
    if (l.constants < 0 || l.carries < 0 || l.inputs < 0 || l.outputs < 0 || l.residuals < 0)
        return "a scan's layout is negative";
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
    return nullptr;
}

constexpr char const* output_violation(graph const& g, ref id) {
    if (g[id].count != 1 || g[id].attrs != 1 || !g.is<op::scan>(g.operand(id, 0)))
        return "an output without its scan";
    ref const loop = g.operand(id, 0);
    op::scan_layout const l = g.layout(loop);
    int const k = g.attr(id)[0];
    if (k < 0 || k >= l.results()) return "an output that its scan does not have";
    shape const step = g.body(loop).dims(g.body(loop).results[k]);
    if (!(g.dims(id) == (k < l.carries ? step : step.with_front(l.steps))))
        return "an output misses its shape";
    return nullptr;
}

constexpr bool increasing_within(int const* axes, int n, int rank) {
    for (int i = 0; i < n; ++i)
        if (axes[i] < 0 || axes[i] >= rank || (i > 0 && axes[i] <= axes[i - 1])) return false;
    return true;
}
/// Whether a block of `inner` from `start` on lies inside of `outer`.
constexpr bool block_within(int const* start, shape const& inner, shape const& outer) {
    for (int i = 0; i < outer.rank; ++i)
        if (start[i] < 0 || start[i] + inner.extent[i] > outer.extent[i]) return false;
    return true;
}
constexpr bool is_permutation_of_axes(int const* axes, int rank) {
    for (int axis = 0; axis < rank; ++axis) {
        int found = 0;
        for (int i = 0; i < rank; ++i) found += axes[i] == axis;
        if (found != 1) return false;
    }
    return true;
}

constexpr char const* concatenation_violation(graph const& g, ref id) {
    node const& n = g[id];
    int const axis = n.attrs == 1 ? g.attr(id)[0] : none;
    if (n.count < 1 || axis < 0 || axis >= n.dims.rank) return "a concatenation has no axis";
    int extent = 0;
    for (int k = 0; k < n.count; ++k) {
        shape part = g.dims(g.operand(id, k));
        if (part.rank != n.dims.rank) return "a concatenation of different ranks";
        extent += part.extent[axis];
        part.extent[axis] = n.dims.extent[axis];
        if (!(part == n.dims)) return "a concatenation's operands differ beside the axis";
    }
    return extent == n.dims.extent[axis] ? nullptr : "a concatenation misses its shape";
}

constexpr char const* product_violation(graph const& g, ref id) {
    node const& n = g[id];
    int const* attr = g.attr(id);
    if (n.count < 2 || n.count > 3 || n.attrs != 2) return "a product has the wrong operands";
    shape const a = g.dims(g.operand(id, 0));
    shape const b = g.dims(g.operand(id, 1));
    if (a.rank < 2 || a.rank != b.rank) return "a product of other than matrices";
    for (int i = 0; i < a.rank - 2; ++i)
        if (a.extent[i] != b.extent[i]) return "a product's batches differ";
    if (op::dot::inner(a, attr) != b.extent[b.rank - (attr[1] ? 1 : 2)])
        return "inner extents of a product differ";
    if (!(op::dot::infer(a, b, attr) == n.dims)) return "a product misses its shape";
    if (n.count == 3 && !(g.dims(g.operand(id, 2)) == n.dims))
        return "a product's addend has another shape";
    return nullptr;
}

template <class Op>
constexpr char const* indexing_violation(graph const& g, ref id) {
    node const& n = g[id];
    constexpr bool scatters = std::is_same_v<Op, op::scatter_add>;
    if (n.count != 2 || n.attrs != (scatters ? 1 : 0)) return "an indexing has the wrong operands";
    shape const index = g.dims(g.operand(id, 0));
    shape const x = g.dims(g.operand(id, 1));
    if (scatters) {
        if (index.rank > x.rank) return "a scatter has fewer rows than indices";
        for (int i = 0; i < index.rank; ++i)
            if (index.extent[i] != x.extent[i]) return "a scatter's rows are not its indices";
    } else if (x.rank < 1 || index.rank + x.rank - 1 > max_rank) {
        return "a gather has no rows";
    }
    return Op::infer(index, x, g.attr(id)) == n.dims ? nullptr : "an indexing misses its shape";
}

template <class Op>
constexpr char const* rule_violation(graph const& g, ref id) {
    node const& n = g[id];
    int const* attr = g.attr(id);
    if constexpr (Op::kind == op::family::source) {
        if (n.count != 0) return "a source has operands";
        if constexpr (std::is_same_v<Op, op::argument>)
            if (!g.arguments.contains(id)) return "an argument is missing among the arguments";
        if constexpr (std::is_same_v<Op, op::literal>)
            if (n.attrs != 1 || attr[0] < 0 || attr[0] + n.dims.size() > g.data.size())
                return "a literal has no numbers";
        return nullptr;
    } else if constexpr (Op::kind == op::family::elementwise) {
        if (n.count != Op::arity) return "an elementwise operation has the wrong operands";
        for (int k = 0; k < n.count; ++k)
            if (!(g.dims(g.operand(id, k)) == n.dims)) return "elementwise shapes differ";
        return nullptr;
    } else if constexpr (Op::kind == op::family::product) {
        return product_violation(g, id);
    } else if constexpr (Op::kind == op::family::indexing) {
        return indexing_violation<Op>(g, id);
    } else if constexpr (std::is_same_v<Op, op::scan>) {
        return scan_violation(g, id);
    } else if constexpr (std::is_same_v<Op, op::output>) {
        return output_violation(g, id);
    } else if constexpr (std::is_same_v<Op, op::concatenate>) {
        return concatenation_violation(g, id);
    } else {
        if (n.count != 1) return "a view, pad or reduction has the wrong operands";
        shape const x = g.dims(g.operand(id, 0));
        shape const& y = n.dims;
        if constexpr (std::is_same_v<Op, op::broadcast>) {
            if (n.attrs != x.rank + y.rank || !increasing_within(attr, x.rank, y.rank))
                return "a broadcast has the wrong axes";
            for (int i = 0; i < x.rank; ++i)
                if (x.extent[i] != y.extent[attr[i]]) return "a broadcast axis differs";
        } else if constexpr (std::is_same_v<Op, op::reshape>) {
            if (x.size() != y.size()) return "a reshape changes the size";
        } else if constexpr (std::is_same_v<Op, op::transpose>) {
            if (n.attrs != x.rank || !is_permutation_of_axes(attr, x.rank))
                return "a transpose has the wrong axes";
        } else if constexpr (std::is_same_v<Op, op::reverse>) {
            if (n.attrs != x.rank) return "a reversal has the wrong axes";
            for (int i = 0; i < n.attrs; ++i)
                if (attr[i] != 0 && attr[i] != 1) return "a reversal has the wrong axes";
        } else if constexpr (std::is_same_v<Op, op::slice>) {
            if (n.attrs != 2 * x.rank || y.rank != x.rank || !block_within(attr, y, x))
                return "a slice leaves its operand";
        } else if constexpr (std::is_same_v<Op, op::pad>) {
            if (n.attrs != 2 * x.rank || y.rank != x.rank || !block_within(attr, x, y))
                return "a pad's operand leaves the result";
        } else if constexpr (Op::kind == op::family::reduction) {
            if (n.attrs < 1 || !increasing_within(attr, n.attrs, x.rank))
                return "a reduction has the wrong axes";
        }
        shape expected;
        if constexpr (Op::kind == op::family::combine) expected = Op::infer(&x, 1, attr, n.attrs);
        else expected = Op::infer(x, attr, n.attrs);
        return expected == y ? nullptr : "a view, pad or reduction misses its shape";
    }
}

template <class Op>
struct rule_check {
    static constexpr char const* (*value)(graph const&, ref) = &rule_violation<Op>;
};

constexpr bool run_within(int first, int count, int size) {
    return first >= 0 && count >= 0 && first <= size - count;
}

}  // namespace detail

constexpr char const* violation(graph const& g) {
    constexpr auto checks = op::table<detail::rule_check>;
    for (ref id = 0; id < g.size(); ++id) {
        node const& n = g[id];
        if (n.code < 0 || n.code >= op::all::count) return "an unknown operation";
        if (!detail::run_within(n.operands, n.count, g.pool.size()) ||
            !detail::run_within(n.attr, n.attrs, g.pool.size()))
            return "operands or attributes lie outside of the pool";
        for (int k = 0; k < n.count; ++k)
            if (g.operand(id, k) < 0 || g.operand(id, k) >= id) return "an operand comes too late";
        for (int k = 0; k < n.count; ++k)
            if (g.is<op::scan>(g.operand(id, k)) && !g.is<op::output>(id))
                return "a scan is read as a value";
        if (n.dims.rank < 0 || n.dims.rank > max_rank) return "a shape of impossible rank";
        for (int i = 0; i < n.dims.rank; ++i)
            if (n.dims.extent[i] < 1) return "a shape without elements";
        if (char const* wrong = checks[n.code](g, id)) return wrong;
    }
    for (int i = 0; i < g.arguments.size(); ++i) {
        ref const id = g.arguments[i];
        if (id < 0 || id >= g.size() || !g.is<op::argument>(id)) return "an argument is not one";
        if (g.arguments.find(id) != i) return "an argument is listed twice";
    }
    for (ref id : g.results)
        if (id < 0 || id >= g.size() || g.is<op::scan>(id)) return "a result is not a value";
    return nullptr;
}

}  // namespace v0
}  // namespace unspool
