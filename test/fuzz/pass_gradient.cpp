// SPDX-License-Identifier: BSL-1.0
// Differentiation of random graphs: the adjoint identity, differences for both modes, and
// derivatives of derivatives.
#include "support/catch.hpp"
#include "support/graph_trial.hpp"

using namespace unspool_test;

TEST_CASE("vjp and jvp of random graphs are adjoint") {
    CHECK(on_seeds(fuzz_graphs(), [](std::uint64_t seed) {
              graph const g = random_graph(seed);
              if (char const* wrong = unspool::violation(g)) return std::string(wrong);
              dice random(seed + 1);
              return adjoint_trial(g, random_inputs(g, seed),
                                   random_subset(random, g.arguments.size()), random);
          }) == "");
}

TEST_CASE("jvp of random smooth graphs agrees with differences") {
    CHECK(on_seeds(fuzz_graphs() / 4, [](std::uint64_t seed) {
              graph const g = random_smooth_graph(seed);
              dice random(seed + 2);
              return difference_trial(g, random_inputs(g, seed),
                                      random_subset(random, g.arguments.size()), random);
          }) == "");
}

TEST_CASE("vjp of random smooth graphs agrees with differences") {
    CHECK(on_seeds(fuzz_graphs() / 4, [](std::uint64_t seed) {
              graph const g = random_smooth_graph(seed);
              dice random(seed + 5);
              return gradient_trial(g, random_inputs(g, seed),
                                    random_subset(random, g.arguments.size()), random,
                                    [](graph const& pulled, argument_values<double> const& at) {
                                        return evaluated(pulled, at.pointers());
                                    });
          }) == "");
}

TEST_CASE("derivatives of derivatives of random graphs are adjoint") {
    CHECK(on_seeds(fuzz_graphs() / 10, [](std::uint64_t seed) {
              random_graph_options options;
              options.values = 8;
              options.loop_values = 4;
              options.smooth = seed % 2 == 0;
              graph const g = random_graph(seed, options);
              dice random(seed + 3);
              auto const wrt = random_subset(random, g.arguments.size());
              graph const first = seed % 3 == 0 ? unspool::jvp(g, wrt)
                                                : unspool::vjp(g, {wrt, g.results.size(), true});
              auto const at = random_inputs(first, seed);
              return adjoint_trial(first, at, random_subset(random, first.arguments.size()),
                                   random);
          }) == "");
}
