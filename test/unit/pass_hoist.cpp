// SPDX-License-Identifier: BSL-1.0
// What leaves a loop and what stays, where the cost model by hand says so.
#include "support/catch.hpp"

#include <unspool/pass/hoist.hpp>

using namespace unspool;

namespace {

/// The only loop of a graph.
struct only_loop {
    graph const& g;
    ref id = none;

    explicit only_loop(graph const& of) : g(of) {
        for (ref i = 0; i < g.size(); ++i)
            if (g.is<op::scan>(i)) id = i;
    }
    op::scan_layout layout() const { return g.layout(id); }
    template <class Op>
    int count() const {
        int n = 0;
        graph const& body = g.body(id);
        for (ref i = 0; i < body.size(); ++i) n += body.is<Op>(i);
        return n;
    }
};

graph after_hoist(graph const& g) { return hoist(g, {}, sizeof(float)); }

/// h ← tanh(h + x_t·W), ten steps: x_t of m × k, W of k × n.
graph driven(int m, int k, int n) {
    graph g;
    graph body;
    ref const w = body.argument(shape::of(k, n));
    ref const h = body.argument(shape::of(m, n));
    ref const x = body.argument(shape::of(m, k));
    body.results.push_back(body.apply<op::tanh>(body.apply<op::add>(h, body.dot(x, w))));
    ref const operands[] = {g.argument(shape::of(k, n)), g.argument(shape::of(m, n)),
                            g.argument(shape::of(10, m, k))};
    ref const loop = g.scan({10, false, 1, 1, 1, 0, 0}, list<ref>(operands, 3), std::move(body));
    g.results.push_back(g.output(loop, 0));
    return g;
}

/// acc ← acc + aᵀ·tanh(b_t) over ten steps, a_t of 1 × m and b_t of 1 × n, with tanh(b_t) stacked
/// as a residual if `saved`.
graph summed(int m, int n, bool saved) {
    graph g;
    graph body;
    ref const acc = body.argument(shape::of(m, n));
    ref const c = body.argument(shape::of(1, n));
    ref const a = body.argument(shape::of(1, m));
    ref const b = body.argument(shape::of(1, n));
    ref const next = body.apply<op::tanh>(body.apply<op::add>(b, c));
    body.results.push_back(body.apply<op::add>(acc, body.dot(a, next, true)));
    body.results.push_back(next);
    if (saved) body.results.push_back(next);
    ref const operands[] = {g.argument(shape::of(m, n)), g.argument(shape::of(1, n)),
                            g.argument(shape::of(10, 1, m)), g.argument(shape::of(10, 1, n))};
    ref const loop =
        g.scan({10, false, 0, 2, 2, saved, saved}, list<ref>(operands, 4), std::move(body));
    for (int k = 0; k < 2 + saved; ++k) g.results.push_back(g.output(loop, k));
    return g;
}

}  // namespace

TEST_CASE("a product of inputs leaves the loop where one tall product is worth its result's way") {
    // One by 16 × 16: 25 + 16 / 1.5 cycles a step inside; outside 8, and 4 to memory and back.
    graph const small = after_hoist(driven(1, 16, 16));
    CHECK(only_loop(small).count<op::dot>() == 0);
    CHECK(only_loop(small).layout().constants == 0);
    CHECK(only_loop(small).layout().inputs == 1);
    // Of 128 × 16 by 16 × 16: as fast inside but for the start, and 512 to and from memory.
    CHECK(only_loop(after_hoist(driven(128, 16, 16))).count<op::dot>() == 1);
    // Of 4 × 16 by 16 × 96: 25 to start, 96 to and from memory.
    CHECK(only_loop(after_hoist(driven(4, 16, 96))).count<op::dot>() == 1);
    // An outer product is no product.
    CHECK(only_loop(after_hoist(driven(1, 1, 16))).count<op::dot>() == 1);
}

TEST_CASE("a sum of products leaves the loop where stacking its factors is worth it") {
    // A step: 25 to start and n / 8 to add up inside; outside n / 4 to and from memory.
    CHECK(only_loop(after_hoist(summed(1, 16, false))).count<op::dot>() == 0);
    CHECK(only_loop(after_hoist(summed(1, 16, false))).layout().carries == 1);
    CHECK(only_loop(after_hoist(summed(1, 512, false))).count<op::dot>() == 1);
    CHECK(only_loop(after_hoist(summed(1, 512, false))).layout().carries == 2);
    // The wider the other factor, the more there is to add up.
    CHECK(only_loop(after_hoist(summed(16, 512, false))).count<op::dot>() == 0);
}

TEST_CASE("residuals stay the last outputs, or are no longer called so") {
    op::scan_layout const kept = only_loop(after_hoist(summed(1, 512, true))).layout();
    CHECK(kept.outputs == 1);
    CHECK(kept.residuals == 1);
    op::scan_layout const stacked = only_loop(after_hoist(summed(1, 16, true))).layout();
    CHECK(stacked.outputs == 1);  // the factor is there already
    CHECK(stacked.residuals == 1);
    op::scan_layout const more = only_loop(after_hoist(summed(1, 16, false))).layout();
    CHECK(more.outputs == 1);
    CHECK(more.residuals == 0);
}

TEST_CASE("equal inputs enter a loop once") {
    graph g;
    graph body;
    ref const c = body.argument(shape::of(2));
    ref in[4];
    for (ref& x : in) x = body.argument(shape::of(2));
    ref sum = c;
    for (ref x : in) sum = body.apply<op::add>(body.apply<op::sin>(sum), x);
    body.results.push_back(sum);
    ref const start = g.argument(shape::of(2));
    ref const x = g.argument(shape::of(3, 2));
    ref const y = g.argument(shape::of(3, 2));
    ref const loop = g.scan({3, false, 0, 1, 4, 0, 0}, {start, x, y, x, y}, std::move(body));
    g.results.push_back(g.output(loop, 0));
    CHECK(only_loop(after_hoist(g)).layout().inputs == 2);
}
