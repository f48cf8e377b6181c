// SPDX-License-Identifier: BSL-1.0
#include "parity/lstm.hpp"

using unspool_test::parity::check_lstm;

TEST_CASE("LSTM over 64 steps: values and gradients of JAX, PyTorch and Keras", "[parity]") {
    check_lstm<double, 64, 1, 1, 10>("T64_B1_I1_H10");
    check_lstm<float, 64, 1, 1, 10>("T64_B1_I1_H10");
    check_lstm<double, 64, 3, 10, 17>("T64_B3_I10_H17");
    check_lstm<float, 64, 3, 10, 17>("T64_B3_I10_H17");
}
