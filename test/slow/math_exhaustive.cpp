// SPDX-License-Identifier: BSL-1.0
#include "support/catch.hpp"

#include "../unit/math_functions.hpp"

#include <iostream>

namespace {

template <class Function>
void check_every_float() {
    auto const result = math_test::sweep<Function>(std::uint64_t(1) << 32,
                                                   [](std::uint64_t pattern) { return pattern; });
    for (auto const& [arch, worst] : result) {
        std::cout << Function::name << " on " << arch << ": " << worst.error << " ULP at "
                  << std::hexfloat << worst.argument << std::defaultfloat << std::endl;
        CAPTURE(Function::name, arch, worst.argument);
        CHECK(worst.error <= Function::bound.float_ulp);
        CHECK(worst.asymmetric == 0);
        CHECK(worst.outside == 0);
    }
}

}  // namespace

/// All 2^32 floats through every function and instruction set: some minutes each.
TEMPLATE_LIST_TEST_CASE("math: every float, against the C library's double", "[math]",
                        math_test::every_function) {
    check_every_float<TestType>();
}
TEMPLATE_LIST_TEST_CASE("math: every float to a few powers, against the C library's double",
                        "[math]", math_test::every_power) {
    check_every_float<TestType>();
}
