// SPDX-License-Identifier: BSL-1.0
#include "support/catch.hpp"

#include "math_functions.hpp"

/// float functions on 2^24 arguments: one from each run of 256 neighbouring bit patterns, so from
/// every binade of both signs, denormal numbers, infinities and NaNs included.
TEMPLATE_TEST_CASE("math: float, stratified over all bit patterns, against the C library's double",
                   "[math]", math_test::exp, math_test::log, math_test::log1p, math_test::tanh,
                   math_test::sigmoid, math_test::sin, math_test::cos, math_test::sqrt,
                   math_test::expm1, math_test::erf, math_test::atan, math_test::floor,
                   math_test::round) {
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
