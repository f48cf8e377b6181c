// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an expression is used outside of the loop body that made it
// twin: s/return leaked;/return ys;/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto init, auto xs) {
    auto leaked = init;
    auto const step = [&](auto h, auto x) {
        leaked = us::tanh(h + x);
        return std::pair{leaked, leaked};
    };
    auto const [last, ys] = us::scan(step, init, xs);
    (void)last;
    (void)ys;
    return leaked;
};
us::program planned(forward_pass, us::tensor<double, 3>{}, us::tensor<double, 5, 3>{});
