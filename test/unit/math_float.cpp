// SPDX-License-Identifier: BSL-1.0
#include "support/catch.hpp"

#include "math_functions.hpp"

/// float functions on 2^24 arguments: one from each run of 256 neighbouring bit patterns, so from
/// every binade of both signs, denormal numbers, infinities and NaNs included.
TEMPLATE_LIST_TEST_CASE(
    "math: float, stratified over all bit patterns, against the C library's double", "[math]",
    math_test::every_function) {
    auto const result =
        math_test::sweep<TestType>(std::uint64_t(1) << 24, [](std::uint64_t stratum) {
            std::uint64_t const mixed = (stratum + 1) * 0x9e37'79b9'7f4a'7c15u;
            return stratum * 256 + (mixed >> 56);
        });
    for (auto const& [arch, worst] : result) {
        CAPTURE(TestType::name, arch, worst.argument);
        CHECK(worst.error <= TestType::bound.float_ulp);
        CHECK(worst.asymmetric == 0);
        CHECK(worst.outside == 0);
    }
}
