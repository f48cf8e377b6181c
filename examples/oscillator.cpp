// SPDX-License-Identifier: BSL-1.0
//
// Parameters of a differential equation from a measured trajectory: the frequency and damping of an
// oscillator, fitted by the gradient through a Runge-Kutta solver of 400 steps.

#include "checks.hpp"

#include <unspool/unspool.hpp>

#include <cmath>
#include <cstdio>
#include <utility>

namespace us = unspool;

namespace {

constexpr int steps = 400;
constexpr double dt = 0.02;

// What is fitted. A struct of parameters is a template over its element type, so that the compiler
// can make one of expressions out of it. The gradient comes back as the same struct.
template <class T>
struct oscillator {
    BOOST_HANA_DEFINE_STRUCT(oscillator, (us::tensor<T>, frequency), (us::tensor<T>, damping));
};
using params = oscillator<double>;
using trajectory = us::tensor<double, steps>;

// x'' = -w^2 x - 2 d w x', from x = 1 at rest, by the classic Runge-Kutta method. The loop is a
// scan: the compiler sees its body once, whatever the number of steps, and derives a loop that runs
// backwards. What goes from step to step is the carry, here a pair {x, x'}.
inline constexpr auto simulate = [](auto const& p) {
    auto const stiffness = us::square(p.frequency);
    auto const friction = 2 * p.damping * p.frequency;
    auto const rate = [&](auto const& s) {
        return std::pair{s.second, -stiffness * s.first - friction * s.second};
    };
    auto const moved = [](auto const& s, double h, auto const& k) {
        return std::pair{s.first + h * k.first, s.second + h * k.second};
    };
    auto const step = [&](auto const& s) {
        auto const k1 = rate(s);
        auto const k2 = rate(moved(s, dt / 2, k1));
        auto const k3 = rate(moved(s, dt / 2, k2));
        auto const k4 = rate(moved(s, dt, k3));
        auto next = moved(s, dt / 6, k1);
        next = moved(next, dt / 3, k2);
        next = moved(next, dt / 3, k3);
        next = moved(next, dt / 6, k4);
        return std::pair{next, next.first};  // {carry, output}
    };
    return us::scan<steps>(step, std::pair{1.0, 0.0}).second;
};

inline constexpr auto loss = [](auto const& p, auto const& measured) {
    return us::mean_squared_error(simulate(p), measured);
};

// The solution, as a formula.
trajectory exact(double frequency, double damping) {
    trajectory x;
    double const ringing = frequency * std::sqrt(1 - damping * damping);
    for (int i = 0; i < steps; ++i) {
        double const t = dt * (i + 1);
        x[i] = std::exp(-damping * frequency * t) *
               (std::cos(ringing * t) + damping * frequency / ringing * std::sin(ringing * t));
    }
    return x;
}

params fit(params const& guess, trajectory const& measured) {
    params p = guess;
    us::adam<params> optimiser{.learning_rate = 0.02};
    us::program step(us::value_and_grad(loss), p, measured);  // plans once
    for (int i = 1; i <= 400; ++i) {
        auto const& [error, gradient] = step(p, measured);
        if (i == 1 || i % 100 == 0)
            std::printf("  %4d  error %.3e  frequency %.6f  damping %.6f\n", i, error,
                        double{p.frequency}, double{p.damping});
        optimiser.step(p, gradient);
        optimiser.learning_rate *= 0.995;
    }
    return p;
}

}  // namespace

int main() {
    examples::checks all;
    params const truth{2.0, 0.1};
    params const guess{1.5, 0.3};

    trajectory const solution = exact(truth.frequency, truth.damping);
    trajectory const simulated = us::call(simulate, truth);
    double worst = 0;
    for (int i = 0; i < steps; ++i) worst = std::fmax(worst, std::abs(simulated[i] - solution[i]));
    std::printf("The solver and its gradient\n");
    all.below("|simulated - exact solution|", worst, 1e-7);
    all.good("gradient", us::check_gradient(loss, guess, solution));

    std::printf("\nFitted to the solution\n");
    params const found = fit(guess, solution);
    all.close("frequency", found.frequency, truth.frequency, 1e-6);
    all.close("damping", found.damping, truth.damping, 1e-6);

    std::printf("\nFitted to the solution with noise of 0.05\n");
    trajectory noisy = us::normal<double, steps>(3, 0, 0.05);
    for (int i = 0; i < steps; ++i) noisy[i] += solution[i];
    params const estimate = fit(guess, noisy);
    all.close("frequency", estimate.frequency, truth.frequency, 0.01);
    all.close("damping", estimate.damping, truth.damping, 0.05);
    return all.exit_code();
}
