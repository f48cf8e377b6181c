// SPDX-License-Identifier: BSL-1.0
// Which loops are parted into chunks, of how many steps, and that results stay.
#include "laws/pass.hpp"
#include "support/catch.hpp"
#include "support/plan_trial.hpp"

#include <unspool/pass/chunk.hpp>

using namespace unspool_test;
using unspool::shape;

namespace {

/// acc ← acc + xᵀ·tanh(x·W + c), c ← tanh(c) over the steps: x of m × k, W of k × n. What is
/// stacked for the sum is m × n by the step.
graph summed(int steps, int m, int k, int n) {
    graph g;
    graph body;
    ref const w = body.argument(shape::of(k, n));
    ref const acc = body.argument(shape::of(k, n));
    ref const c = body.argument(shape::of(m, n));
    ref const x = body.argument(shape::of(m, k));
    ref const next = body.apply<op::tanh>(body.apply<op::add>(c, body.dot(x, w)));
    body.results = {body.apply<op::add>(acc, body.dot(x, next, true)), body.apply<op::tanh>(c),
                    body.apply<op::multiply>(next, c)};
    unspool::list<ref> const operands{g.argument(shape::of(k, n)), g.argument(shape::of(k, n)),
                                      g.argument(shape::of(m, n)),
                                      g.argument(shape::of(steps, m, k))};
    ref const loop = g.scan({steps, true, 1, 2, 1, 1, 0}, operands, std::move(body));
    for (int i = 0; i < 3; ++i) g.results.push_back(g.output(loop, i));
    return g;
}

/// Steps of the loop within the only loop of a graph, or 0.
int chunk_of(graph const& g) {
    for (graph const& body : g.bodies)
        for (ref id = 0; id < body.size(); ++id)
            if (body.is<op::scan>(id)) return body.layout(id).steps;
    return 0;
}
int chunk_of(int steps, int m, int k, int n) {
    return chunk_of(unspool::chunk(summed(steps, m, k, n), {}, sizeof(float)));
}

}  // namespace

TEST_CASE("a loop whose hoisted arrays leave the cache is parted where they stay") {
    // tanh, 16 × 256 floats: 16 KiB a step, of which half of 1 MiB holds 32.
    CHECK(chunk_of(32, 16, 64, 256) == 0);
    CHECK(chunk_of(64, 16, 64, 256) == 32);
    CHECK(chunk_of(1000, 16, 64, 256) == 25);  // the largest divisor
    CHECK(chunk_of(2048, 16, 64, 256) == 32);
}

TEST_CASE("a loop stays whole where chunks do not pay") {
    CHECK(chunk_of(1009, 16, 64, 256) == 0);  // a prime
    // Two steps' arrays stay, and 512 × 1024 sums would be read and written for every two.
    CHECK(chunk_of(64, 64, 512, 1024) == 0);
    // Nothing leaves this loop: its products are as good inside.
    CHECK(chunk_of(4096, 128, 16, 16) == 0);
}

TEST_CASE("chunks keep results and their order, forward and backward, within what plans hold") {
    graph const g = summed(6, 4, 8, 16);
    graph const parted = unspool::chunk(g, passes::cramped(), sizeof(double));
    REQUIRE(chunk_of(parted) == 0);  // two steps are too much: 2 · 4 · 16 · 2 doubles
    unspool::machine core = passes::cramped();
    core.l2_bytes = 6000;  // 3 · 4 · 16 · 2 doubles twice
    graph const thirds = unspool::chunk(g, core, sizeof(double));
    REQUIRE(chunk_of(thirds) == 2);
    CHECK(rounding_trial(g, random_inputs(g, 1), evaluated(g, random_inputs(g, 1).pointers()),
                         evaluated(thirds, random_inputs(g, 1).pointers())) == "");
    graph const hoisted =
        unspool::fuse(unspool::simplify(unspool::hoist(thirds, core, sizeof(double))));
    CHECK(chunk_of(hoisted) == 2);
    CHECK(plan_trial(g, random_inputs(g, 2), unspool::make_plan(hoisted, {}, sizeof(double))) ==
          "");
}
