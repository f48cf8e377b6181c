// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a scan's body returns a pair {carry, y}
// expect-note: checked_step<
// expect-note: op::add, double, 3>
// twin: s/return h + x;/return std::pair{h + x, h};/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto init, auto xs) {
    auto const step = [](auto h, auto x) { return h + x; };
    return us::scan(step, init, xs);
};
us::program planned(forward_pass, us::tensor<double, 3>{}, us::tensor<double, 5, 3>{});
