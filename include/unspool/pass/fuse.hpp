// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/rules.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

constexpr list<int> count_readers(graph const& g) {
    list<int> readers(g.size(), 0);
    for (ref id = 0; id < g.size(); ++id)
        for (int k = 0; k < g[id].count; ++k) ++readers[g.operand(id, k)];
    for (ref id : g.results) ++readers[id];
    return readers;
}

/// A product whose inner extent is 1 is an elementwise product of broadcasts, which fuses with its
/// neighbours.
constexpr bool is_outer_product(graph const& g, ref id) {
    if (!g.is<op::dot>(id)) return false;
    shape const a = g.dims(g.operand(id, 0));
    return a.rank == 2 && op::dot::inner(a, g.attr(id)) == 1;
}
constexpr ref outer_product(graph& t, list<ref> const& x, shape const& dims) {
    ref const column = t.reshape(x[0], shape::of(dims.extent[0]));
    ref const row = t.reshape(x[1], shape::of(dims.extent[1]));
    ref const y =
        t.apply<op::multiply>(t.broadcast(column, {0}, dims), t.broadcast(row, {1}, dims));
    return x.size() > 2 ? t.add(y, x[2]) : y;
}

/// The product without addend, read by nothing else, that an operand of an addition is, perhaps
/// under another shape; `none` otherwise.
constexpr ref foldable_product(graph const& g, ref id, list<int> const& readers) {
    if (readers[id] != 1) return none;
    if (g.is<op::reshape>(id)) {
        id = g.operand(id, 0);
        if (readers[id] != 1) return none;
    }
    return g.is<op::dot>(id) && g[id].count == 2 && !is_outer_product(g, id) ? id : none;
}

}  // namespace detail

/// Folds additions into the products they follow, as the product's third operand, in all loops; and
/// turns outer products into elementwise ones. Which elementwise operations share a kernel is
/// decided by the plan, from the shapes that remain. Postcondition: the same results up to
/// rounding, no more flops. Not idempotent: where products became one, another run may fold it.
/// Cost: linear.
constexpr graph fuse(graph const& g) {
    list<int> const readers = detail::count_readers(g);
    list<ref> folded(g.size(), none);  // for an addition, the product that takes it in
    list<char> taken(g.size(), 0);
    for (ref id = 0; id < g.size(); ++id) {
        if (!g.is<op::add>(id)) continue;
        for (int k = 1; k >= 0 && folded[id] == none; --k) {
            ref const product = detail::foldable_product(g, g.operand(id, k), readers);
            // The other addend must not come later than the product's operands can wait for.
            if (product == none || taken[product]) continue;
            folded[id] = product;
            taken[product] = 1;
        }
    }
    graph target;
    list<ref> map(g.size(), none);
    for (ref id : g.arguments) map[id] = target.argument(g.dims(id));
    for (ref id = 0; id < g.size(); ++id) {
        if (map[id] != none || taken[id]) continue;
        if (g.is<op::reshape>(id) && taken[g.operand(id, 0)]) continue;
        list<ref> const x = mapped_operands(g, id, map);
        if (ref const product = folded[id]; product != none) {
            ref const first = g.operand(id, 0);
            bool const left = first == product || (g.is<op::reshape>(first) && map[first] == none);
            ref const addend = target.reshape(x[left ? 1 : 0], g.dims(product));
            list<ref> const factors = mapped_operands(g, product, map);
            int const* flags = g.attr(product);
            map[id] = target.reshape(
                target.dot(factors[0], factors[1], flags[0] != 0, flags[1] != 0, addend),
                g.dims(id));
        } else if (detail::is_outer_product(g, id)) {
            map[id] = detail::outer_product(target, x, g.dims(id));
        } else if (g.is<op::scan>(id)) {
            map[id] = target.scan(g.layout(id), x, fuse(g.body(id)));
        } else {
            map[id] = target.copy(g, id, x);
        }
    }
    for (ref id : g.results) target.results.push_back(map[id]);
    return target;
}

}  // namespace v0
}  // namespace unspool
