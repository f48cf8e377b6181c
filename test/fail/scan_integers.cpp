// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a scan's init and inputs are all integers
// expect-note: number_type<void> | T = void
// twin: s/step, 0)/step, 0.0)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) {
    auto const step = [&](auto sum) { return std::pair{sum + x, sum * x}; };
    return us::scan<5>(step, 0);
};
us::program planned(forward_pass, 1.5);
