// SPDX-License-Identifier: BSL-1.0
#include "parity/lstm.hpp"

using unspool_test::parity::check_lstm;

TEST_CASE("LSTM over 10 steps: values and gradients of JAX, PyTorch and Keras", "[parity]") {
    check_lstm<double, 10, 1, 1, 17>("T10_B1_I1_H17");
    check_lstm<float, 10, 1, 1, 17>("T10_B1_I1_H17");
    check_lstm<double, 10, 3, 3, 33>("T10_B3_I3_H33");
    check_lstm<float, 10, 3, 3, 33>("T10_B3_I3_H33");
}
