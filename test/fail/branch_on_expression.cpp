// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an expression has no value while it is traced
// twin: s/us::sum(x) > 0/us::sum<0, 1>(x).rank > 0/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto value = [](auto x) {
    if (us::sum(x) > 0) x = -x;
    return x;
};
us::program planned(value, us::tensor<double, 3, 4>{});
