// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using d6 = dims<6>;
using d8 = dims<8>;
using matrix = dims<3, 4>;

UNSPOOL_CASE_1(neg, matrix, -a);
UNSPOOL_CASE_1(exp, matrix, us::exp(a));
UNSPOOL_CASE_1(log, matrix, us::log(a));
UNSPOOL_CASE_1(log1p, matrix, us::log1p(a));
UNSPOOL_CASE_1(sqrt, matrix, us::sqrt(a));
UNSPOOL_CASE_1(tanh, matrix, us::tanh(a));
UNSPOOL_CASE_1(sigmoid, matrix, us::sigmoid(a));
UNSPOOL_CASE_1(relu, matrix, us::relu(a));
UNSPOOL_CASE_1(abs, matrix, us::abs(a));
UNSPOOL_CASE_1(square, matrix, us::square(a));
UNSPOOL_CASE_1(sin, matrix, us::sin(a));
UNSPOOL_CASE_1(cos, matrix, us::cos(a));
UNSPOOL_CASE_1(tanh_wide, d8, us::tanh(a));
UNSPOOL_CASE_1(sigmoid_wide, d8, us::sigmoid(a));
UNSPOOL_CASE_1(exp_wide, d8, us::exp(a));
UNSPOOL_CASE_1(log1p_wide, d6, us::log1p(a));

UNSPOOL_CASE_2(add, matrix, matrix, a + b);
UNSPOOL_CASE_2(sub, matrix, matrix, a - b);
UNSPOOL_CASE_2(mul, matrix, matrix, a* b);
UNSPOOL_CASE_2(div, matrix, matrix, a / b);
UNSPOOL_CASE_2(maximum, matrix, matrix, us::maximum(a, b));
UNSPOOL_CASE_2(minimum, matrix, matrix, us::minimum(a, b));
UNSPOOL_CASE_1(add_scalar, matrix, a + 0.5);
UNSPOOL_CASE_1(scalar_sub, matrix, 1 - a);
UNSPOOL_CASE_1(mul_scalar, matrix, 0.375 * a);
UNSPOOL_CASE_1(div_scalar, matrix, a / 3);
UNSPOOL_CASE_1(scalar_div, matrix, 2 / a);
UNSPOOL_CASE_1(square_by_mul, matrix, a* a);
UNSPOOL_CASE_1(shared, matrix, [&] {
    auto const y = us::tanh(a);
    return y * y + y;
}());
UNSPOOL_CASE_1(stop_gradient, matrix, a* us::stop_gradient(a));

}  // namespace

TEST_CASE("elementwise functions: values, vjp and jvp of JAX", "[parity]") {
    check<double, neg_case, exp_case, log_case, log1p_case, sqrt_case, tanh_case, sigmoid_case,
          relu_case, abs_case, square_case, sin_case, cos_case, tanh_wide_case, sigmoid_wide_case,
          exp_wide_case, log1p_wide_case>();
}

TEST_CASE("elementwise functions in float: values, vjp and jvp of JAX", "[parity]") {
    check<float, neg_case, exp_case, log_case, log1p_case, sqrt_case, tanh_case, sigmoid_case,
          relu_case, abs_case, square_case, sin_case, cos_case, tanh_wide_case, sigmoid_wide_case,
          exp_wide_case, log1p_wide_case>();
}

TEST_CASE("arithmetic: values, vjp and jvp of JAX", "[parity]") {
    check<double, add_case, sub_case, mul_case, div_case, maximum_case, minimum_case,
          add_scalar_case, scalar_sub_case, mul_scalar_case, div_scalar_case, scalar_div_case,
          square_by_mul_case, shared_case, stop_gradient_case>();
}

TEST_CASE("arithmetic in float: values, vjp and jvp of JAX", "[parity]") {
    check<float, add_case, sub_case, mul_case, div_case, maximum_case, minimum_case,
          add_scalar_case, scalar_sub_case, mul_scalar_case, div_scalar_case, scalar_div_case,
          square_by_mul_case, shared_case, stop_gradient_case>();
}
