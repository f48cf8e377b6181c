// SPDX-License-Identifier: BSL-1.0
#include "parity/lstm.hpp"

using unspool_test::parity::check_lstm;

TEST_CASE("LSTM over 64 steps, larger batches: values and gradients of JAX, PyTorch and Keras",
          "[parity]") {
    check_lstm<double, 64, 33, 3, 1>("T64_B33_I3_H1");
    check_lstm<float, 64, 33, 3, 1>("T64_B33_I3_H1");
    check_lstm<double, 64, 10, 17, 33>("T64_B10_I17_H33");
    check_lstm<float, 64, 10, 17, 33>("T64_B10_I17_H33");
}
