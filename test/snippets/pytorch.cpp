// SPDX-License-Identifier: BSL-1.0
// docs/for-pytorch-users.md
#include <unspool/unspool.hpp>

#include <cmath>
#include <cstdio>
#include <span>
#include <tuple>

namespace us = unspool;

// [convert]
// torch.nn.LSTM: weight_ih_l0 (4H, I), weight_hh_l0 (4H, H), bias_ih_l0 and bias_hh_l0 (4H). The
// gates stand in the same order, i, f, g, o; here the matrices are transposed and the biases added.
template <int Inputs, int Units>
us::lstm_params<float, Inputs, Units>
from_torch(std::span<float const> weight_ih, std::span<float const> weight_hh,
           std::span<float const> bias_ih, std::span<float const> bias_hh) {
    using from_input = us::tensor<float, 4 * Units, Inputs>;
    using from_state = us::tensor<float, 4 * Units, Units>;
    using biases = us::tensor<float, 4 * Units>;
    constexpr auto convert = [](auto ih, auto hh, auto b_ih, auto b_hh) {
        return std::tuple{us::transpose(ih), us::transpose(hh), b_ih + b_hh};
    };
    // us::as checks the number of elements
    auto const [kernel, recurrent_kernel, bias] =
        us::call(convert, us::as<from_input>(weight_ih), us::as<from_state>(weight_hh),
                 us::as<biases>(bias_ih), us::as<biases>(bias_hh));
    return {kernel, recurrent_kernel, bias};
}
// [/convert]

constexpr int steps = 40, batch = 8;
using params = us::lstm_params<float, 2, 6>;
using sequence = us::tensor<float, steps, batch, 2>;
inline constexpr auto loss = [](auto const& cell, auto const& xs, auto const& targets) {
    return us::mean_squared_error(us::lstm(cell, xs).state.h, targets);
};

// torch.nn.LSTM's formula for one sequence
void torch_lstm(float const* w, float const* u, float const* b, float const* d, sequence const& xs,
                float (&h)[6]) {
    auto const sigma = [](float x) { return 1 / (1 + std::exp(-x)); };
    float c[6] = {};
    for (float& x : h) x = 0;
    for (int t = 0; t < steps; ++t) {
        float z[24];
        for (int k = 0; k < 24; ++k) {
            z[k] = b[k] + d[k] + w[2 * k] * xs(t, 0, 0) + w[2 * k + 1] * xs(t, 0, 1);
            for (int i = 0; i < 6; ++i) z[k] += u[6 * k + i] * h[i];
        }
        for (int k = 0; k < 6; ++k) {
            c[k] = sigma(z[6 + k]) * c[k] + sigma(z[k]) * std::tanh(z[12 + k]);
            h[k] = sigma(z[18 + k]) * std::tanh(c[k]);
        }
    }
}

int main() {
    auto const w = us::normal<float, 24, 2>(1), d = us::normal<float, 24, 2>(2);
    auto const u = us::normal<float, 24, 6>(3, 0, 0.4F);
    params net =
        from_torch<2, 6>({w.data(), 48}, {u.data(), 144}, {d.data(), 24}, {d.data() + 24, 24});
    auto const xs = us::normal<float, steps, batch, 2>(4);
    us::tensor<float, batch, 6> targets;
    float expected[6];
    torch_lstm(w.data(), u.data(), d.data(), d.data() + 24, xs, expected);
    auto const h =
        us::call([](auto const& c, auto const& x) { return us::lstm(c, x).state.h; }, net, xs);
    bool same = true;
    for (int k = 0; k < 6; ++k) same = same && std::fabs(h[k] - expected[k]) < 1e-5F;

    // [loop]
    us::adam<params> optimiser{.learning_rate = 1e-2};  // torch.optim.Adam(net.parameters(), 1e-2)
    us::program step(us::value_and_grad(loss), net, xs, targets);
    for (int epoch = 0; epoch < 100; ++epoch) {
        auto const& [value, gradient] = step(net, xs, targets);  // forward, zero_grad, backward
        optimiser.step(net, gradient, us::clip_factor(gradient, 1.0));  // clip_grad_norm_, step
        if (epoch % 50 == 0) std::printf("%.4f\n", double{value});
    }
    // [/loop]
    float const after = step(net, xs, targets).value;
    std::printf("%d %.4f\n", same, double{after});
    return same && after < 0.05F ? 0 : 1;
}
