// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a struct of parameters is a template whose first argument is the element type
// expect-note: structure<fixed> | X = fixed
// twin: s/planned(us::grad(loss), fixed{})/planned(us::grad(loss), generic<double>{})/
#include <unspool/unspool.hpp>

namespace us = unspool;

template <class T>
struct generic {
    BOOST_HANA_DEFINE_STRUCT(generic, (us::tensor<T, 3>, w));
};
struct fixed {
    BOOST_HANA_DEFINE_STRUCT(fixed, (us::tensor<double, 3>, w));
};
constexpr auto loss = [](auto p) { return us::sum(us::square(p.w)); };
us::program planned(us::grad(loss), fixed{});
