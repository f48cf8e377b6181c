// SPDX-License-Identifier: BSL-1.0
// The builder: equal nodes are one, what is constant is folded, what changes nothing is left out.
#include "support/catch.hpp"
#include "support/random_graph.hpp"

#include <unspool/graph/evaluate.hpp>
#include <unspool/graph/print.hpp>
#include <unspool/graph/verify.hpp>

#include <limits>

using namespace unspool;

TEST_CASE("a node that exists already is returned") {
    graph g;
    ref const x = g.argument(shape::of(2, 3));
    ref const y = g.argument(shape::of(2, 3));
    CHECK(x != y);
    CHECK(g.apply<op::add>(x, y) == g.apply<op::add>(x, y));
    CHECK(g.apply<op::add>(x, y) != g.apply<op::add>(y, x));
    CHECK(g.apply<op::multiply>(x, y) != g.apply<op::add>(x, y));
    CHECK(g.sum(x, {0}) == g.sum(x, {0}));
    CHECK(g.sum(x, {0}) != g.sum(x, {1}));
    CHECK(g.constant(2) == g.constant(2));
    CHECK(g.constant(2) != g.constant(3));
    CHECK(g.constant(2) != g.constant(2, shape::of(1)));
    CHECK(g.dot(x, y, true, false) == g.dot(x, y, true, false));
    CHECK(g.dot(x, y, true, false) != g.dot(x, y, false, true));
    CHECK(g.slice(x, {0, 1}, shape::of(2, 2)) == g.slice(x, {0, 1}, shape::of(2, 2)));
    CHECK(g.slice(x, {0, 1}, shape::of(2, 2)) != g.slice(x, {0, 0}, shape::of(2, 2)));
    CHECK(violation(g) == nullptr);
}

