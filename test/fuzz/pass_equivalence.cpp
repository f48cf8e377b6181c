// SPDX-License-Identifier: BSL-1.0
// The laws of every pass on random graphs.
#include "support/catch.hpp"

#include "laws/pass.hpp"

using namespace unspool_test;

TEST_CASE("passes keep their laws on random graphs") {
    constexpr passes::all const* every = nullptr;
    CHECK(on_seeds(fuzz_graphs(), [](std::uint64_t seed) { return passes::broken(seed, every); }) ==
          "");
}
