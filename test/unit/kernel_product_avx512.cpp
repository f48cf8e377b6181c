// SPDX-License-Identifier: BSL-1.0
#include "kernel_product.hpp"

TEMPLATE_TEST_CASE("product on avx512: every form and tail", "[kernel][product]", float, double) {
    kernel_test::check_sizes<TestType, unspool::simd::avx512>();
}
