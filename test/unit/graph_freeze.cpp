// SPDX-License-Identifier: BSL-1.0
// Freezing into arrays and thawing back loses nothing, at run time and in constant evaluation.
#include "support/catch.hpp"

#include <unspool/graph/evaluate.hpp>
#include <unspool/graph/freeze.hpp>
#include <unspool/graph/print.hpp>
#include <unspool/graph/verify.hpp>

#include <string>

using namespace unspool;

namespace {

/// A graph with tables, a loop and a loop in it.
struct nested {
    constexpr graph operator()() const {
        graph g;
        double const numbers[] = {0.5, 2};
        ref const x = g.argument(shape::of(3, 2));
        ref const table = g.literal(numbers, shape::of(2));
        graph innermost;
        ref const a = innermost.argument(shape::of(2));
        innermost.results.push_back(
            innermost.apply<op::multiply>(a, innermost.literal(numbers, shape::of(2))));
        graph body;
        ref const c = body.argument(shape::of(2));
        ref const in = body.argument(shape::of(2));
        ref const inner = body.scan({2, true, 0, 1, 0, 0, 0}, {c}, std::move(innermost));
        body.results = {body.apply<op::add>(body.output(inner, 0), in), c};
        ref const loop = g.scan({3, false, 0, 1, 1, 1, 0}, {table, x}, std::move(body));
        g.results = {g.output(loop, 0), g.sum(g.output(loop, 1), {0, 1})};
        return g;
    }
};

struct nothing {
    constexpr graph operator()() const { return {}; }
};

constexpr auto frozen = freeze<nested>();
constexpr graph_sizes sizes = measure(nested{}());

static_assert(sizes.graphs == 3 && sizes.data == 4);
static_assert(violation(thaw(frozen)) == nullptr);

constexpr bool same(list<node> const& a, list<node> const& b) {
    if (a.size() != b.size()) return false;
    for (int i = 0; i < a.size(); ++i)
        if (a[i].code != b[i].code || !(a[i].dims == b[i].dims) || a[i].operands != b[i].operands ||
            a[i].count != b[i].count || a[i].attr != b[i].attr || a[i].attrs != b[i].attrs ||
            a[i].value != b[i].value || a[i].body != b[i].body)
            return false;
    return true;
}
constexpr bool same(graph const& a, graph const& b) {
    if (!same(a.nodes, b.nodes) || !(a.pool == b.pool) || !(a.data == b.data) ||
        !(a.arguments == b.arguments) || !(a.results == b.results) ||
        a.bodies.size() != b.bodies.size())
        return false;
    for (int i = 0; i < a.bodies.size(); ++i)
        if (!same(a.bodies[i], b.bodies[i])) return false;
    return true;
}

static_assert(same(thaw(frozen), nested{}()));

}  // namespace

TEST_CASE("a thawed graph is the graph that was frozen") {
    graph const g = nested{}();
    graph const back = thaw(frozen);
    CHECK(same(g, back));
    CHECK(text(g) == text(back));

    double const x[] = {1, 2, 3, 4, 5, 6};
    evaluator<double> before(g);
    evaluator<double> after(back);
    before.run({x});
    after.run({x});
    CHECK(before.result(1)[0] == after.result(1)[0]);
    CHECK(before.result(0)[1] == after.result(0)[1]);
}

TEST_CASE("an empty graph freezes") {
    constexpr auto empty = freeze<nothing>();
    CHECK(thaw(empty).size() == 0);
    CHECK(text(thaw(empty)).empty());
}

TEST_CASE("a thawed graph of many nodes can still be built on") {
    struct long_chain {
        constexpr graph operator()() const {
            graph g;
            ref x = g.argument(shape::of(2));
            for (int i = 0; i < 100; ++i) x = g.apply<op::tanh>(x);
            g.results.push_back(x);
            return g;
        }
    };
    constexpr auto chain = freeze<long_chain>();
    graph g = thaw(chain);
    int const size = g.size();
    ref const last = g.results[0];
    CHECK(g.apply<op::tanh>(g.operand(last, 0)) == last);
    CHECK(g.size() == size);
    CHECK(g.apply<op::exp>(last) == size);
    CHECK(violation(g) == nullptr);
}
