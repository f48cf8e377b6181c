// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

/// The rules of all operations as tables over their codes, for passes that walk a graph.
namespace unspool {
inline namespace v0 {
namespace detail {

template <class Op, int K>
constexpr ref derivative_at(graph& g, op::site const& s, ref v) {
    using symbol = op::symbol<graph>;
    auto at = [&](ref id) { return symbol{&g, id}; };
    if constexpr (K >= Op::arity) return none;
    else if constexpr (Op::arity == 1)
        return Op::template derivative<K>(at(v), at(s.x[0]), at(s.y)).id;
    else if constexpr (Op::arity == 2)
        return Op::template derivative<K>(at(v), at(s.x[0]), at(s.x[1]), at(s.y)).id;
    else return Op::template derivative<K>(at(v), at(s.x[0]), at(s.x[1]), at(s.x[2]), at(s.y)).id;
}

template <class Op>
constexpr ref cotangent(graph& g, op::site const& s, int k, ref ct) {
    if constexpr (op::never_differentiable<Op>) {
        return none;
    } else if constexpr (Op::kind == op::family::elementwise) {
        if constexpr (op::first_differentiable<Op>::value == 0)
            if (k == 0) return derivative_at<Op, 0>(g, s, ct);
        if (k == 1) return derivative_at<Op, 1>(g, s, ct);
        if (k == 2) return derivative_at<Op, 2>(g, s, ct);
        return none;
    } else if constexpr (requires { Op::vjp(g, s, k, ct); }) {
        return Op::vjp(g, s, k, ct);
    } else if constexpr (requires { Op::vjp(g, s, ct); }) {
        return Op::vjp(g, s, ct);
    } else {
        return none;
    }
}

template <class Op>
constexpr ref tangent(graph& g, op::site const& s, ref const* v) {
    if constexpr (op::never_differentiable<Op>) {
        return none;
    } else if constexpr (Op::kind == op::family::elementwise) {
        ref total = none;
        if constexpr (op::first_differentiable<Op>::value == 0)
            if (v[0] != none) total = derivative_at<Op, 0>(g, s, v[0]);
        if constexpr (Op::arity > 1)
            if (v[1] != none) total = g.add(total, derivative_at<Op, 1>(g, s, v[1]));
        if constexpr (Op::arity > 2)
            if (v[2] != none) total = g.add(total, derivative_at<Op, 2>(g, s, v[2]));
        return total;
    } else if constexpr (Op::kind == op::family::combine) {
        list<ref> filled;
        for (int k = 0; k < s.count; ++k)
            filled.push_back(v[k] == none ? g.constant(0, g.dims(s.x[k])) : v[k]);
        return Op::jvp(g, s, filled.data());
    } else if constexpr (requires { Op::jvp(g, s, v); }) {
        return Op::jvp(g, s, v);
    } else if constexpr (requires { Op::jvp(g, s, v[0]); }) {
        return Op::jvp(g, s, v[0]);
    } else {
        return none;
    }
}

/// The operation on operands some of which have a new leading axis of n.
template <class Op>
constexpr ref batched(graph& g, op::site const& s, ref const* x, bool const* has_axis, int n) {
    if constexpr (Op::kind == op::family::elementwise || Op::kind == op::family::combine) {
        list<ref> wide;
        for (int k = 0; k < s.count; ++k)
            wide.push_back(has_axis[k] ? x[k] : g.behind_front(x[k], n));
        if constexpr (Op::kind == op::family::elementwise)
            return g.elementwise(op::code<Op>, wide.data(), s.count);
        else return Op::batch(g, s, wide.data(), n);
    } else if constexpr (requires { Op::batch(g, s, x, has_axis, n); }) {
        return Op::batch(g, s, x, has_axis, n);
    } else if constexpr (requires { Op::batch(g, s, x[0], n); }) {
        return Op::batch(g, s, x[0], n);
    } else {
        return none;
    }
}

template <class Op>
struct cotangent_rule {
    static constexpr ref (*value)(graph&, op::site const&, int, ref) = &cotangent<Op>;
};
template <class Op>
struct tangent_rule {
    static constexpr ref (*value)(graph&, op::site const&, ref const*) = &tangent<Op>;
};
template <class Op>
struct batch_rule {
    static constexpr ref (*value)(graph&, op::site const&, ref const*, bool const*,
                                  int) = &batched<Op>;
};

}  // namespace detail

/// The site of node `id` of `source` once its operands and its result exist in another graph.
constexpr op::site site_of(graph const& source, ref id, list<ref> const& x, ref y) {
    op::site s;
    s.dims = source.dims(id);
    s.attr = source.attr(id);
    s.attrs = source[id].attrs;
    s.value = source[id].value;
    s.x = x.data();
    s.count = x.size();
    s.y = y;
    return s;
}

/// The operands of a node, each by its counterpart in another graph.
constexpr list<ref> mapped_operands(graph const& source, ref id, list<ref> const& map) {
    list<ref> x;
    int const count = source[id].count;
    x.reserve(count);
    for (int k = 0; k < count; ++k) x.push_back(map[source.operand(id, k)]);
    return x;
}

/// Copies what `results` need from `source` into `target`, where `map` gives what stands for a
/// value already there (`none`: nothing yet) and receives the rest. Recursion-free.
constexpr void copy_needed(graph const& source, list<ref> const& results, graph& target,
                           list<ref>& map) {
    list<char> needed(source.size(), 0);
    for (ref id : results) needed[id] = 1;
    for (ref id = source.size() - 1; id >= 0; --id) {
        if (!needed[id] || map[id] != none) continue;
        for (int k = 0; k < source[id].count; ++k) needed[source.operand(id, k)] = 1;
    }
    for (ref id = 0; id < source.size(); ++id)
        if (needed[id] && map[id] == none)
            map[id] = target.copy(source, id, mapped_operands(source, id, map));
}

/// A copy of `g` in which others stand for the results of its loops: those that
/// `replace(loop, target, operands)` returns.
template <class F>
constexpr graph replace_loops(graph const& g, F const& replace) {
    graph target;
    list<ref> map(g.size(), none);
    list<list<ref>> loops(g.bodies.size(), {});  // by body, which belongs to one loop
    for (ref id : g.arguments) map[id] = target.argument(g.dims(id));
    for (ref id = 0; id < g.size(); ++id) {
        if (map[id] != none) continue;
        if (g.is<op::output>(id)) map[id] = loops[g[g.operand(id, 0)].body][g.attr(id)[0]];
        else if (g.is<op::scan>(id))
            loops[g[id].body] = replace(id, target, mapped_operands(g, id, map));
        else map[id] = target.copy(g, id, mapped_operands(g, id, map));
    }
    for (ref id : g.results) target.results.push_back(map[id]);
    return target;
}

}  // namespace v0
}  // namespace unspool
