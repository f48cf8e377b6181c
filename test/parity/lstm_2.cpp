// SPDX-License-Identifier: BSL-1.0
#include "parity/lstm.hpp"

using unspool_test::parity::check_lstm;

TEST_CASE("LSTM over 2 steps: values and gradients of JAX, PyTorch and Keras", "[parity]") {
    check_lstm<double, 2, 1, 3, 7>("T2_B1_I3_H7");
    check_lstm<float, 2, 1, 3, 7>("T2_B1_I3_H7");
    check_lstm<double, 2, 10, 17, 3>("T2_B10_I17_H3");
    check_lstm<float, 2, 10, 17, 3>("T2_B10_I17_H3");
}
