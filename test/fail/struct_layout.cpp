// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an xt::xtensor_fixed is not row-major
// twin: s/column_major/row_major/
#include <unspool/ext/xtensor.hpp>
#include <unspool/unspool.hpp>

namespace us = unspool;

template <class T>
struct params {
    using matrix = xt::xtensor_fixed<T, xt::xshape<2, 3>, xt::layout_type::column_major>;
    BOOST_HANA_DEFINE_STRUCT(params, (matrix, w));
};
constexpr auto loss = [](auto p) { return us::sum(us::square(p.w)); };
us::program planned(us::grad(loss), params<double>{});
