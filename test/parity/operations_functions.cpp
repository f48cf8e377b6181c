// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using d4 = dims<4>;
using d6 = dims<6>;
using d8 = dims<8>;
using matrix = dims<3, 4>;
using column = dims<3, 1>;

UNSPOOL_CASE_1(expm1, matrix, us::expm1(a));
UNSPOOL_CASE_1(erf, matrix, us::erf(a));
UNSPOOL_CASE_1(atan, matrix, us::atan(a));
UNSPOOL_CASE_1(softplus_function, matrix, us::softplus(a));
UNSPOOL_CASE_1(softplus_wide, d8, us::softplus(a));
UNSPOOL_CASE_1(silu, matrix, us::silu(a));
UNSPOOL_CASE_1(gelu, matrix, us::gelu(a));
UNSPOOL_CASE_1(gelu_tanh, matrix, us::gelu_tanh(a));
UNSPOOL_CASE_1(tan, matrix, us::tan(a));
UNSPOOL_CASE_1(sinh, matrix, us::sinh(a));
UNSPOOL_CASE_1(cosh, matrix, us::cosh(a));
UNSPOOL_CASE_1(elu, matrix, us::elu(a));
UNSPOOL_CASE_1(leaky_relu, matrix, us::leaky_relu(a));
UNSPOOL_CASE_1(hard_sigmoid, matrix, us::hard_sigmoid(a));
UNSPOOL_CASE_1(reciprocal, matrix, us::reciprocal(a));
UNSPOOL_CASE_1(rsqrt, matrix, us::rsqrt(a));
UNSPOOL_CASE_1(clamp, matrix, us::clamp(a, -1, 1.5));

UNSPOOL_CASE_1(floor, matrix, a* us::floor(a));
UNSPOOL_CASE_1(ceil, matrix, a* us::ceil(a));
UNSPOOL_CASE_1(trunc, matrix, a* us::trunc(a));
UNSPOOL_CASE_1(round, matrix, a* us::round(a));
UNSPOOL_CASE_1(sign, matrix, a* us::sign(a));
UNSPOOL_CASE_1(clamp_at_bounds, d4, us::clamp(a, -1, 2));
UNSPOOL_CASE_1(leaky_relu_at_zero, d4, us::leaky_relu(a));
UNSPOOL_CASE_1(elu_at_zero, d4, us::elu(a));
UNSPOOL_CASE_1(round_ties, d6, a* us::round(a));
UNSPOOL_CASE_1(logical, matrix,
               us::logical_and(a > 0, us::logical_not(a > 1)) * a + us::logical_or(a > 2, a < -1));

UNSPOOL_CASE_1(pow_half, matrix, us::pow(a, 0.5));
UNSPOOL_CASE_1(pow_negative, matrix, us::pow(a, -1.75));
UNSPOOL_CASE_1(pow_of_number, matrix, us::pow(2.5, a));
UNSPOOL_CASE_1(pow_integer, matrix, us::pow(a, 5));
UNSPOOL_CASE_1(pow_negative_integer, matrix, us::pow(a, -2));
UNSPOOL_CASE_1(pow_real_integer, matrix, us::pow(a, 3.0));
UNSPOOL_CASE_2(pow, matrix, matrix, us::pow(a, b));
UNSPOOL_CASE_2(pow_row, column, d4, us::pow(a, b));
UNSPOOL_CASE_2(pow_at_zero, d6, d6, us::pow(a, b));

template <class T>
void check_smooth() {
    check<T, expm1_case, erf_case, atan_case, softplus_function_case, softplus_wide_case, silu_case,
          gelu_case, gelu_tanh_case, tan_case, sinh_case, cosh_case, elu_case, leaky_relu_case,
          hard_sigmoid_case, reciprocal_case, rsqrt_case, clamp_case>();
}
template <class T>
void check_jumps() {
    check<T, floor_case, ceil_case, trunc_case, round_case, sign_case, clamp_at_bounds_case,
          leaky_relu_at_zero_case, elu_at_zero_case, round_ties_case, logical_case>();
}
template <class T>
void check_powers() {
    check<T, pow_half_case, pow_negative_case, pow_of_number_case, pow_integer_case,
          pow_negative_integer_case, pow_real_integer_case, pow_case, pow_row_case,
          pow_at_zero_case>();
}

}  // namespace

TEST_CASE("functions: values, vjp and jvp of JAX", "[parity]") { check_smooth<double>(); }
TEST_CASE("functions in float: values, vjp and jvp of JAX", "[parity]") { check_smooth<float>(); }
TEST_CASE("kinks and jumps: values, vjp and jvp of JAX", "[parity]") { check_jumps<double>(); }
TEST_CASE("kinks and jumps in float: values, vjp and jvp of JAX", "[parity]") {
    check_jumps<float>();
}
TEST_CASE("powers: values, vjp and jvp of JAX", "[parity]") { check_powers<double>(); }
TEST_CASE("powers in float: values, vjp and jvp of JAX", "[parity]") { check_powers<float>(); }
