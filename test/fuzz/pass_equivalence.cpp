// SPDX-License-Identifier: BSL-1.0
// Passes that may change how a graph computes, but not what: each on random graphs and on their
// derivatives, against the plain evaluator.
#include "support/catch.hpp"
#include "support/graph_trial.hpp"

#include <unspool/pass/fuse.hpp>
#include <unspool/pass/hoist.hpp>
#include <unspool/pass/simplify.hpp>
#include <unspool/pass/unroll.hpp>

using namespace unspool_test;

namespace {

/// One line per pass: what it is called, what it does, and what its header promises beside the same
/// results. A new pass is tested by a line here.
struct named_pass {
    char const* name;
    graph (*run)(graph const&);
    promises also;
};

graph hoisted(graph const& g, unspool::machine const& core) {
    return unspool::hoist(unspool::simplify(g), core, sizeof(double));
}

/// A machine on which it pays to move everything out of loops: kernels are dear to start and memory
/// is free. On the default one products as small as these stay where they are.
unspool::machine eager() {
    unspool::machine core;
    core.start = 1e6;
    core.l2_bytes_per_cycle = 1e9;
    return core;
}

named_pass const passes[] = {
    {"simplify", [](graph const& g) { return unspool::simplify(g); }, {.shrinks = true}},
    {"fuse", [](graph const& g) { return unspool::fuse(g); }, {}},
    {"hoist", [](graph const& g) { return hoisted(g, {}); }, {}},
    {"hoist whatever can be", [](graph const& g) { return hoisted(g, eager()); }, {}},
    {"unroll by two", [](graph const& g) { return unspool::unroll(g, 2); }, {}},
    {"unroll fully", [](graph const& g) { return unspool::unroll(g, 4); }, {}},
    {"unroll what is nested", [](graph const& g) { return unspool::unroll_deep(g, 1); }, {}},
    {"all in their order",
     [](graph const& g) {
         return unspool::fuse(unspool::simplify(hoisted(unspool::simplify(g), eager())));
     },
     {}},
};

}  // namespace

TEST_CASE("passes keep what a graph computes") {
    for (named_pass const& pass : passes) {
        int failures = 0;
        for (int seed = 0; seed < fuzz_graphs() && failures < 5; ++seed) {
            graph const g = random_subject(static_cast<std::uint64_t>(seed));
            auto const at = random_inputs(g, static_cast<std::uint64_t>(seed));
            std::string const wrong = equivalence_trial(g, at, pass.run, pass.also);
            if (wrong.empty()) continue;
            ++failures;
            FAIL_CHECK(pass.name << ", seed " << seed << ": " << wrong);
        }
        CHECK(failures == 0);
    }
}
