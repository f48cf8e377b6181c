// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using d1x3x1 = dims<1, 3, 1>;
using d2 = dims<2>;
using d2x2x2 = dims<2, 2, 2>;
using d2x3 = dims<2, 3>;
using square = dims<2, 3, 3>;
using cube = dims<2, 3, 4>;
using d2x4 = dims<2, 4>;
using d3x1 = dims<3, 1>;
using matrix = dims<3, 4>;

UNSPOOL_CASE_1(pad_rows, matrix, us::pad<0, 1, 2>(a));
UNSPOOL_CASE_1(pad_last, d2x2x2, us::pad<-1, 2, 0>(a));
UNSPOOL_CASE_1(roll_forwards, matrix, us::roll<1>(a, 1));
UNSPOOL_CASE_1(roll_backwards, matrix, us::roll<0>(a, -4));
UNSPOOL_CASE_1(flip_rows, matrix, us::flip<0>(a));
UNSPOOL_CASE_1(flip_two, cube, us::flip<0, 2>(a));
UNSPOOL_CASE_1(flip_all, cube, us::flip(a));
UNSPOOL_CASE_1(squeeze, d1x3x1, us::squeeze(a));
UNSPOOL_CASE_1(squeeze_last, d1x3x1, us::squeeze<-1>(a));
UNSPOOL_CASE_1(expand_dims, matrix, us::expand_dims<1>(a));
UNSPOOL_CASE_1(expand_dims_last, matrix, us::expand_dims<-1>(a));
UNSPOOL_CASE_1(flatten, cube, us::flatten(a));
UNSPOOL_CASE_1(moveaxis, cube, us::moveaxis<0, -1>(a));
UNSPOOL_CASE_1(moveaxis_back, cube, us::moveaxis<2, 1>(a));
UNSPOOL_CASE_1(swapaxes, cube, us::swapaxes<0, -1>(a));
UNSPOOL_CASE_1(tile, d2x4, us::tile<1, 3>(a));
UNSPOOL_CASE_1(tile_rows, matrix, us::tile<0, 2>(a));
UNSPOOL_CASE_1(repeat, d2x4, us::repeat<1, 3>(a));
UNSPOOL_CASE_1(repeat_rows, matrix, us::repeat<0, 2>(a));
UNSPOOL_CASE_1(broadcast_to, d3x1, us::broadcast_to<2, 3, 4>(a));
UNSPOOL_CASE_1(broadcast_to_scalar, scalar, us::broadcast_to<2, 3>(a));
UNSPOOL_CASE_1(inspect, matrix, us::inspect("a", a));
UNSPOOL_CASE_2(stack, d2x3, d2x3, us::stack(a, b));
UNSPOOL_CASE_2(stack_last, d2x3, d2x3, us::stack<-1>(a, b));
UNSPOOL_CASE_1(diagonal, square, us::diagonal(a));
UNSPOOL_CASE_1(diagonal_above, square, us::diagonal<1>(a));
UNSPOOL_CASE_1(diagonal_below, square, us::diagonal<-2>(a));
UNSPOOL_CASE_1(diag_of_vector, d2, us::diag(a));
UNSPOOL_CASE_1(diag_of_vector_above, d2, us::diag<1>(a));
UNSPOOL_CASE_1(diag_of_vector_below, d2, us::diag<-2>(a));
UNSPOOL_CASE_1(diag_of_matrix, matrix, us::diag(a));
UNSPOOL_CASE_1(diag_of_matrix_above, matrix, us::diag<1>(a));
UNSPOOL_CASE_1(diag_of_matrix_below, matrix, us::diag<-2>(a));
UNSPOOL_CASE_1(tril, matrix, us::tril(a));
UNSPOOL_CASE_1(tril_above, matrix, us::tril<1>(a));
UNSPOOL_CASE_1(tril_below, matrix, us::tril<-2>(a));
UNSPOOL_CASE_1(triu, square, us::triu(a));
UNSPOOL_CASE_1(triu_above, square, us::triu<1>(a));
UNSPOOL_CASE_1(triu_below, square, us::triu<-2>(a));

template <class T>
void check_rearrangements() {
    check<T, pad_rows_case, pad_last_case, roll_forwards_case, roll_backwards_case, flip_rows_case,
          flip_two_case, flip_all_case, squeeze_case, squeeze_last_case, expand_dims_case,
          expand_dims_last_case, flatten_case, moveaxis_case, moveaxis_back_case, swapaxes_case,
          tile_case, tile_rows_case, repeat_case, repeat_rows_case, broadcast_to_case,
          broadcast_to_scalar_case, inspect_case, stack_case, stack_last_case>();
}
template <class T>
void check_diagonals() {
    check<T, diagonal_case, diagonal_above_case, diagonal_below_case, diag_of_vector_case,
          diag_of_vector_above_case, diag_of_vector_below_case, diag_of_matrix_case,
          diag_of_matrix_above_case, diag_of_matrix_below_case, tril_case, tril_above_case,
          tril_below_case, triu_case, triu_above_case, triu_below_case>();
}

}  // namespace

TEST_CASE("rearrangements: values, vjp and jvp of JAX", "[parity]") {
    check_rearrangements<double>();
}
TEST_CASE("rearrangements in float: values, vjp and jvp of JAX", "[parity]") {
    check_rearrangements<float>();
}
TEST_CASE("diagonals and triangles: values, vjp and jvp of JAX", "[parity]") {
    check_diagonals<double>();
}
TEST_CASE("diagonals and triangles in float: values, vjp and jvp of JAX", "[parity]") {
    check_diagonals<float>();
}
