// SPDX-License-Identifier: BSL-1.0
#include "parity/lstm.hpp"

using unspool_test::parity::check_lstm;

TEST_CASE("LSTM over 10 steps, larger batches: values and gradients of JAX, PyTorch and Keras",
          "[parity]") {
    check_lstm<double, 10, 7, 33, 10>("T10_B7_I33_H10");
    check_lstm<float, 10, 7, 33, 10>("T10_B7_I33_H10");
    check_lstm<double, 10, 17, 10, 7>("T10_B17_I10_H7");
    check_lstm<float, 10, 17, 10, 7>("T10_B17_I10_H7");
}
