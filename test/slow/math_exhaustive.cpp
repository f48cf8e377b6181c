// SPDX-License-Identifier: BSL-1.0
#include "support/catch.hpp"

#include "../unit/math_functions.hpp"

#include <iostream>

/// All 2^32 floats through every function and instruction set: some minutes each.
TEMPLATE_TEST_CASE("math: every float, against the C library's double", "[math]", math_test::exp,
                   math_test::log, math_test::log1p, math_test::tanh, math_test::sigmoid,
                   math_test::sin, math_test::cos, math_test::sqrt, math_test::expm1,
                   math_test::erf, math_test::atan, math_test::floor, math_test::round) {
    auto const result = math_test::sweep<TestType>(std::uint64_t(1) << 32,
                                                   [](std::uint64_t pattern) { return pattern; });
    for (auto const& [arch, worst] : result) {
        std::cout << TestType::name << " on " << arch << ": " << worst.error << " ULP at "
                  << std::hexfloat << worst.argument << std::defaultfloat << std::endl;
        CAPTURE(TestType::name, arch, worst.argument);
        CHECK(worst.error <= TestType::bound.float_ulp);
        CHECK(worst.asymmetric == 0);
        CHECK(worst.outside == 0);
    }
}
