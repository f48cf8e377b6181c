// SPDX-License-Identifier: BSL-1.0
// Plans of random graphs against the plain evaluator: every place inside of its array, nothing read
// before it is written, kernels free to take their elements in any order.
#include "support/catch.hpp"
#include "support/plan_trial.hpp"

#include <unspool/pass/fuse.hpp>
#include <unspool/pass/hoist.hpp>
#include <unspool/pass/simplify.hpp>

using namespace unspool_test;

namespace {

/// As a program prepares it, except that the seeds decide which passes run.
graph prepared(std::uint64_t seed) {
    graph g = random_subject(seed);
    if (seed % 2 == 0) g = unspool::simplify(g);
    if (seed % 4 == 0) {
        unspool::machine core;
        if (seed % 8 == 0) core.start = 1e6;
        g = unspool::hoist(g, core, sizeof(double));
        g = unspool::fuse(unspool::simplify(g));
    }
    return g;
}

}  // namespace

TEST_CASE("plans of random graphs mean what the graphs mean") {
    int failures = 0;
    int packs = 0;
    int epilogues = 0;
    for (int seed = 0; seed < fuzz_graphs() && failures < 5; ++seed) {
        graph const g = prepared(static_cast<std::uint64_t>(seed));
        auto const at = random_inputs(g, static_cast<std::uint64_t>(seed));
        unspool::plan const p =
            unspool::make_plan(g, seed % 2 == 0 ? unspool::machine{} : eager(), sizeof(double));
        for (unspool::instruction const& i : p.code) {
            packs += i.what == unspool::instruction::kind::pack;
            epilogues += i.epilogue_count > 0;
        }
        std::string const wrong = plan_trial(g, at, p);
        if (wrong.empty()) continue;
        ++failures;
        FAIL_CHECK("seed " << seed << ": " << wrong);
    }
    CHECK(failures == 0);
    CHECK(packs > fuzz_graphs() / 100);
    CHECK(epilogues > fuzz_graphs() / 100);
}
