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

TEST_CASE("a plan that is wrong is caught", "[executor]") {
    using multiplied = side_by_side<op::multiply, true>;
    auto const right = compiled<double>::make<simd::native, multiplied>();
    auto const uses = executed_uses<op::multiply>();
    std::vector<elements> given;
    for (use const& u : uses) given.push_back(elements_for(u, 1));
    CHECK(executor_law(right, uses, given, 1) == "");

    // Stands for a kernel that is off by some ULP: the law compares the two.
    auto off = uses;
    for (use& u : off)
        u.formula = [exact = u.formula](elements const& x) {
            auto y = exact(x);
            y.back() *= 1 + 2e-15;
            return y;
        };
    CHECK_THAT(executor_law(right, off, given, 1), ContainsSubstring("instead of"));

    auto other_gradient = right;
    graph& g = other_gradient.g;
    for (int k = uses.size(); k < g.results.size(); ++k) {
        ref const factor = g.constant(1 + 1e-13, g.dims(g.results[k]));
        g.results[k] = g.apply<op::multiply>(factor, g.results[k]);
    }
    CHECK_THAT(executor_law(other_gradient, uses, given, 1), ContainsSubstring("cotangent"));

    auto idle = right;
    idle.run = [](std::vector<double*> const&) {};
    CHECK_THAT(executor_law(idle, uses, given, 1), ContainsSubstring("nan"));

    auto const sum = compiled<double>::make<simd::native, side_by_side<op::add, true>>();
    CHECK_THAT(executor_law(sum, executed_uses<op::subtract>(), given, 1),
               ContainsSubstring("instead of"));
}
