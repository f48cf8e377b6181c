// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an array or expression of another library is an argument through us::as
// expect-note: structure<xt:: | X = xt::
// twin: s/planned(f, x + x)/planned(f, us::as<us::tensor<double, 2>>(x + x))/
#include <unspool/ext/xtensor.hpp>
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto f = [](auto x) { return us::sum(x); };
xt::xtensor_fixed<double, xt::xshape<2>> const x{1, 2};
us::program planned(f, x + x);
