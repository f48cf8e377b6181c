// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using d1x3 = dims<1, 3>;
using d2x2 = dims<2, 2>;
using d2x3 = dims<2, 3>;
using matrix = dims<3, 4>;
using d7x2 = dims<7, 2>;
using cube = dims<2, 3, 4>;

UNSPOOL_CASE_1(transpose, matrix, us::transpose(a));
UNSPOOL_CASE_1(transpose_021, cube, us::transpose<0, 2, 1>(a));
UNSPOOL_CASE_1(transpose_102, cube, us::transpose<1, 0, 2>(a));
UNSPOOL_CASE_1(transpose_210, cube, us::transpose<2, 1, 0>(a));
UNSPOOL_CASE_1(transpose_120, cube, us::transpose<1, 2, 0>(a));
UNSPOOL_CASE_1(transpose_201, cube, us::transpose<2, 0, 1>(a));
UNSPOOL_CASE_1(reshape_12, matrix, us::reshape<12>(a));
UNSPOOL_CASE_1(reshape_2x6, matrix, us::reshape<2, 6>(a));
UNSPOOL_CASE_1(reshape_2x2x3, matrix, us::reshape<2, 2, 3>(a));
UNSPOOL_CASE_1(reshape_3x4x1, matrix, us::reshape<3, 4, 1>(a));
UNSPOOL_CASE_2(concat_axis0, d2x3, d1x3, us::concatenate<0>(a, b));
UNSPOOL_CASE_2(concat_axis1, d2x3, d2x2, us::concatenate<1>(a, b));
UNSPOOL_CASE_2(concat_three, d2x3, d1x3, us::concatenate<0>(a, b, a));

UNSPOOL_CASE_1(slice_rows, matrix, us::slice<0, 1, 3>(a));
UNSPOOL_CASE_1(slice_columns, matrix, us::slice<1, 1, 3>(a));
UNSPOOL_CASE_1(slice_both, matrix, us::slice<1, 2, 4>(us::slice<0, 0, 2>(a)));
UNSPOOL_CASE_1(slice_stride, matrix,
               us::reshape<3, 2>(us::slice<2, 0, 1>(us::reshape<3, 2, 2>(a))));
UNSPOOL_CASE_1(slice_rank3, cube, us::slice<2, 1, 4>(us::slice<1, 1, 3>(us::slice<0, 0, 1>(a))));
UNSPOOL_CASE_1(index, cube, a[1]);
UNSPOOL_CASE_1(index_last, cube, a[decltype(a)::dims.extent[0] - 1]);
UNSPOOL_CASE_1(reverse, cube, us::concatenate<0>(us::slice<0, 1, 2>(a), us::slice<0, 0, 1>(a)));
UNSPOOL_CASE_1(overlapping, d7x2, us::slice<0, 1, 7>(a) - 0.75 * us::slice<0, 0, 6>(a));
UNSPOOL_CASE_1(split_axis1, matrix, us::split<2, 1>(a));
UNSPOOL_CASE_1(split_axis0, matrix, us::split<3, 0>(a));
UNSPOOL_CASE_1(split_rank3_last, cube, us::split<4>(a));
UNSPOOL_CASE_1(split_uneven, matrix, std::tuple{us::slice<1, 0, 1>(a), us::slice<1, 1, 4>(a)});

}  // namespace

TEST_CASE("transposes, reshapes and concatenations: values, vjp and jvp of JAX", "[parity]") {
    check<double, transpose_case, transpose_021_case, transpose_102_case, transpose_210_case,
          transpose_120_case, transpose_201_case, reshape_12_case, reshape_2x6_case,
          reshape_2x2x3_case, reshape_3x4x1_case, concat_axis0_case, concat_axis1_case,
          concat_three_case>();
}

TEST_CASE("slices and splits: values, vjp and jvp of JAX", "[parity]") {
    check<double, slice_rows_case, slice_columns_case, slice_both_case, slice_stride_case,
          slice_rank3_case, index_case, index_last_case, reverse_case, overlapping_case,
          split_axis1_case, split_axis0_case, split_rank3_last_case, split_uneven_case>();
}
