// SPDX-License-Identifier: BSL-1.0
#include "kernel_product.hpp"

TEMPLATE_TEST_CASE("product on scalar: epilogues", "[kernel][product]", float, double) {
    kernel_test::check_all_epilogues<TestType, unspool::simd::scalar>();
}

TEMPLATE_TEST_CASE("product on scalar: packed B and groups", "[kernel][product]", float, double) {
    kernel_test::check_all_packed<TestType, unspool::simd::scalar>();
}
