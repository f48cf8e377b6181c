// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an index is out of range
// expect-note: index<4, 4> | Index = 4; int Extent = 4
// twin: s/j <= 4/j < 4/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) {
    auto total = us::sum(x);
    for (int j = 0; j <= 4; ++j) total = total * us::sum(x(us::all, j));
    return total;
};
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
