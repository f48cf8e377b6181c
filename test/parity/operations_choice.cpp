// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using d3 = dims<3>;
using row = dims<4>;
using d5 = dims<5>;
using d2x3 = dims<2, 3>;
using matrix = dims<3, 4>;

UNSPOOL_CASE_1(abs_at_zero, row, us::abs(a));
UNSPOOL_CASE_1(relu_at_zero, row, us::relu(a));
UNSPOOL_CASE_1(sqrt_at_zero, d3, us::sqrt(a));
UNSPOOL_CASE_2(maximum_ties, d5, d5, us::maximum(a, b));
UNSPOOL_CASE_2(minimum_ties, d5, d5, us::minimum(a, b));
UNSPOOL_CASE_1(maximum_scalar_tie, row, us::maximum(a, 0));
UNSPOOL_CASE_1(max_ties_all, d2x3, us::max(a));
UNSPOOL_CASE_1(max_ties_axis1, d2x3, us::max<1>(a));
UNSPOOL_CASE_1(min_ties_axis0, d2x3, us::min<0>(a));

UNSPOOL_CASE_2(select_less, matrix, matrix, us::select(a < b, a* b, a - b));
UNSPOOL_CASE_2(select_less_equal, matrix, matrix, us::select(a <= b, a* b, a - b));
UNSPOOL_CASE_2(select_greater, matrix, matrix, us::select(a > b, a* b, a - b));
UNSPOOL_CASE_2(select_greater_equal, matrix, matrix, us::select(a >= b, a* b, a - b));
UNSPOOL_CASE_2(select_equal, matrix, matrix, us::select(a == b, a* b, a - b));
UNSPOOL_CASE_2(select_not_equal, matrix, matrix, us::select(a != b, a* b, a - b));
UNSPOOL_CASE_2(select_broadcast, matrix, scalar, us::select(a > 0, a, b));
UNSPOOL_CASE_3(select_row, row, matrix, matrix, us::select(a > 0, b, c));

}  // namespace

TEST_CASE("points where the derivative is a convention: values, vjp and jvp of JAX", "[parity]") {
    check<double, abs_at_zero_case, relu_at_zero_case, sqrt_at_zero_case, maximum_ties_case,
          minimum_ties_case, maximum_scalar_tie_case, max_ties_all_case, max_ties_axis1_case,
          min_ties_axis0_case>();
}

TEST_CASE("points where the derivative is a convention in float: values, vjp and jvp of JAX",
          "[parity]") {
    check<float, abs_at_zero_case, relu_at_zero_case, sqrt_at_zero_case, maximum_ties_case,
          minimum_ties_case, maximum_scalar_tie_case, max_ties_all_case, max_ties_axis1_case,
          min_ties_axis0_case>();
}

TEST_CASE("selections: values, vjp and jvp of JAX", "[parity]") {
    check<double, select_less_case, select_less_equal_case, select_greater_case,
          select_greater_equal_case, select_equal_case, select_not_equal_case,
          select_broadcast_case, select_row_case>();
}
