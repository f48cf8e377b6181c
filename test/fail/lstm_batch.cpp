// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an LSTM's state has another batch than its input
// expect-note: lstm<
// expect-note: 5, 2, 3>
// twin: s/lstm_state<double, 1, 4>/lstm_state<double, 2, 4>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto cell, auto xs, auto state) {
    return us::mean(us::lstm(cell, xs, state).outputs);
};
us::program planned(us::grad(loss), us::lstm_params<double, 3, 4>{}, us::tensor<double, 5, 2, 3>{},
                    us::lstm_state<double, 1, 4>{});
