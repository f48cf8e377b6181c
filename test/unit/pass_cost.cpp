// SPDX-License-Identifier: BSL-1.0
// The cost model by hand, at its steps and bounds.
#include "support/catch.hpp"

#include <unspool/pass/cost.hpp>

namespace {

constexpr unspool::machine core;  // 64-byte vectors, 2 multiply-adds and 1.5 loads a cycle
constexpr int bytes = sizeof(float);

}  // namespace

TEST_CASE("a product is bound by multiply-adds where rows of B serve four rows of C") {
    CHECK(core.product(4, 16, 10, bytes) == Approx(25 + 4 * 10 * 1 / 2.0));
    CHECK(core.product(5, 17, 3, bytes) == Approx(25 + 5 * 3 * 2 / 2.0));
    CHECK(core.product(4, 64, 1024, bytes) ==
          Approx(25 + 4 * 1024 * 4 / 2.0));  // far, but one tile
    CHECK(core.product(4, 16, 10, sizeof(double)) == Approx(25 + 4 * 10 * 2 / 2.0));
}

TEST_CASE("a product is bound by loads of B where they do not") {
    CHECK(core.product(1, 16, 30, bytes) == Approx(25 + 30 / 1.5));
    CHECK(core.product(1, 17, 30, bytes) == Approx(25 + 2 * 30 / 1.5));
    // B fills the first level; one row more and each load takes twice as long.
    CHECK(core.product(1, 64, 128, bytes) == Approx(25 + 128 * 4 / 1.5));
    CHECK(core.product(1, 64, 129, bytes) == Approx(25 + 2 * 129 * 4 / 1.5));
    CHECK(core.product(5, 64, 1024, bytes) == Approx(25 + 2 * 2 * 1024 * 4 / 1.5));
}

TEST_CASE("arrays are written and read at the speed of the level that holds them") {
    CHECK(core.round_trip(64) == Approx(2 * 64 / 32.0));
    CHECK(core.round_trip(1024 * 1024) == Approx(2 * 1024 * 1024 / 32.0));
    CHECK(core.round_trip(1024 * 1024 + 64) == Approx(2 * (1024 * 1024 + 64) / 10.0));
    CHECK(core.accumulate(10, 20, bytes) == Approx(2 * 10 * 20 * 4 / 64.0));
    CHECK(core.accumulate(64, 128, bytes) == Approx(2 * 64 * 128 * 4 / 64.0));
    CHECK(core.accumulate(65, 128, bytes) == Approx(2 * 65 * 128 * 4 / 32.0));
}
