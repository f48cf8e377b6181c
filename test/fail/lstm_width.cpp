// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an LSTM's input has another width than the layer has inputs
// expect-note: lstm<
// expect-note: 5, 1, 8>
// twin: s/5, 1, 8/5, 1, 3/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto cell, auto xs) { return us::mean(us::lstm(cell, xs).outputs); };
us::program planned(us::grad(loss), us::lstm_params<double, 3, 4>{}, us::tensor<double, 5, 1, 8>{});
