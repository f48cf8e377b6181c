// SPDX-License-Identifier: BSL-1.0
// Loops, views, copies, reductions, products and rows by index by compiled plans.
#include "laws/executor.hpp"

using namespace unspool_test;
namespace simd = unspool::simd;

namespace {

template <class Op>
struct structural {
    static constexpr bool value = Op::kind != op::family::elementwise;
};

}  // namespace

TEMPLATE_TEST_CASE("the plans of structural operations give what their formulas give", "[executor]",
                   simd::scalar, simd::sse2, simd::avx2, simd::avx512, simd::neon64) {
    check_executors<TestType, structural>();
}
