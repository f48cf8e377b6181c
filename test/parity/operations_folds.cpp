// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using d2x3 = dims<2, 3>;
using cube = dims<2, 3, 4>;
using d3x3 = dims<3, 3>;
using matrix = dims<3, 4>;
using d4x3 = dims<4, 3>;

UNSPOOL_CASE_1(prod_all, d3x3, us::prod(a));
UNSPOOL_CASE_1(prod_axis, cube, us::prod<1>(a));
UNSPOOL_CASE_1(prod_axes, cube, us::prod<0, 2>(a));
UNSPOOL_CASE_1(prod_of_zeros, matrix, us::prod<1>(a));
UNSPOOL_CASE_1(cumsum_first, cube, us::cumsum<0>(a));
UNSPOOL_CASE_1(cumsum_last, cube, us::cumsum<-1>(a));
UNSPOOL_CASE_1(cumprod_first, d4x3, us::cumprod<0>(a));
UNSPOOL_CASE_1(cumprod_last, matrix, us::cumprod<1>(a));
UNSPOOL_CASE_1(cumprod_of_zeros, matrix, us::cumprod<1>(a));
UNSPOOL_CASE_1(var_all, cube, us::var(a));
UNSPOOL_CASE_1(var_axis, cube, us::var<1>(a));
UNSPOOL_CASE_1(var_axes, cube, us::var<0, 2>(a));
UNSPOOL_CASE_1(stddev_all, cube, us::stddev(a));
UNSPOOL_CASE_1(stddev_axis, cube, us::stddev<2>(a));
UNSPOOL_CASE_1(norm_all, cube, us::norm(a));
UNSPOOL_CASE_1(norm_axis, cube, us::norm<1>(a));
UNSPOOL_CASE_1(norm_matrix, cube, us::norm<1, 2>(a));
UNSPOOL_CASE_1(any, cube, a* us::any(a > 0.9));
UNSPOOL_CASE_1(any_axis, cube, a* us::expand_dims<1>(us::any<1>(a > 0.9)));
UNSPOOL_CASE_1(all, cube, a* us::all(a > -0.9));
UNSPOOL_CASE_1(all_axis, cube, a* us::expand_dims<1>(us::all.over<1>(a > -0.9)));
UNSPOOL_CASE_1(argmax, cube, a* us::argmax(a));
UNSPOOL_CASE_1(argmax_axis, cube, a* us::expand_dims<1>(us::argmax<1>(a)));
UNSPOOL_CASE_1(argmin, cube, a* us::argmin(a));
UNSPOOL_CASE_1(argmin_axis, cube, a* us::expand_dims<-1>(us::argmin<2>(a)));
UNSPOOL_CASE_1(argmax_ties, d2x3, a* us::expand_dims<1>(us::argmax<1>(a)));
UNSPOOL_CASE_1(logsumexp_all, cube, us::logsumexp(a));
UNSPOOL_CASE_1(logsumexp_axis, cube, us::logsumexp<1>(a));
UNSPOOL_CASE_1(logsumexp_axes, cube, us::logsumexp<0, 2>(a));
UNSPOOL_CASE_1(softmax_last, cube, us::softmax(a));
UNSPOOL_CASE_1(softmax_axis, cube, us::softmax<1>(a));
UNSPOOL_CASE_1(log_softmax_last, cube, us::log_softmax(a));
UNSPOOL_CASE_1(log_softmax_axis, cube, us::log_softmax<0>(a));
UNSPOOL_CASE_1(logsumexp_absent, d2x3, us::logsumexp<1>(a));
UNSPOOL_CASE_1(softmax_absent, d2x3, us::softmax(a));

template <class T>
void check_folds() {
    check<T, prod_all_case, prod_axis_case, prod_axes_case, prod_of_zeros_case, cumsum_first_case,
          cumsum_last_case, cumprod_first_case, cumprod_last_case, cumprod_of_zeros_case>();
}
template <class T>
void check_statistics() {
    check<T, var_all_case, var_axis_case, var_axes_case, stddev_all_case, stddev_axis_case,
          norm_all_case, norm_axis_case, norm_matrix_case, any_case, any_axis_case, all_case,
          all_axis_case, argmax_case, argmax_axis_case, argmin_case, argmin_axis_case,
          argmax_ties_case>();
}
template <class T>
void check_normalised() {
    check<T, logsumexp_all_case, logsumexp_axis_case, logsumexp_axes_case, softmax_last_case,
          softmax_axis_case, log_softmax_last_case, log_softmax_axis_case, logsumexp_absent_case,
          softmax_absent_case>();
}

}  // namespace

TEST_CASE("products and running folds: values, vjp and jvp of JAX", "[parity]") {
    check_folds<double>();
}
TEST_CASE("products and running folds in float: values, vjp and jvp of JAX", "[parity]") {
    check_folds<float>();
}
TEST_CASE("statistics: values, vjp and jvp of JAX", "[parity]") { check_statistics<double>(); }
TEST_CASE("statistics in float: values, vjp and jvp of JAX", "[parity]") {
    check_statistics<float>();
}
TEST_CASE("normalised exponentials: values, vjp and jvp of JAX", "[parity]") {
    check_normalised<double>();
}
TEST_CASE("normalised exponentials in float: values, vjp and jvp of JAX", "[parity]") {
    check_normalised<float>();
}
