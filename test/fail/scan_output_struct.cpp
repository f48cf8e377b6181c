// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the input and the output of a scan are tensors, tuples
// expect-note: lstm_state
// twin: s/{next, next}/{next, next.h}/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto init, auto xs) {
    auto const step = [](auto const& state, auto const& x) {
        auto const next = us::lstm_cell(us::as_traced<us::lstm_params<double, 3, 2>>{}, x, state);
        return std::pair{next, next};
    };
    return us::scan(step, init, xs);
};
us::program planned(forward_pass, us::lstm_state<double, 1, 2>{}, us::tensor<double, 5, 1, 3>{});
