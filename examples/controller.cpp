// SPDX-License-Identifier: BSL-1.0
//
// A controller that tunes itself: at every tick, the gradient of the predicted cost of the next 300
// ticks with respect to the gains of a PID controller. The plant is a motor and a load on a spring.

#include "checks.hpp"

#include <unspool/unspool.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

namespace us = unspool;

namespace {

constexpr double tick = 0.01;     // s
constexpr int horizon = 300;      // ticks that a prediction sees
constexpr double effort = 0.002;  // what a unit of the control signal squared costs

// The same struct for numbers and for expressions: T is double or traced<double>.
template <class T>
struct pid_gains {
    BOOST_HANA_DEFINE_STRUCT(pid_gains, (us::tensor<T>, proportional), (us::tensor<T>, integral),
                             (us::tensor<T>, derivative));
};
// What goes from tick to tick: the place and speed of the load, the force of the motor, which
// follows the control signal with a lag, and the controller's integral of the error.
template <class T>
struct loop_state {
    BOOST_HANA_DEFINE_STRUCT(loop_state, (us::tensor<T>, place), (us::tensor<T>, speed),
                             (us::tensor<T>, force), (us::tensor<T>, integral));
};
using gains = pid_gains<double>;
using state = loop_state<double>;

// One tick: the state after it, and the cost. The same text is the model that is differentiated,
// and, in a program of its own, the machine that is controlled.
inline constexpr auto advance = [](auto const& k, auto s, auto const& target) {
    auto const error = target - s.place;
    auto const control = k.proportional * error + k.integral * s.integral - k.derivative * s.speed;
    s.integral = s.integral + tick * error;
    s.force = s.force + tick / 0.05 * (control - s.force);
    s.speed = s.speed + tick * (s.force - 4.0 * s.place - 0.4 * s.speed);
    s.place = s.place + tick * s.speed;
    return std::pair{s, us::square(error) + effort * us::square(control)};
};

// The mean cost over the horizon, if the gains stay as they are. A scan carries structs as well.
inline constexpr auto predicted_cost = [](auto const& k, auto const& now, auto const& target) {
    auto const step = [&](auto const& s) { return advance(k, s, target); };
    return us::mean(us::scan<horizon>(step, now).second);
};

// The same, written for numbers.
double plain_cost(double kp, double ki, double kd, double target) {
    double x = 0, v = 0, force = 0, integral = 0, cost = 0;
    for (int t = 0; t < horizon; ++t) {
        double const error = target - x;
        double const control = kp * error + ki * integral - kd * v;
        cost += error * error + effort * control * control;
        integral += tick * error;
        force += tick / 0.05 * (control - force);
        v += tick * (force - 4.0 * x - 0.4 * v);
        x += tick * v;
    }
    return cost / horizon;
}
double slope(double kp, double ki, double kd, int which) {
    double const h = 1e-3;
    auto const f = [&](double d) {
        return plain_cost(kp + d * (which == 0), ki + d * (which == 1), kd + d * (which == 2), 1);
    };
    return (f(-2 * h) - 8 * f(-h) + 8 * f(h) - f(2 * h)) / (12 * h);
}

}  // namespace

int main() {
    examples::checks all;
    gains k{3.0, 1.0, 0.2};
    state s{};
    double target = 1;
    us::program sensitivity(us::value_and_grad(predicted_cost), k, s, target);
    us::program machine(advance, k, s, target);

    std::printf("The prediction from rest, and its gradient\n");
    auto const& [cost, gradient] = sensitivity(k, s, target);
    double const before = cost;
    all.close("cost", cost, plain_cost(3, 1, 0.2, 1), 1e-12);
    all.close("d/d proportional", gradient.proportional, slope(3, 1, 0.2, 0), 1e-9);
    all.close("d/d integral", gradient.integral, slope(3, 1, 0.2, 1), 1e-9);
    all.close("d/d derivative", gradient.derivative, slope(3, 1, 0.2, 2), 1e-9);

    // The target jumps every 4 s; the gains move a little at each tick. A call of the program takes
    // neither heap nor lock, and does the same operations every time.
    std::printf("\nTuning while it runs: 40 s\n");
    us::adam<gains> optimiser{.learning_rate = 0.01};
    double spent = 0, slowest = 0;
    constexpr int ticks = 4000;
    for (int t = 0; t < ticks; ++t) {
        target = (t / 400) % 2 == 0 ? 1 : 0;
        auto const start = std::chrono::steady_clock::now();
        optimiser.step(k, sensitivity(k, s, target).gradient);
        std::chrono::duration<double, std::micro> const took =
            std::chrono::steady_clock::now() - start;
        spent += took.count();
        slowest = std::max(slowest, took.count());
        s = machine(k, s, target).first;
        if (t % 800 == 0)
            std::printf("  %4.0f s  gains %6.3f %6.3f %6.3f\n", t * tick, double{k.proportional},
                        double{k.integral}, double{k.derivative});
    }
    std::printf("  a gradient over %d ticks took %.1f us, the slowest %.1f us\n", horizon,
                spent / ticks, slowest);

    double const after = plain_cost(k.proportional, k.integral, k.derivative, 1);
    std::printf("\nThe cost of a jump of the target\n");
    all.below("after tuning", after, 0.8 * before);
    return all.exit_code();
}
