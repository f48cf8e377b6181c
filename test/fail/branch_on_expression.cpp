// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an expression has no value while it is traced
// twin: s/us::sum(x) > 0/us::sum<0, 1>(x).rank > 0/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) {
    if (us::sum(x) > 0) x = -x;
    return x;
};
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
