// SPDX-License-Identifier: BSL-1.0
//
// A GRU with Keras' semantics in twenty lines (gru.hpp) learns an envelope follower: the level of a
// noise whose loudness changes, over 256 steps.

#include "gru.hpp"

#include "checks.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace us = unspool;

namespace {

constexpr int steps = 256;
constexpr int batch = 4;
constexpr int units = 8;

// A model is a struct of structs; its gradient has the same type.
template <class T, auto... N>
struct follower;
template <class T, auto Units>
struct follower<T, Units> {
    BOOST_HANA_DEFINE_STRUCT(follower, (examples::gru_params<T, 1, Units>, cell),
                             (us::dense_params<T, Units, 1>, dense));
};
using params = follower<float, units>;  // float: what audio and control use
using sequence = us::tensor<float, steps, batch, 1>;

// A function of any element type: us::check_gradient runs it in double.
template <class T, auto Units>
constexpr auto predict(follower<us::traced<T>, Units> const& p, auto const& xs) {
    us::tensor<us::traced<T>, batch, Units> const silence;  // a default expression is zero
    return us::dense(p.dense, examples::gru(p.cell, xs, silence).second);
}
inline constexpr auto loss = [](auto const& p, auto const& xs, auto const& levels) {
    return us::error_to_signal(predict(p, xs), levels);
};

// Noise whose loudness changes every 64 steps, and its level: |x| through a low-pass filter.
void make_sound(std::uint64_t seed, sequence& xs, sequence& levels) {
    us::fill_normal(xs, seed);
    auto const loudness = us::uniform<float, steps / 64, batch>(seed);
    for (int b = 0; b < batch; ++b) {
        float level = 0;
        for (int t = 0; t < steps; ++t) {
            xs(t, b, 0) *= loudness(t / 64, b);
            level += 0.1F * (std::fabs(xs(t, b, 0)) - level);
            levels(t, b, 0) = level;
        }
    }
}

// Keras' GRU with reset_after=True, as loops over numbers of double precision.
double plain_error(params const& p, sequence const& xs, sequence const& levels) {
    auto const sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
    double error = 0, power = 0;
    for (int b = 0; b < batch; ++b) {
        double h[units] = {};
        for (int t = 0; t < steps; ++t) {
            double from_x[3 * units], from_h[3 * units];
            for (int k = 0; k < 3 * units; ++k) {
                from_x[k] = double{xs(t, b, 0)} * p.cell.kernel(0, k) + p.cell.bias(0, k);
                from_h[k] = p.cell.bias(1, k);
                for (int i = 0; i < units; ++i) from_h[k] += h[i] * p.cell.recurrent_kernel(i, k);
            }
            double y = p.dense.bias[0];
            for (int k = 0; k < units; ++k) {
                double const z = sigma(from_x[k] + from_h[k]);
                double const r = sigma(from_x[units + k] + from_h[units + k]);
                double const n = std::tanh(from_x[2 * units + k] + r * from_h[2 * units + k]);
                h[k] = z * h[k] + (1 - z) * n;
                y += h[k] * p.dense.kernel[k];
            }
            double const level = levels(t, b, 0);
            error += (level - y) * (level - y);
            power += level * level;
        }
    }
    return error / power;
}

}  // namespace

int main() {
    examples::checks all;
    sequence xs, levels;
    make_sound(1, xs, levels);
    params p = us::initial<params>(1);
    us::program step(us::value_and_grad(loss), p, xs, levels);

    std::printf("Before training\n");
    all.close("error", step(p, xs, levels).value, plain_error(p, xs, levels), 1e-5);
    all.good("gradient", us::check_gradient(loss, p, xs, levels));

    std::printf("\nTraining\n");
    us::adam<params> optimiser{.learning_rate = 0.01};
    for (int i = 1; i <= 400; ++i) {
        make_sound(static_cast<std::uint64_t>(i) + 1, xs, levels);  // never the same twice
        auto const& [error, gradient] = step(p, xs, levels);
        optimiser.step(p, gradient, us::clip_factor(gradient, 1.0));
        if (i == 1 || i % 100 == 0) std::printf("  %3d  error %.4f\n", i, error);
    }
    make_sound(1, xs, levels);  // not among them
    std::printf("\nAfter training, on a sound not heard\n");
    all.close("error", step(p, xs, levels).value, plain_error(p, xs, levels), 1e-4);
    all.below("error", step(p, xs, levels).value, 0.02);
    return all.exit_code();
}