TEST_CASE("constants are shared by their bits") {
    graph g;
    ref const plus = g.constant(0.0);
    ref const minus = g.constant(-0.0);
    double const nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(plus != minus);
    CHECK(g.constant(nan) == g.constant(nan));
    ref const one = g.constant(1);
    g.results = {g.apply<op::divide>(one, plus), g.apply<op::divide>(one, minus)};
    evaluator<double> e(g);
    e.run({});
    CHECK(*e.result(0) == std::numeric_limits<double>::infinity());
    CHECK(*e.result(1) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("sharing holds over thousands of nodes") {
    graph g;
    ref const x = g.argument({});
    list<ref> made;
    for (int i = 0; i < 3000; ++i) made.push_back(g.apply<op::add>(x, g.constant(i + 0.5)));
    int const size = g.size();
    for (int i = 0; i < 3000; ++i) CHECK(made[i] == g.apply<op::add>(x, g.constant(i + 0.5)));
    CHECK(g.size() == size);
}

TEST_CASE("loops are never shared: each has its own body") {
    graph g;
    ref const x = g.argument(shape::of(2));
    auto const loop = [&] {
        graph body;
        ref const c = body.argument(shape::of(2));
        body.results.push_back(body.apply<op::tanh>(c));
        return g.scan({3, false, 0, 1, 0, 0, 0}, {x}, std::move(body));
    };
    ref const first = loop();
    ref const second = loop();
    CHECK(first != second);
    CHECK(g.output(first, 0) == g.output(first, 0));
    CHECK(g.output(first, 0) != g.output(second, 0));
    CHECK(violation(g) == nullptr);
}

TEST_CASE("identities leave no node behind") {
    graph g;
    shape const s = shape::of(2, 2);
    ref const x = g.argument(s);
    ref const zero = g.constant(0, s);
    ref const one = g.constant(1, s);
    int const size = g.size();
    CHECK(g.apply<op::add>(x, zero) == x);
    CHECK(g.apply<op::add>(zero, x) == x);
    CHECK(g.apply<op::subtract>(x, zero) == x);
    CHECK(g.apply<op::multiply>(x, one) == x);
    CHECK(g.apply<op::multiply>(one, x) == x);
    CHECK(g.apply<op::divide>(x, one) == x);
    CHECK(g.apply<op::select>(one, x, zero) == x);
    CHECK(g.apply<op::select>(zero, zero, x) == x);
    CHECK(g.apply<op::select>(x, one, one) == one);
    CHECK(g.add(x, none) == x);
    CHECK(g.add(none, x) == x);
    CHECK(g.add(none, none) == none);
    CHECK(g.reshape(x, s) == x);
    CHECK(g.transpose(x, {0, 1}) == x);
    CHECK(g.slice(x, {0, 0}, s) == x);
    CHECK(g.pad(x, {0, 0}, s) == x);
    CHECK(g.broadcast(x, {0, 1}, s) == x);
    CHECK(g.concatenate({x}, 0) == x);
    CHECK(g.sum(x, {}) == x);
    CHECK(g.size() == size);
}

TEST_CASE("signs and views fold into what they stand on") {
    graph g;
    shape const s = shape::of(2, 3);
    ref const x = g.argument(s);
    ref const minus = g.apply<op::negate>(x);
    CHECK(g.apply<op::negate>(minus) == x);
    CHECK(g.apply<op::subtract>(g.constant(0, s), x) == minus);
    CHECK(g.apply<op::multiply>(g.constant(-1, s), x) == minus);
    CHECK(g.apply<op::multiply>(x, g.constant(-1, s)) == minus);

    ref const flat = g.reshape(x, shape::of(6));
    CHECK(g.reshape(flat, s) == x);
    CHECK(g.operand(g.reshape(flat, shape::of(3, 2)), 0) == x);
    ref const turned = g.transpose(x, {1, 0});
    CHECK(g.transpose(turned, {1, 0}) == x);
    ref const tall = g.reshape(x, shape::of(1, 2, 3));
    ref const twice = g.transpose(g.transpose(tall, {2, 0, 1}), {2, 0, 1});
    CHECK(g.operand(twice, 0) == tall);
    CHECK(g.dims(twice) == shape::of(2, 3, 1));
    CHECK(violation(g) == nullptr);
}

TEST_CASE("constants fold through arithmetic, views and sums") {
    graph g;
    shape const s = shape::of(2, 3);
    ref const two = g.constant(2, s);
    ref const three = g.constant(3, s);
    CHECK(g.is_constant(g.apply<op::add>(two, three), 5));
    CHECK(g.is_constant(g.apply<op::subtract>(two, three), -1));
    CHECK(g.is_constant(g.apply<op::multiply>(two, three), 6));
    CHECK(g.is_constant(g.apply<op::divide>(three, two), 1.5));
    CHECK(g.is_constant(g.apply<op::negate>(two), -2));
    CHECK(g.is_constant(g.sum(two, {0, 1}), 12));
    CHECK(g.dims(g.sum(two, {0})) == shape::of(3));
    CHECK(g.is_constant(g.reshape(two, shape::of(6)), 2));
    CHECK(g.is_constant(g.transpose(two, {1, 0}), 2));
    CHECK(g.is_constant(g.slice(two, {1, 1}, shape::of(1, 2)), 2));
    CHECK(g.is_constant(g.broadcast(two, {0, 2}, shape::of(2, 4, 3)), 2));
    CHECK(g.dims(g.behind_front(two, 5)) == shape::of(5, 2, 3));

    // Not what would be infinite: that is an error in constant evaluation on some compilers.
    ref const zero = g.constant(0, s);
    CHECK(g.is<op::divide>(g.apply<op::divide>(two, zero)));
    ref const huge = g.constant(1e200, s);
    CHECK(g.is<op::multiply>(g.apply<op::multiply>(huge, huge)));
}

TEST_CASE("a graph copied node by node is the same graph") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        graph const g = unspool_test::random_graph(seed);
        graph copied;
        list<ref> map;
        for (ref id = 0; id < g.size(); ++id) {
            list<ref> operands;
            for (int k = 0; k < g[id].count; ++k) operands.push_back(map[g.operand(id, k)]);
            map.push_back(copied.copy(g, id, operands));
        }
        for (ref id : g.results) copied.results.push_back(map[id]);
        CHECK(violation(copied) == nullptr);
        INFO("seed " << seed);
        CHECK(text(copied) == text(g));
    }
}

TEST_CASE("random graphs are valid, of every operation, and the same for the same seed") {
    list<int> met(op::all::count, 0);
    auto const count = [&](graph const& g, auto const& self) -> void {
        for (node const& n : g.nodes) ++met[n.code];
        for (graph const& body : g.bodies) self(body, self);
    };
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        graph const g = unspool_test::random_graph(seed);
        INFO("seed " << seed);
        REQUIRE(violation(g) == nullptr);
        count(g, count);
        if (seed < 20) CHECK(text(g) == text(unspool_test::random_graph(seed)));
    }
    for (int code = 0; code < op::all::count; ++code) {
        if (code == op::code<op::inspect>) continue;  // copies leave it out
        INFO(op::table<op::name_of>[code]);
        CHECK(met[code] > 0);
    }
}
