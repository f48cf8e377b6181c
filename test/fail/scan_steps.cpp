// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a scan's input does not have as many steps, its first extent, as the scan
// expect-note: sequence<4 | Steps = 4
// expect-note: 5, 3>
// twin: s/scan<4>/scan<5>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto init, auto xs) {
    auto const step = [](auto h, auto x) { return std::pair{h + x, h}; };
    return us::scan<4>(step, init, xs);
};
us::program planned(forward_pass, us::tensor<double, 3>{}, us::tensor<double, 5, 3>{});
