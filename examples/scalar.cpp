// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of functions of one number: in constants, where static_assert holds them to formulas,
// and at run time with the same words. Then what they are good for: Kepler's equation, solved by
// the compiler.

#include "checks.hpp"

#include <unspool/unspool.hpp>

#include <cmath>
#include <cstdio>

namespace us = unspool;

namespace {

constexpr bool near(double found, double expected) {
    double const apart = found - expected;
    return (apart < 0 ? -apart : apart) < 1e-15;
}

// A function to differentiate is a lambda without captures that takes anything. The compiler calls
// it once, with expressions in the place of numbers, and keeps what it did with them.
inline constexpr auto bell = [](auto x) { return us::exp(-us::square(x) / 2); };

// us::call(bell, x) is its value. us::grad(bell) is its derivative, a function of a number again.
constexpr auto value = [](double x) { return us::call(bell, x); };
constexpr auto slope = us::grad(bell);
static_assert(near(slope(0.7), -0.7 * value(0.7)));

// The derivative is a function like any other: differentiate it again. Forward mode, jvp, takes the
// argument and a direction and returns {value, derivative in that direction}; for a function of one
// number it does the least work.
constexpr auto curvature = [](double x) { return us::jvp(slope)(x, 1.0).second; };
static_assert(near(curvature(0.7), (0.7 * 0.7 - 1) * value(0.7)));
static_assert(near(us::grad(us::grad(bell))(0.7), curvature(0.7)));  // reverse mode says the same

// Kepler's equation E - e sin E = M gives the place E of a planet at the time M, and has no
// solution in a formula. Halley's method takes the first and second derivative of what must be 0.
inline constexpr auto kepler = [](auto anomaly, auto mean, auto eccentricity) {
    return anomaly - eccentricity * us::sin(anomaly) - mean;
};
constexpr double eccentric_anomaly(double mean, double eccentricity) {
    double anomaly = mean;
    for (int i = 0; i < 4; ++i) {  // each turn trebles the digits
        // One pass gives all three: the tangent of {f, f'} in the direction of `anomaly`.
        auto const [at, along] =
            us::jvp(us::value_and_grad(kepler))(anomaly, mean, eccentricity, 1.0);
        double const f = at.value, f1 = at.gradient, f2 = along.gradient;
        anomaly -= 2 * f * f1 / (2 * f1 * f1 - f * f2);
    }
    return anomaly;
}
constexpr double mercury = eccentric_anomaly(1.0, 0.2056);  // a constant

}  // namespace

int main() {
    examples::checks all;

    std::printf("exp(-x^2/2) and its derivatives, computed when the program runs\n");
    for (double x : {-1.5, 0.0, 0.7, 3.0}) {
        double const b = std::exp(-x * x / 2);
        std::printf("x = %g\n", x);
        all.close("value", value(x), b, 4e-15);
        all.close("first derivative", slope(x), -x * b, 4e-15, 1e-3);
        all.close("second derivative", curvature(x), (x * x - 1) * b, 4e-15, 1e-3);
    }

    std::printf("\nKepler's equation for Mercury, at a mean anomaly of one radian\n");
    all.close("E - e sin E", mercury - 0.2056 * std::sin(mercury), 1.0, 4e-15);
    all.close("E, solved when the program runs", eccentric_anomaly(1.0, 0.2056), mercury, 4e-15);
    return all.exit_code();
}
