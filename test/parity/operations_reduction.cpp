// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using cube = dims<2, 3, 4>;

UNSPOOL_CASE_1(sum_axis0, cube, us::sum<0>(a));
UNSPOOL_CASE_1(sum_axis1, cube, us::sum<1>(a));
UNSPOOL_CASE_1(sum_axis2, cube, us::sum<2>(a));
UNSPOOL_CASE_1(sum_axis01, cube, us::sum<0, 1>(a));
UNSPOOL_CASE_1(sum_axis02, cube, us::sum<0, 2>(a));
UNSPOOL_CASE_1(sum_axis12, cube, us::sum<1, 2>(a));
UNSPOOL_CASE_1(sum_all, cube, us::sum(a));
UNSPOOL_CASE_1(sum_keep, cube, us::reshape<2, 1, 4>(us::sum<1>(a)));
UNSPOOL_CASE_1(sum_centred, cube, a - us::reshape<2, 3, 1>(us::sum<2>(a)));

UNSPOOL_CASE_1(mean_axis0, cube, us::mean<0>(a));
UNSPOOL_CASE_1(mean_axis1, cube, us::mean<1>(a));
UNSPOOL_CASE_1(mean_axis2, cube, us::mean<2>(a));
UNSPOOL_CASE_1(mean_axis01, cube, us::mean<0, 1>(a));
UNSPOOL_CASE_1(mean_axis02, cube, us::mean<0, 2>(a));
UNSPOOL_CASE_1(mean_axis12, cube, us::mean<1, 2>(a));
UNSPOOL_CASE_1(mean_all, cube, us::mean(a));
UNSPOOL_CASE_1(mean_keep, cube, us::reshape<2, 1, 4>(us::mean<1>(a)));
UNSPOOL_CASE_1(mean_centred, cube, a - us::reshape<2, 3, 1>(us::mean<2>(a)));

UNSPOOL_CASE_1(max_axis0, cube, us::max<0>(a));
UNSPOOL_CASE_1(max_axis1, cube, us::max<1>(a));
UNSPOOL_CASE_1(max_axis2, cube, us::max<2>(a));
UNSPOOL_CASE_1(max_axis01, cube, us::max<0, 1>(a));
UNSPOOL_CASE_1(max_axis02, cube, us::max<0, 2>(a));
UNSPOOL_CASE_1(max_axis12, cube, us::max<1, 2>(a));
UNSPOOL_CASE_1(max_all, cube, us::max(a));
UNSPOOL_CASE_1(max_keep, cube, us::reshape<2, 1, 4>(us::max<1>(a)));
UNSPOOL_CASE_1(max_centred, cube, a - us::reshape<2, 3, 1>(us::max<2>(a)));

UNSPOOL_CASE_1(min_axis0, cube, us::min<0>(a));
UNSPOOL_CASE_1(min_axis1, cube, us::min<1>(a));
UNSPOOL_CASE_1(min_axis2, cube, us::min<2>(a));
UNSPOOL_CASE_1(min_axis01, cube, us::min<0, 1>(a));
UNSPOOL_CASE_1(min_axis02, cube, us::min<0, 2>(a));
UNSPOOL_CASE_1(min_axis12, cube, us::min<1, 2>(a));
UNSPOOL_CASE_1(min_all, cube, us::min(a));
UNSPOOL_CASE_1(min_keep, cube, us::reshape<2, 1, 4>(us::min<1>(a)));
UNSPOOL_CASE_1(min_centred, cube, a - us::reshape<2, 3, 1>(us::min<2>(a)));

}  // namespace

TEST_CASE("sums: values, vjp and jvp of JAX", "[parity]") {
    check<double, sum_axis0_case, sum_axis1_case, sum_axis2_case, sum_axis01_case, sum_axis02_case,
          sum_axis12_case, sum_all_case, sum_keep_case, sum_centred_case>();
}

TEST_CASE("means: values, vjp and jvp of JAX", "[parity]") {
    check<double, mean_axis0_case, mean_axis1_case, mean_axis2_case, mean_axis01_case,
          mean_axis02_case, mean_axis12_case, mean_all_case, mean_keep_case, mean_centred_case>();
}

TEST_CASE("largest elements: values, vjp and jvp of JAX", "[parity]") {
    check<double, max_axis0_case, max_axis1_case, max_axis2_case, max_axis01_case, max_axis02_case,
          max_axis12_case, max_all_case, max_keep_case, max_centred_case>();
}

TEST_CASE("smallest elements: values, vjp and jvp of JAX", "[parity]") {
    check<double, min_axis0_case, min_axis1_case, min_axis2_case, min_axis01_case, min_axis02_case,
          min_axis12_case, min_all_case, min_keep_case, min_centred_case>();
}
