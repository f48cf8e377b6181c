// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an argument or result is neither a tensor, a number
// expect-note: structure<marker> | X = marker
// twin: s/return marker{}/return w/
#include <unspool/unspool.hpp>

namespace us = unspool;

struct marker {};
constexpr auto forward_pass = [](auto w) {
    (void)w;
    return marker{};
};
us::program planned(forward_pass, us::tensor<double, 3>{});
