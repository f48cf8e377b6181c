// SPDX-License-Identifier: BSL-1.0
#include "kernel_product.hpp"

TEMPLATE_TEST_CASE("product on avx2: epilogues", "[kernel][product]", float, double) {
    kernel_test::check_all_epilogues<TestType, unspool::simd::avx2>();
}

TEMPLATE_TEST_CASE("product on avx2: packed B and groups", "[kernel][product]", float, double) {
    kernel_test::check_all_packed<TestType, unspool::simd::avx2>();
}
