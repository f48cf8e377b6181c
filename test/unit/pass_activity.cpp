// SPDX-License-Identifier: BSL-1.0
// Which values a derivative visits, no more and no fewer; through loops, carry by carry.
#include "support/catch.hpp"

#include <unspool/pass/vjp.hpp>

using namespace unspool;

namespace {

using flags = list<char>;

/// Two steps of p ← q·a, q ← q + r, r ← tanh(x_t), k ← k, s ← stop(a); y_t = p, z_t = b.
/// p depends on a at once, q on x after a step and p after two.
struct chain {
    graph g;
    ref a, b, start, x, loop;
    ref out[7];

    chain() {
        shape const s = shape::of(3);
        a = g.argument(s);
        b = g.argument(s);
        start = g.argument(s);
        x = g.argument(s.with_front(2));
        graph body;
        ref const inner_a = body.argument(s);
        ref const inner_b = body.argument(s);
        ref carry[5];
        for (ref& c : carry) c = body.argument(s);
        ref const in = body.argument(s);
        body.results = {body.apply<op::multiply>(carry[1], inner_a),
                        body.apply<op::add>(carry[1], carry[2]),
                        body.apply<op::tanh>(in),
                        carry[3],
                        body.apply<op::stop_gradient>(inner_a),
                        carry[0],
                        inner_b};
        loop = g.scan({2, false, 2, 5, 1, 2, 0}, {a, b, start, start, start, b, b, x},
                      std::move(body));
        for (int k = 0; k < 7; ++k) g.results.push_back(out[k] = g.output(loop, k));
    }
    flags active(flags const& arguments) const { return mark_active(g, arguments).loop[0]; }
    flags useful(flags const& results) const {
        marks const m = mark_back(g, results, through::differentiable);
        return {m.node[a], m.node[b], m.node[start], m.node[x]};
    }
    flags needed(flags const& results) const {
        marks const m = mark_back(g, results, through::everything);
        return {m.node[a], m.node[b], m.node[start], m.node[x]};
    }
};

}  // namespace

TEST_CASE("what depends on an argument is active, carry by carry") {
    chain const c;
    CHECK(c.active({0, 0, 0, 0}) == flags{0, 0, 0, 0, 0, 0, 0});
    CHECK(c.active({1, 0, 0, 0}) == flags{1, 0, 0, 0, 0, 1, 0});
    CHECK(c.active({0, 1, 0, 0}) == flags{0, 0, 0, 1, 1, 0, 1});  // as the start of two carries
    CHECK(c.active({0, 0, 0, 1}) == flags{1, 1, 1, 0, 0, 1, 0});
    CHECK(c.active({0, 0, 1, 0}) == flags{1, 1, 1, 0, 0, 1, 0});
    marks const m = mark_active(c.g, {0, 1, 0, 0});
    CHECK(m.node[c.b]);
    CHECK_FALSE(m.node[c.a]);
    CHECK(m.node[c.out[3]]);
    CHECK_FALSE(m.node[c.out[0]]);
}

TEST_CASE("what a result depends on is useful, through loops and no further than derivatives go") {
    chain const c;
    CHECK(c.useful({0, 0, 0, 0, 0, 0, 0}) == flags{0, 0, 0, 0});
    CHECK(c.useful({1, 0, 0, 0, 0, 0, 0}) == flags{1, 0, 1, 1});
    CHECK(c.useful({0, 1, 0, 0, 0, 0, 0}) == flags{0, 0, 1, 1});
    CHECK(c.useful({0, 0, 1, 0, 0, 0, 0}) == flags{0, 0, 1, 1});
    CHECK(c.useful({0, 0, 0, 1, 0, 0, 0}) == flags{0, 1, 0, 0});
    CHECK(c.useful({0, 0, 0, 0, 1, 0, 0}) == flags{0, 1, 0, 0});
    CHECK(c.useful({0, 0, 0, 0, 0, 1, 0}) == flags{1, 0, 1, 1});
    CHECK(c.useful({0, 0, 0, 0, 0, 0, 1}) == flags{0, 1, 0, 0});
    CHECK(c.needed({0, 0, 0, 0, 1, 0, 0}) == flags{1, 1, 0, 0});
    CHECK(mark_back(c.g, {0, 1, 0, 0, 0, 0, 0}, through::everything).loop[0] ==
          flags{0, 1, 1, 0, 0, 0, 0});
}

TEST_CASE("a condition and indices are needed, but have no derivative") {
    graph g;
    shape const s = shape::of(2);
    ref const c = g.argument(s);
    ref const a = g.argument(s);
    ref const i = g.argument(s);
    ref const table = g.argument(shape::of(4));
    ref const chosen = g.apply<op::select>(c, a, g.gather(i, table));
    g.results.push_back(chosen);
    CHECK_FALSE(mark_active(g, {1, 0, 1, 0}).node[chosen]);
    CHECK(mark_active(g, {0, 1, 0, 0}).node[chosen]);
    CHECK(mark_active(g, {0, 0, 0, 1}).node[chosen]);
    marks const useful = mark_back(g, {1}, through::differentiable);
    CHECK(flags{useful.node[c], useful.node[a], useful.node[i], useful.node[table]} ==
          flags{0, 1, 0, 1});
    marks const needed = mark_back(g, {1}, through::everything);
    CHECK(flags{needed.node[c], needed.node[a], needed.node[i], needed.node[table]} ==
          flags{1, 1, 1, 1});
}

TEST_CASE("arguments that no path reaches are named by their place in the request") {
    chain const c;
    CHECK(unused_arguments(c.g, {{0, 1, 2, 3}, 1, true}) == list<int>{1});
    CHECK(unused_arguments(c.g, {{3, 1, 0}, 3, true}) == list<int>{1});
    CHECK(unused_arguments(c.g, {{0, 1}, 4, true}).empty());
}
