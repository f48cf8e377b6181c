// SPDX-License-Identifier: BSL-1.0
// Plans of random graphs against the plain evaluator: every place inside of its array, nothing read
// before it is written, kernels free to take their elements in any order.
#include "laws/pass.hpp"
#include "support/catch.hpp"
#include "support/plan_trial.hpp"

using namespace unspool_test;

namespace {

/// As a program prepares it, except that the seeds decide which passes run.
graph prepared(std::uint64_t seed) {
    graph g = random_subject(seed);
    if (seed % 2 == 0) g = unspool::simplify(g);
    if (seed % 4 == 0) {
        unspool::machine core;
        if (seed % 8 == 0) core.start = 1e6;
        if (seed % 16 == 0) g = passes::chunk::run(g);
        g = unspool::hoist(g, core, sizeof(double));
        g = unspool::fuse(unspool::simplify(g));
    }
    return g;
}

/// The results of a graph by the plan of all passes.
std::vector<std::vector<double>> planned(graph const& g, argument_values<double> const& at) {
    std::vector<int> sizes;
    for (ref id : g.results) sizes.push_back(g.dims(id).size());
    unspool::plan const p = unspool::make_plan(passes::in_order::run(g), {}, sizeof(double));
    return plan_interpreter(p, element_order::ascending).run(at.values, sizes);
}

}  // namespace

TEST_CASE("plans of random graphs mean what the graphs mean") {
    int packs = 0;
    int epilogues = 0;
    CHECK(on_seeds(fuzz_graphs(), [&](std::uint64_t seed) {
              graph const g = prepared(seed);
              // beside every way of `prepared`
              unspool::machine const core = seed / 24 % 2 == 0 ? unspool::machine{} : eager();
              unspool::plan const p = unspool::make_plan(g, core, sizeof(double));
              for (unspool::instruction const& i : p.code) {
                  packs += i.what == unspool::instruction::kind::pack;
                  epilogues += i.epilogue_count > 0;
              }
              return plan_trial(g, random_inputs(g, seed), p);
          }) == "");
    CHECK(packs > fuzz_graphs() / 100);
    CHECK(epilogues > fuzz_graphs() / 100);
}

TEST_CASE("plans of gradients of random smooth graphs agree with differences") {
    CHECK(on_seeds(fuzz_graphs() / 10, [](std::uint64_t seed) {
              graph const g = random_smooth_graph(seed);
              dice random(seed + 6);
              auto const wrt = random_subset(random, g.arguments.size());
              return gradient_trial(g, random_inputs(g, seed), wrt, random, planned);
          }) == "");
}

TEST_CASE("a reshape shows a part of a value that lies in a concatenation") {
    using unspool::shape;
    graph g;
    ref const y = g.apply<op::exp>(g.argument(shape::of(3, 3)));
    ref const turned = g.reshape(g.slice(y, {0, 0}, shape::of(2, 3)), shape::of(3, 2));
    g.results.push_back(g.concatenate({y, turned}, 1));
    CHECK(plan_trial(g, random_inputs(g, 1)) == "");
}
