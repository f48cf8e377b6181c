// SPDX-License-Identifier: BSL-1.0
// Differentiation of random graphs: the adjoint identity, differences, and derivatives of
// derivatives.
#include "support/catch.hpp"
#include "support/graph_trial.hpp"

using namespace unspool_test;

namespace {

/// Runs `trial(seed)` on many seeds and reports the first few that fail.
template <class Trial>
void on_seeds(int count, Trial trial) {
    int failures = 0;
    for (int seed = 0; seed < count && failures < 5; ++seed) {
        std::string const wrong = trial(static_cast<std::uint64_t>(seed));
        if (wrong.empty()) continue;
        ++failures;
        FAIL_CHECK("seed " << seed << ": " << wrong);
    }
    CHECK(failures == 0);
}

}  // namespace

TEST_CASE("vjp and jvp of random graphs are adjoint") {
    on_seeds(fuzz_graphs(), [](std::uint64_t seed) {
        graph const g = random_graph(seed);
        if (char const* wrong = unspool::violation(g)) return std::string(wrong);
        dice random(seed + 1);
        return adjoint_trial(g, random_inputs(g, seed), random_subset(random, g.arguments.size()),
                             random);
    });
}

TEST_CASE("jvp of random smooth graphs agrees with differences") {
    on_seeds(fuzz_graphs() / 4, [](std::uint64_t seed) {
        random_graph_options options;
        options.smooth = true;
        graph const g = random_graph(seed, options);
        dice random(seed + 2);
        return difference_trial(g, random_inputs(g, seed),
                                random_subset(random, g.arguments.size()), random);
    });
}

TEST_CASE("derivatives of derivatives of random graphs are adjoint") {
    on_seeds(fuzz_graphs() / 10, [](std::uint64_t seed) {
        random_graph_options options;
        options.values = 8;
        options.loop_values = 4;
        options.smooth = seed % 2 == 0;
        graph const g = random_graph(seed, options);
        dice random(seed + 3);
        auto const wrt = random_subset(random, g.arguments.size());
        graph const first =
            seed % 3 == 0 ? unspool::jvp(g, wrt) : unspool::vjp(g, {wrt, g.results.size(), true});
        auto const at = random_inputs(first, seed);
        return adjoint_trial(first, at, random_subset(random, first.arguments.size()), random);
    });
}
