// SPDX-License-Identifier: BSL-1.0
// Elementary functions by compiled plans.
#include "laws/executor.hpp"

using namespace unspool_test;
namespace simd = unspool::simd;

TEMPLATE_TEST_CASE("the plans of functions give what their formulas give", "[executor]",
                   simd::scalar, simd::sse2, simd::avx2, simd::avx512, simd::neon64) {
    check_executors<TestType, op::is_transcendental>();
}
