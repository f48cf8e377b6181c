// SPDX-License-Identifier: BSL-1.0
#include "parity/lstm.hpp"

using unspool_test::parity::check_lstm;

TEST_CASE("LSTM over one step: values and gradients of JAX, PyTorch and Keras", "[parity]") {
    check_lstm<double, 1, 1, 1, 1>("T1_B1_I1_H1");
    check_lstm<float, 1, 1, 1, 1>("T1_B1_I1_H1");
    check_lstm<double, 1, 3, 7, 10>("T1_B3_I7_H10");
    check_lstm<float, 1, 3, 7, 10>("T1_B3_I7_H10");
}
