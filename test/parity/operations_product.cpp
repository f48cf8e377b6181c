// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using d3 = dims<3>;
using row = dims<4>;
using d5 = dims<5>;
using d1x4 = dims<1, 4>;
using d1x5 = dims<1, 5>;
using d2x3 = dims<2, 3>;
using d3x1 = dims<3, 1>;
using matrix = dims<3, 4>;
using d4x1 = dims<4, 1>;
using d4x3 = dims<4, 3>;
using d4x4 = dims<4, 4>;
using d4x5 = dims<4, 5>;
using d5x4 = dims<5, 4>;
using cube = dims<2, 3, 4>;

UNSPOOL_CASE_2(matmul_vector_vector, d5, d5, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_vector_matrix, d3, matrix, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_matrix_vector, matrix, row, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_matrix_matrix, matrix, d4x5, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_row_matrix, d1x4, d4x5, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_matrix_column, matrix, d4x1, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_inner_one, d3x1, d1x5, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_batch_matrix, cube, d4x3, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_batch_vector, cube, row, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_transposed_left, d4x3, d4x5, us::matmul(us::transpose(a), b));
UNSPOOL_CASE_2(matmul_transposed_right, matrix, d5x4, us::matmul(a, us::transpose(b)));
UNSPOOL_CASE_1(matmul_square, d4x4, us::matmul(a, a));
UNSPOOL_CASE_3(matmul_chain, d2x3, matrix, d4x5, us::matmul(us::matmul(a, b), c));

}  // namespace

TEST_CASE("matrix products: values, vjp and jvp of JAX", "[parity]") {
    check<double, matmul_vector_vector_case, matmul_vector_matrix_case, matmul_matrix_vector_case,
          matmul_matrix_matrix_case, matmul_row_matrix_case, matmul_matrix_column_case,
          matmul_inner_one_case, matmul_batch_matrix_case, matmul_batch_vector_case,
          matmul_transposed_left_case, matmul_transposed_right_case, matmul_square_case,
          matmul_chain_case>();
}

TEST_CASE("matrix products in float: values, vjp and jvp of JAX", "[parity]") {
    check<float, matmul_vector_vector_case, matmul_vector_matrix_case, matmul_matrix_vector_case,
          matmul_matrix_matrix_case, matmul_row_matrix_case, matmul_matrix_column_case,
          matmul_inner_one_case, matmul_batch_matrix_case, matmul_batch_vector_case,
          matmul_transposed_left_case, matmul_transposed_right_case, matmul_square_case,
          matmul_chain_case>();
}
