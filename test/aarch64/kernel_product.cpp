// SPDX-License-Identifier: BSL-1.0
#include "unit/kernel_product.hpp"

TEMPLATE_TEST_CASE("product on neon64: every form and tail", "[kernel][product]", float, double) {
    kernel_test::check_sizes<TestType, unspool::simd::neon64>();
}
