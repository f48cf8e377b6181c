// SPDX-License-Identifier: BSL-1.0
// Elementwise operations at zeros, at subnormal, tiny, huge and infinite numbers and at NaN, in
// every combination over their operands: what the standard library gives.
#include "laws/special.hpp"
#include "laws/operations.hpp"
#include "support/catch.hpp"

using namespace unspool_test;

namespace {

/// One use whose operands hold every combination.
template <class Op, class T>
use every_combination() {
    auto const count = std::pow(special_numbers<T>().size(), Op::arity);
    shape const s = shape::of(count);
    return laws<Op>::on(unspool::list<shape>(Op::arity, s), s);
}

template <class Op, class T>
void check_special() {
    use const u = every_combination<Op, T>();
    INFO(Op::name << ", " << sizeof(T) << " bytes");
    CHECK(value_law<T>(u, special_elements<T>(u, 0)) == "");
}

}  // namespace

TEST_CASE("special numbers give what the standard library gives") {
    for_each_operation(op::all{}, []<class Op>() {
        if constexpr (Op::kind == op::family::elementwise) {
            check_special<Op, float>();
            check_special<Op, double>();
        }
    });
}

// ---- wrong formulas

namespace {

/// What an operation would give if the results that `changed` finds came out as another.
template <class Op, class Changed>
use changed_formula(Changed changed) {
    use u = every_combination<Op, double>();
    u.formula = [right = u.formula, changed](elements const& x) {
        auto y = right(x);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = changed(x[0][i], y[i]);
        return y;
    };
    return u;
}
template <class Op, class Changed>
bool caught(Changed changed) {
    use const u = changed_formula<Op>(changed);
    return !value_law<double>(u, special_elements<double>(u, 0)).empty();
}

}  // namespace

TEST_CASE("a result that is wrong at one special number is caught") {
    using limits = std::numeric_limits<double>;
    CHECK_FALSE(caught<op::tanh>([](double, double y) { return y; }));
    CHECK(caught<op::tanh>([](double, double y) { return y + 0.0; }));  // −0 becomes 0
    CHECK(caught<op::tanh>([](double x, double y) { return std::isnan(x) ? 1.0 : y; }));
    CHECK(caught<op::exp>([](double x, double y) { return x > 740 ? limits::max() : y; }));
    CHECK(caught<op::exp>([](double, double y) { return y < limits::min() ? 0.0 : y; }));
    CHECK(caught<op::negate>([](double, double y) {
        return std::fabs(y) < limits::min() ? std::copysign(0.0, y) : y;  // flush to zero
    }));
    CHECK(caught<op::maximum>([](double x, double y) { return std::isnan(y) ? x : y; }));
    CHECK(caught<op::round>([](double x, double y) { return x == 2.5 ? 3.0 : y; }));
    CHECK(caught<op::sqrt>([](double, double y) { return std::isnan(y) ? 0.0 : y; }));
}
