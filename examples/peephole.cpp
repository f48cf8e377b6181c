// SPDX-License-Identifier: BSL-1.0
//
// A cell of your own, peephole.hpp: nothing in the library knows it; its gradient is derived like
// any other. It learns to remember: a number goes by, marked, and must be kept until the next mark.

#include "peephole.hpp"
#include "checks.hpp"

#include <unspool/unspool.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace us = unspool;

namespace {

// The cell of peephole.hpp, read by a dense layer: a model is a struct of structs.
template <class T, auto... N>
struct memory_params;
template <class T, auto Inputs, auto Units>
struct memory_params<T, Inputs, Units> {
    BOOST_HANA_DEFINE_STRUCT(memory_params, (examples::peephole_params<T, Inputs, Units>, cell),
                             (us::dense_params<T, Units, 1>, readout));
};
inline constexpr auto network = [](auto const& p, auto const& xs) {
    return us::dense(p.readout, examples::peephole(p.cell, xs));
};
inline constexpr auto loss = [](auto const& p, auto const& xs, auto const& targets) {
    return us::mean_squared_error(network(p, xs), targets);
};

constexpr int steps = 200;
constexpr int batch = 8;
constexpr int units = 12;
using params = memory_params<double, 2, units>;
using inputs = us::tensor<double, steps, batch, 2>;
using outputs = us::tensor<double, steps, batch, 1>;

// The task: input 0 is noise in [-1, 1), input 1 marks about one step in twenty; the target is the
// marked number, until the next one.
void make_task(std::uint64_t seed, inputs& xs, outputs& targets) {
    auto const numbers = us::uniform<double, steps, batch>(seed, -1, 1);
    auto const marks = us::uniform<double, steps, batch>(seed + 1);
    for (int b = 0; b < batch; ++b) {
        double kept = 0;
        for (int t = 0; t < steps; ++t) {
            bool const marked = marks(t, b) < 0.05;
            if (marked) kept = numbers(t, b);
            xs(t, b, 0) = numbers(t, b);
            xs(t, b, 1) = marked;
            targets(t, b, 0) = kept;
        }
    }
}

// The same network as loops over numbers.
double plain_loss(params const& p, inputs const& xs, outputs const& targets) {
    auto const sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
    double total = 0;
    for (int b = 0; b < batch; ++b) {
        double h[units] = {}, c[units] = {};
        for (int t = 0; t < steps; ++t) {
            double z[4 * units];
            for (int k = 0; k < 4 * units; ++k) {
                z[k] = p.cell.bias[k];
                for (int i = 0; i < 2; ++i) z[k] += xs(t, b, i) * p.cell.kernel(i, k);
                for (int i = 0; i < units; ++i) z[k] += h[i] * p.cell.recurrent_kernel(i, k);
            }
            double y = p.readout.bias[0];
            for (int k = 0; k < units; ++k) {
                double const in = sigma(z[k] + p.cell.peepholes(0, k) * c[k]);
                double const forget = sigma(z[units + k] + p.cell.peepholes(1, k) * c[k]);
                c[k] = forget * c[k] + in * std::tanh(z[2 * units + k]);
                h[k] = sigma(z[3 * units + k] + p.cell.peepholes(2, k) * c[k]) * std::tanh(c[k]);
                y += h[k] * p.readout.kernel[k];
            }
            total += (y - targets(t, b, 0)) * (y - targets(t, b, 0));
        }
    }
    return total / (steps * batch);
}

}  // namespace

int main() {
    examples::checks all;
    params p = us::initial<params>(1);
    inputs xs;
    outputs targets;
    make_task(100, xs, targets);

    // A program for the value and gradient: planned at compile time, its memory is made here once.
    us::program step(us::value_and_grad(loss), p, xs, targets);

    std::printf("Before training, with peepholes that are not zero\n");
    params shaken = p;
    us::fill_normal(shaken.cell.peepholes, 7);
    all.close("loss", step(shaken, xs, targets).value, plain_loss(shaken, xs, targets), 1e-12);
    all.good("gradient", us::check_gradient(loss, shaken, xs, targets));

    std::printf("\nTraining over %d steps: the mean square of the targets is a third\n", steps);
    us::adam<params> optimiser{.learning_rate = 0.02};
    for (int i = 1; i <= 300; ++i) {
        make_task(2 * static_cast<std::uint64_t>(i) + 1000, xs, targets);  // never the same twice
        auto const& [error, gradient] = step(p, xs, targets);
        optimiser.step(p, gradient, us::clip_factor(gradient, 1.0));
        if (i == 1 || i % 100 == 0) std::printf("  %3d  error %.4f\n", i, error);
    }
    make_task(100, xs, targets);  // not among them
    all.below("error on a task not seen", step(p, xs, targets).value, 0.03);
    return all.exit_code();
}
