// SPDX-License-Identifier: BSL-1.0
#include "kernel_product.hpp"

TEMPLATE_TEST_CASE("product on sse2: epilogues", "[kernel][product]", float, double) {
    kernel_test::check_all_epilogues<TestType, unspool::simd::sse2>();
}

TEMPLATE_TEST_CASE("product on sse2: packed B and groups", "[kernel][product]", float, double) {
    kernel_test::check_all_packed<TestType, unspool::simd::sse2>();
}
