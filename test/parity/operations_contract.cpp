// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using d2 = dims<2>;
using d2x1x2x2 = dims<2, 1, 2, 2>;
using d2x2 = dims<2, 2>;
using d2x2x2 = dims<2, 2, 2>;
using d2x2x3 = dims<2, 2, 3>;
using d2x3x2 = dims<2, 3, 2>;
using cube = dims<2, 3, 4>;
using d2x4 = dims<2, 4>;
using d2x4x2 = dims<2, 4, 2>;
using d2x6x2 = dims<2, 6, 2>;
using d3 = dims<3>;
using d3x2x2 = dims<3, 2, 2>;
using d3x3 = dims<3, 3>;
using matrix = dims<3, 4>;
using row = dims<4>;
using d4x2 = dims<4, 2>;
using d9x2 = dims<9, 2>;

UNSPOOL_CASE_2(matmul_batch, cube, d2x4x2, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_batch_ones, d2x1x2x2, d3x2x2, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_vector_batch, row, d2x4x2, us::matmul(a, b));
UNSPOOL_CASE_2(matmul_shared_left, matrix, d2x4x2, us::matmul(a, b));
UNSPOOL_CASE_2(dot, cube, d4x2, us::dot(a, b));
UNSPOOL_CASE_2(einsum_product, matrix, d4x2, us::einsum<"ij,jk->ik">(a, b));
UNSPOOL_CASE_2(einsum_transposed, matrix, d4x2, us::einsum<"ij,jk->ki">(a, b));
UNSPOOL_CASE_2(einsum_batch, cube, d4x2, us::einsum<"bij,jk->bki">(a, b));
UNSPOOL_CASE_2(einsum_batch_dots, cube, cube, us::einsum<"bij,bij->b">(a, b));
UNSPOOL_CASE_2(einsum_elementwise, matrix, matrix, us::einsum<"ij,ij->ij">(a, b));
UNSPOOL_CASE_2(einsum_total, matrix, matrix, us::einsum<"ij,kj->">(a, b));
UNSPOOL_CASE_2(einsum_outer, row, d3, us::einsum<"i,j->ij">(a, b));
UNSPOOL_CASE_1(einsum_trace, d3x3, us::einsum<"ii->">(a));
UNSPOOL_CASE_1(einsum_diagonal, d3x3, us::einsum<"ii->i">(a));
UNSPOOL_CASE_1(einsum_sums, cube, us::einsum<"bij->j">(a));
UNSPOOL_CASE_1(einsum_transpose, matrix, us::einsum<"ij->ji">(a));
UNSPOOL_CASE_2(einsum_diagonal_product, d3x3, matrix, us::einsum<"ii,ij->j">(a, b));
UNSPOOL_CASE_3(einsum_chain, d3x3, matrix, d4x2, us::einsum<"ij,jk,kl->il">(a, b, c));
UNSPOOL_CASE_3(einsum_form, d3, matrix, row, us::einsum<"i,ij,j->">(a, b, c));
UNSPOOL_CASE_3(einsum_three_batch, d2x2x2, d2x2x2, d2, us::einsum<"bij,bjk,b->bik">(a, b, c));
UNSPOOL_CASE_2(tensordot_0, d3, d2x2, us::tensordot<0>(a, b));
UNSPOOL_CASE_2(tensordot_1, d2x3x2, d2x2, us::tensordot<1>(a, b));
UNSPOOL_CASE_2(tensordot_2, d2x3x2, d3x2x2, us::tensordot(a, b));
UNSPOOL_CASE_2(inner, cube, d2x4, us::inner(a, b));
UNSPOOL_CASE_2(outer, d2x2, d3, us::outer(a, b));
UNSPOOL_CASE_2(vdot, cube, cube, us::vdot(a, b));
UNSPOOL_CASE_2(conv1d_valid, d9x2, d3x2x2, us::conv1d(a, b));
UNSPOOL_CASE_2(conv1d_causal, d9x2, d3x2x2, us::conv1d<us::causal>(a, b));
UNSPOOL_CASE_2(conv1d_same, d9x2, d3x2x2, us::conv1d<us::same>(a, b));
UNSPOOL_CASE_2(conv1d_causal_dilated, d9x2, d3x2x2, us::conv1d<us::causal, 1, 2>(a, b));
UNSPOOL_CASE_2(conv1d_causal_strided, d9x2, d3x2x2, us::conv1d<us::causal, 2, 3>(a, b));
UNSPOOL_CASE_2(conv1d_same_strided, d9x2, d3x2x2, us::conv1d<us::same, 2>(a, b));
UNSPOOL_CASE_2(conv1d_valid_strided_dilated, d9x2, d3x2x2, us::conv1d<us::valid, 3, 2>(a, b));
UNSPOOL_CASE_2(conv1d_batch_same_even, d2x6x2, d2x2x2, us::conv1d<us::same>(a, b));
UNSPOOL_CASE_2(conv1d_batch_same_strided, d2x6x2, d2x2x3, us::conv1d<us::same, 3>(a, b));
UNSPOOL_CASE_2(conv1d_batch_causal_dilated, d2x6x2, d2x2x2, us::conv1d<us::causal, 1, 3>(a, b));

template <class T>
void check_axes() {
    check<T, matmul_batch_case, matmul_batch_ones_case, matmul_vector_batch_case,
          matmul_shared_left_case, dot_case, einsum_product_case, einsum_transposed_case,
          einsum_batch_case, einsum_batch_dots_case, einsum_elementwise_case, einsum_total_case,
          einsum_outer_case, einsum_trace_case, einsum_diagonal_case, einsum_sums_case,
          einsum_transpose_case, einsum_diagonal_product_case, einsum_chain_case, einsum_form_case,
          einsum_three_batch_case, tensordot_0_case, tensordot_1_case, tensordot_2_case, inner_case,
          outer_case, vdot_case>();
}
template <class T>
void check_convolutions() {
    check<T, conv1d_valid_case, conv1d_causal_case, conv1d_same_case, conv1d_causal_dilated_case,
          conv1d_causal_strided_case, conv1d_same_strided_case, conv1d_valid_strided_dilated_case,
          conv1d_batch_same_even_case, conv1d_batch_same_strided_case,
          conv1d_batch_causal_dilated_case>();
}

}  // namespace

TEST_CASE("products of many axes: values, vjp and jvp of JAX", "[parity]") { check_axes<double>(); }
TEST_CASE("products of many axes in float: values, vjp and jvp of JAX", "[parity]") {
    check_axes<float>();
}
TEST_CASE("convolutions: values, vjp and jvp of JAX", "[parity]") { check_convolutions<double>(); }
TEST_CASE("convolutions in float: values, vjp and jvp of JAX", "[parity]") {
    check_convolutions<float>();
}
