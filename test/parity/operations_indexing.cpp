// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using d2x3 = dims<2, 3>;
using cube = dims<2, 3, 4>;
using d3 = dims<3>;
using d3x1 = dims<3, 1>;
using matrix = dims<3, 4>;
using row = dims<4>;
using d4x3 = dims<4, 3>;
using d5 = dims<5>;
using d5x3 = dims<5, 3>;

UNSPOOL_CASE_1(at_range, matrix, a(us::all, us::range<1, 3>));
UNSPOOL_CASE_1(at_last, cube, a(us::ellipsis, us::at<-1>));
UNSPOOL_CASE_1(at_step, matrix, a(us::all, us::range<1, us::edge, 2>));
UNSPOOL_CASE_1(at_backwards, matrix,
               a(us::range<us::edge, us::edge, -1>, us::range<us::edge, us::edge, -2>));
UNSPOOL_CASE_1(at_negative, matrix, a(us::range<-2>, us::range<0, -1>));
UNSPOOL_CASE_1(at_newaxis, cube, a(1, us::newaxis, us::all, us::range<2>));
UNSPOOL_CASE_1(at_element, matrix, a(1, 2));
UNSPOOL_CASE_1(take_list, matrix, us::take<1>(a, std::array{3, 0, 1, 0, -1}));
UNSPOOL_CASE_2(one_hot, d3, matrix, b* us::one_hot<4>(a));
UNSPOOL_CASE_2(one_hot_outside, d3, matrix, b* us::one_hot<4>(a));
UNSPOOL_CASE_2(take_rows, d4x3, row, us::take(a, b));
UNSPOOL_CASE_2(take_many, row, d2x3, us::take(a, b));
UNSPOOL_CASE_2(scatter_add, d5, d5x3, us::scatter_add<4>(a, b));
UNSPOOL_CASE_2(scatter_add_many, d2x3, d2x3, us::scatter_add<3>(a, b));
UNSPOOL_CASE_3(where_grid, d3x1, row, matrix, us::where(a > 0, b, c));
UNSPOOL_CASE_2(where_numbers, matrix, row, us::where(a > b, a, 2));
UNSPOOL_CASE_2(where_scalar, scalar, matrix, us::where(a > 0, b, 3 * b));
UNSPOOL_CASE_3(clamp_arrays, matrix, row, d3x1, us::clamp(a, b, c));

template <class T>
void check_indices() {
    check<T, at_range_case, at_last_case, at_step_case, at_backwards_case, at_negative_case,
          at_newaxis_case, at_element_case>();
}
template <class T>
void check_tables() {
    check<T, take_list_case, one_hot_case, one_hot_outside_case, take_rows_case, take_many_case,
          scatter_add_case, scatter_add_many_case, where_grid_case, where_numbers_case,
          where_scalar_case, clamp_arrays_case>();
}

}  // namespace

TEST_CASE("indices: values, vjp and jvp of JAX", "[parity]") { check_indices<double>(); }
TEST_CASE("indices in float: values, vjp and jvp of JAX", "[parity]") { check_indices<float>(); }
TEST_CASE("tables and choices: values, vjp and jvp of JAX", "[parity]") { check_tables<double>(); }
TEST_CASE("tables and choices in float: values, vjp and jvp of JAX", "[parity]") {
    check_tables<float>();
}
