// SPDX-License-Identifier: BSL-1.0
// expect: unspool: as<tensor>(x) takes an array of the tensor's shape
// expect-note: int [8]{3, 2} | {3, 2, 0
// twin: s/3, 2>>(x)/2, 3>>(x)/
#include <unspool/ext/xtensor.hpp>

namespace us = unspool;

auto twice(xt::xtensor_fixed<double, xt::xshape<2, 3>> const& x) {
    return us::as<us::tensor<double, 3, 2>>(x);
}
