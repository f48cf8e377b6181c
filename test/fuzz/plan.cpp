// SPDX-License-Identifier: BSL-1.0
// Plans of random graphs, run element by element, against the plain evaluator: order, fusion, memory
// in turns, values computed where they are wanted.
#include "support/catch.hpp"
#include "support/graph_trial.hpp"
#include "support/plan_interpreter.hpp"

#include <unspool/pass/fuse.hpp>
#include <unspool/pass/hoist.hpp>
#include <unspool/pass/plan.hpp>
#include <unspool/pass/simplify.hpp>

#include <cmath>

using namespace unspool_test;

namespace {

graph planned_subject(std::uint64_t seed) {
    graph g = random_graph(seed);
    dice random(seed + 4);
    auto const wrt = random_subset(random, g.arguments.size());
    if (seed % 3 == 1) g = unspool::jvp(g, wrt);
    if (seed % 3 == 2) g = unspool::vjp(g, {wrt, g.results.size(), true});
    if (seed % 2 == 0) return g;
    return unspool::fuse(
        unspool::simplify(unspool::hoist(unspool::simplify(g), {}, sizeof(double))));
}

std::string plan_trial(graph const& g, std::uint64_t seed) {
    auto const at = random_inputs(g, seed);
    unspool::evaluator<double> plain(g);
    plain.run(at.pointers());
    unspool::plan const p = unspool::make_plan(g, sizeof(double));
    std::vector<std::vector<double>> arguments;
    std::vector<std::size_t> sizes;
    for (int i = 0; i < g.arguments.size(); ++i) {
        double const* x = at.pointers()[i];
        arguments.emplace_back(x, x + g.dims(g.arguments[i]).size());
    }
    for (unspool::ref id : g.results) sizes.push_back(std::size_t(g.dims(id).size()));
    plan_interpreter interpreter(p);
    auto const results = interpreter.run(arguments, sizes);
    for (int k = 0; k < g.results.size(); ++k) {
        double const* expected = plain.result(k);
        double largest = 1;
        for (std::size_t i = 0; i < sizes[std::size_t(k)]; ++i)
            largest = std::max(largest, std::abs(expected[i]));
        for (std::size_t i = 0; i < sizes[std::size_t(k)]; ++i) {
            double const got = results[std::size_t(k)][i];
            if (!(std::abs(got - expected[i]) <= 1e-11 * largest))
                return "result " + std::to_string(k) + " element " + std::to_string(i) + ": " +
                       std::to_string(got) + " instead of " + std::to_string(expected[i]);
        }
    }
    return {};
}

}  // namespace

TEST_CASE("plans compute what their graphs say") {
    int failures = 0;
    for (int seed = 0; seed < fuzz_graphs() && failures < 5; ++seed) {
        graph const g = planned_subject(std::uint64_t(seed));
        std::string wrong;
        try {
            wrong = plan_trial(g, std::uint64_t(seed));
        } catch (std::out_of_range const&) {
            wrong = "an address outside of its array";
        }
        if (wrong.empty()) continue;
        ++failures;
        FAIL_CHECK("seed " << seed << ": " << wrong);
    }
    CHECK(failures == 0);
}
