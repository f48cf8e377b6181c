// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a scan's body returns a carry of another structure or shape than init
// expect-note: checked_step<
// expect-note: tuple<
// twin: s/std::pair{h + x, h}/std::pair{std::tuple{h + x}, h}/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto init, auto xs) {
    auto const step = [](auto carry, auto x) {
        auto const [h] = carry;
        return std::pair{h + x, h};
    };
    return us::scan(step, std::tuple{init}, xs);
};
us::program planned(forward_pass, us::tensor<double, 3>{}, us::tensor<double, 5, 3>{});
