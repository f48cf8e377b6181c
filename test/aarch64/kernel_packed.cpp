// SPDX-License-Identifier: BSL-1.0
#include "unit/kernel_product.hpp"

TEMPLATE_TEST_CASE("product on neon64: epilogues", "[kernel][product]", float, double) {
    kernel_test::check_all_epilogues<TestType, unspool::simd::neon64>();
}

TEMPLATE_TEST_CASE("product on neon64: packed B and groups", "[kernel][product]", float, double) {
    kernel_test::check_all_packed<TestType, unspool::simd::neon64>();
}
