// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using d1 = dims<1>;
using row = dims<4>;
using d1x4 = dims<1, 4>;
using d3x1 = dims<3, 1>;
using matrix = dims<3, 4>;
using d4x1 = dims<4, 1>;
using d1x3x4 = dims<1, 3, 4>;
using d2x1x1 = dims<2, 1, 1>;
using d2x1x3 = dims<2, 1, 3>;
using cube = dims<2, 3, 4>;

UNSPOOL_CASE_2(broadcast_add_column_row, d3x1, d1x4, a + b);
UNSPOOL_CASE_2(broadcast_add_vector_matrix, row, matrix, a + b);
UNSPOOL_CASE_2(broadcast_add_matrix_vector, matrix, row, a + b);
UNSPOOL_CASE_2(broadcast_add_scalar_matrix, scalar, matrix, a + b);
UNSPOOL_CASE_2(broadcast_add_matrix_scalar, matrix, scalar, a + b);
UNSPOOL_CASE_2(broadcast_add_one_matrix, d1, matrix, a + b);
UNSPOOL_CASE_2(broadcast_add_column_matrix, d3x1, matrix, a + b);
UNSPOOL_CASE_2(broadcast_add_row_matrix, d1x4, matrix, a + b);
UNSPOOL_CASE_2(broadcast_add_rank3, d2x1x3, d4x1, a + b);
UNSPOOL_CASE_2(broadcast_add_rank3_matrix, cube, matrix, a + b);
UNSPOOL_CASE_2(broadcast_add_rank3_ones, d2x1x1, d1x3x4, a + b);

UNSPOOL_CASE_2(broadcast_mul_column_row, d3x1, d1x4, a* b);
UNSPOOL_CASE_2(broadcast_mul_vector_matrix, row, matrix, a* b);
UNSPOOL_CASE_2(broadcast_mul_matrix_vector, matrix, row, a* b);
UNSPOOL_CASE_2(broadcast_mul_scalar_matrix, scalar, matrix, a* b);
UNSPOOL_CASE_2(broadcast_mul_matrix_scalar, matrix, scalar, a* b);
UNSPOOL_CASE_2(broadcast_mul_one_matrix, d1, matrix, a* b);
UNSPOOL_CASE_2(broadcast_mul_column_matrix, d3x1, matrix, a* b);
UNSPOOL_CASE_2(broadcast_mul_row_matrix, d1x4, matrix, a* b);
UNSPOOL_CASE_2(broadcast_mul_rank3, d2x1x3, d4x1, a* b);
UNSPOOL_CASE_2(broadcast_mul_rank3_matrix, cube, matrix, a* b);
UNSPOOL_CASE_2(broadcast_mul_rank3_ones, d2x1x1, d1x3x4, a* b);

UNSPOOL_CASE_2(broadcast_sub_column_row, d3x1, d1x4, a - b);
UNSPOOL_CASE_2(broadcast_div_column_row, d3x1, d1x4, a / b);
UNSPOOL_CASE_2(broadcast_maximum_column_row, d3x1, d1x4, us::maximum(a, b));
UNSPOOL_CASE_2(broadcast_sub_scalar_matrix, scalar, matrix, a - b);
UNSPOOL_CASE_2(broadcast_div_scalar_matrix, scalar, matrix, a / b);
UNSPOOL_CASE_2(broadcast_maximum_scalar_matrix, scalar, matrix, us::maximum(a, b));
UNSPOOL_CASE_2(broadcast_sub_rank3, d2x1x3, d4x1, a - b);
UNSPOOL_CASE_2(broadcast_div_rank3, d2x1x3, d4x1, a / b);
UNSPOOL_CASE_2(broadcast_maximum_rank3, d2x1x3, d4x1, us::maximum(a, b));

}  // namespace

TEST_CASE("broadcast sums: values, vjp and jvp of JAX", "[parity]") {
    check<double, broadcast_add_column_row_case, broadcast_add_vector_matrix_case,
          broadcast_add_matrix_vector_case, broadcast_add_scalar_matrix_case,
          broadcast_add_matrix_scalar_case, broadcast_add_one_matrix_case,
          broadcast_add_column_matrix_case, broadcast_add_row_matrix_case, broadcast_add_rank3_case,
          broadcast_add_rank3_matrix_case, broadcast_add_rank3_ones_case>();
}

TEST_CASE("broadcast products: values, vjp and jvp of JAX", "[parity]") {
    check<double, broadcast_mul_column_row_case, broadcast_mul_vector_matrix_case,
          broadcast_mul_matrix_vector_case, broadcast_mul_scalar_matrix_case,
          broadcast_mul_matrix_scalar_case, broadcast_mul_one_matrix_case,
          broadcast_mul_column_matrix_case, broadcast_mul_row_matrix_case, broadcast_mul_rank3_case,
          broadcast_mul_rank3_matrix_case, broadcast_mul_rank3_ones_case>();
}

TEST_CASE("broadcast differences, quotients and maxima: values, vjp and jvp of JAX", "[parity]") {
    check<double, broadcast_sub_column_row_case, broadcast_div_column_row_case,
          broadcast_maximum_column_row_case, broadcast_sub_scalar_matrix_case,
          broadcast_div_scalar_matrix_case, broadcast_maximum_scalar_matrix_case,
          broadcast_sub_rank3_case, broadcast_div_rank3_case, broadcast_maximum_rank3_case>();
}
