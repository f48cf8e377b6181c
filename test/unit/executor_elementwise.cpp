// SPDX-License-Identifier: BSL-1.0
// Elementwise operations but elementary functions by compiled plans.
#include "laws/executor.hpp"

using namespace unspool_test;
namespace simd = unspool::simd;

namespace {

template <class Op>
struct plain_elementwise {
    static constexpr bool value =
        Op::kind == op::family::elementwise && !op::is_transcendental<Op>::value;
};

}  // namespace

TEMPLATE_TEST_CASE("the plans of arithmetic give what its formulas give", "[executor]",
                   simd::scalar, simd::sse2, simd::avx2, simd::avx512, simd::neon64) {
    check_executors<TestType, plain_elementwise>();
}
