// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a struct has members that its BOOST_HANA_DEFINE_STRUCT does not list
// expect-note: scaled<
// twin: s/    us::tensor<T, Units> gain;/    static constexpr bool has_gain = false;/
#include <unspool/unspool.hpp>

namespace us = unspool;

template <class T, auto Units>
struct scaled : us::dense_params<T, 3, Units> {
    us::tensor<T, Units> gain;
};
constexpr auto loss = [](auto p) { return us::sum(us::square(p.kernel)); };
us::program planned(us::grad(loss, us::unused::zero), scaled<double, 2>{});
