// SPDX-License-Identifier: BSL-1.0
//
// Noise levels from data: the likelihood of 200 observations of a moving object by a Kalman filter,
// maximised by its gradient. The filter has two states (place, speed) and observes the place.

#include "checks.hpp"

#include <unspool/unspool.hpp>

#include <cmath>
#include <cstdio>
#include <utility>

namespace us = unspool;

namespace {

constexpr int steps = 200;
constexpr double dt = 0.1;
constexpr double two_pi = 6.283185307179586;
using observations = us::tensor<double, steps>;

// Standard deviations are positive: their logarithms are what may take any value.
template <class T>
struct noise_levels {
    BOOST_HANA_DEFINE_STRUCT(noise_levels, (us::tensor<T>, log_push), (us::tensor<T>, log_sensor));
};
using params = noise_levels<double>;

// Constants of the model: place += dt * speed, and what a random push during dt does to both.
constexpr us::tensor<double, 2, 2> motion{1, dt, 0, 1};
constexpr us::tensor<double, 2, 2> motion_transposed{1, 0, dt, 1};
constexpr us::tensor<double, 2, 2> push{dt * dt * dt / 3, dt* dt / 2, dt* dt / 2, dt};
constexpr us::tensor<double, 2, 2> prior{1, 0, 0, 1};

// The logarithm of the probability of all observations.
inline constexpr auto log_likelihood = [](auto const& p, auto const& ys) {
    auto const Q = us::exp(2 * p.log_push) * push;
    auto const R = us::exp(2 * p.log_sensor);

    auto const step = [&](auto const& belief, auto const& y) {
        auto const& [mean, covariance] = belief;
        // Predict: the object moves.
        auto const m = us::dot(us::constant(motion), mean);
        auto const P =
            us::dot(us::dot(us::constant(motion), covariance), us::constant(motion_transposed)) + Q;
        // Correct: what was seen, less what was expected, pulls on both states.
        auto const surprise = y - m[0];
        auto const S = P[0][0] + R;
        auto const gain = P[0] / S;  // P is symmetric: its first row is its first column
        auto const corrected = std::pair{m + gain * surprise, P - us::outer(gain, P[0])};
        auto const log_density = -0.5 * (us::log(two_pi * S) + us::square(surprise) / S);
        return std::pair{corrected, log_density};
    };
    us::tensor<us::traced<double>, 2> const origin;
    return us::sum(us::scan(step, std::pair{origin, us::constant(prior)}, ys).second);
};
inline constexpr auto loss = [](auto const& p, auto const& ys) { return -log_likelihood(p, ys); };

// The same filter as numbers in a loop, to hold the one above to.
double plain_log_likelihood(double log_push, double log_sensor, observations const& ys) {
    double const q = std::exp(2 * log_push), r = std::exp(2 * log_sensor);
    double x = 0, v = 0, xx = 1, xv = 0, vv = 1, total = 0;
    for (double const y : ys) {
        x += dt * v;
        xx += 2 * dt * xv + dt * dt * vv + q * dt * dt * dt / 3;
        xv += dt * vv + q * dt * dt / 2;
        vv += q * dt;
        double const s = xx + r, e = y - x, gx = xx / s, gv = xv / s;
        total -= 0.5 * (std::log(two_pi * s) + e * e / s);
        x += gx * e;
        v += gv * e;
        vv -= gv * xv;
        xv -= gx * xv;
        xx -= gx * xx;
    }
    return total;
}

// A five-point difference of the plain filter.
template <class F>
double slope(F f) {
    double const h = 1e-3;
    return (f(-2 * h) - 8 * f(-h) + 8 * f(h) - f(2 * h)) / (12 * h);
}

// An object pushed at random, seen through a noisy sensor.
observations observe(double push_level, double sensor_level) {
    observations const pushes = us::normal<double, steps>(11, 0, push_level * std::sqrt(dt));
    observations ys = us::normal<double, steps>(12, 0, sensor_level);
    double place = 0, speed = 0.5;
    for (int t = 0; t < steps; ++t) {
        place += dt * (speed + pushes[t] / 2);
        speed += pushes[t];
        ys[t] += place;
    }
    return ys;
}

}  // namespace

int main() {
    examples::checks all;
    observations const ys = observe(0.8, 0.3);
    params p{std::log(0.1), std::log(2.0)};  // far from it
    us::program step(us::value_and_grad(loss), p, ys);

    auto compare = [&] {
        auto const& [value, gradient] = step(p, ys);
        double const q = p.log_push, r = p.log_sensor;
        all.close("log-likelihood", -value, plain_log_likelihood(q, r, ys), 1e-11);
        // relative to the 200 observations, since the gradient vanishes at the maximum
        all.close("d/d log push", -gradient.log_push,
                  slope([&](double h) { return plain_log_likelihood(q + h, r, ys); }), 1e-9, steps);
        all.close("d/d log sensor", -gradient.log_sensor,
                  slope([&](double h) { return plain_log_likelihood(q, r + h, ys); }), 1e-9, steps);
    };
    std::printf("At the start: push %.3f, sensor %.3f\n", std::exp(p.log_push),
                std::exp(p.log_sensor));
    compare();

    us::adam<params> optimiser{.learning_rate = 0.05};
    for (int i = 0; i < 1000; ++i) {
        optimiser.step(p, step(p, ys).gradient);
        optimiser.learning_rate *= 0.995;
    }
    std::printf("\nAt the maximum: push %.3f, sensor %.3f (the data were made with 0.8 and 0.3)\n",
                std::exp(p.log_push), std::exp(p.log_sensor));
    compare();
    all.below("|gradient|", us::global_norm(step(p, ys).gradient), 1e-3);
    all.below("likelihood of the truth, less ours",
              plain_log_likelihood(std::log(0.8), std::log(0.3), ys) + step(p, ys).value, 0);
    all.close("push", std::exp(p.log_push), 0.8, 0.3);
    all.close("sensor", std::exp(p.log_sensor), 0.3, 0.1);
    return all.exit_code();
}
