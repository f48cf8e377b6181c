// SPDX-License-Identifier: BSL-1.0
// expect: unspool: no operand of an operation depends on an argument
// expect-note: pad
// twin: s/us::pad<0, 1, 1>(ones)/us::pad<0, 1, 1>(x)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) {
    decltype(x) ones;
    ones.fill = 1;
    return us::sum(x) * us::pad<0, 1, 1>(ones);
};
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
