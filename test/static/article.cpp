// SPDX-License-Identifier: BSL-1.0
// The article's model in constants: loss and full gradient against the figures of TensorFlow 2.21
// (float64, Keras' LSTMCell), and the gradient against differences, all by the compiler.
#include <unspool/check/gradient_error.hpp>
#include <unspool/unspool.hpp>

namespace us = unspool;

using params = us::lstm_params<double, 10, 10>;
using sequence = us::tensor<double, 10, 1, 10>;

inline constexpr auto loss = [](auto cell, auto xs) {
    return us::mean(us::lstm(cell, xs).outputs);
};
inline constexpr auto last_loss = [](auto cell, auto xs) {
    return us::sum(us::lstm(cell, xs).state.h) / 100;
};

template <class Tensor>
constexpr Tensor sines(double scale, double rate, double phase) {
    Tensor x;
    for (int k = 0; k < x.size(); ++k) x[k] = scale * us::math::sin(rate * k + phase);
    return x;
}
constexpr params cell = [] {
    params p;
    p.kernel = sines<us::tensor<double, 10, 40>>(0.3, 0.7, 0.1);
    p.recurrent_kernel = sines<us::tensor<double, 10, 40>>(0.3, 0.9, 0.2);
    p.bias = sines<us::tensor<double, 40>>(0.1, 1, 0.3);
    return p;
}();
constexpr auto xs = sines<sequence>(1, 0.37, 0.4);

constexpr bool close(double a, double b, double relative = 1e-12) {
    return us::math::abs(a - b) <= relative * us::math::abs(b);
}

// One tape over all steps: value and all 840 entries as one constant.
constexpr auto full = us::value_and_grad(loss)(cell, xs);
static_assert(close(full.value, 0.0022825558165383304));
static_assert(close(us::global_norm(full.gradient.kernel), 0.016192195956404618));
static_assert(close(us::global_norm(full.gradient.recurrent_kernel), 0.01148355412596822));
static_assert(close(us::global_norm(full.gradient.bias), 0.1410399156787282));

// The last step's part of the loss only.
constexpr auto last = us::value_and_grad(last_loss)(cell, xs);
static_assert(close(last.value, 0.00045033457451529557));
static_assert(close(us::global_norm(last.gradient.kernel), 0.012248137502953501));
static_assert(close(us::global_norm(last.gradient.recurrent_kernel), 0.0016320393183315994));
static_assert(close(us::global_norm(last.gradient.bias), 0.01575801148705047));

static_assert(us::gradient_error<loss, cell, xs> < 1e-8);
static_assert(us::gradient_error_wrt<1, loss, cell, xs> < 1e-8);
