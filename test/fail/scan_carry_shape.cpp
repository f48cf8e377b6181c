// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a scan's body returns a carry of another structure or shape than init
// expect-note: checked_step<
// expect-note: double>, 3>
// expect-note: double, 3, 3>
// twin: s/us::tensor<double, 3>/us::tensor<double, 3, 3>/
#include <unspool/unspool.hpp>

namespace us = unspool;

// [code]
constexpr auto forward_pass = [](auto init, auto xs) {
    auto const step = [](auto h, auto x) { return std::pair{h + us::reshape<3, 1>(x), h}; };
    return us::scan(step, init, xs);
};
us::program planned(forward_pass, us::tensor<double, 3>{}, us::tensor<double, 5, 3>{});
// [/code]
