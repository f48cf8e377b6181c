// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an LSTM's input is time-major, (T, batch, inputs)
// expect-note: lstm<
// expect-note: 5, 3>
// twin: s/us::tensor<double, 5, 3>/us::tensor<double, 5, 1, 3>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto cell, auto xs) { return us::mean(us::lstm(cell, xs).outputs); };
us::program planned(us::grad(loss), us::lstm_params<double, 3, 4>{}, us::tensor<double, 5, 3>{});
