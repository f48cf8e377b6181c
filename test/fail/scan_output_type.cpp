// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an argument or result is neither a tensor, a number, a tuple
// expect-note: structure<
// twin: s/std::pair{h + x, "h"}/std::pair{h + x, h}/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto init, auto xs) {
    auto const step = [](auto h, auto x) { return std::pair{h + x, "h"}; };
    return us::scan(step, init, xs);
};
us::program planned(forward_pass, us::tensor<double, 3>{}, us::tensor<double, 5, 3>{});
