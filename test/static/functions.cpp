// SPDX-License-Identifier: BSL-1.0
// The language's elementwise functions in constants: values and gradients.
#include <unspool/check/gradient_error.hpp>
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr us::tensor<double, 4> point{-1.75, -0.25, 0.625, 2.25};

constexpr bool near(double a, double b) {
    double const apart = a < b ? b - a : a - b;
    return apart <= 1e-15 * (b < 0 ? -b : b);
}

// Values by mpmath.
inline constexpr auto total = [](auto x) {
    return us::sum(us::gelu(x) + us::gelu_tanh(x) + us::silu(x) + us::softplus(x) + us::elu(x) +
                   us::atan(x) + us::tan(0.5 * x) + us::sinh(x) / us::cosh(x));
};
static_assert(near(us::call(total, point), 14.916939975959975));
static_assert(us::gradient_error<total, point> < 1e-8);

inline constexpr auto powers = [](auto x) {
    auto const positive = us::square(x) + 0.5;
    return us::sum(us::pow(x, 3) + us::pow(x, -2) + us::pow(x, 0) + us::pow(positive, x) +
                   us::pow(2, x) + us::pow(positive, -0.75));
};
static_assert(near(us::call(powers, point), 89.78420268138363));
static_assert(us::gradient_error<powers, point> < 1e-8);

inline constexpr auto kinked = [](auto x) {
    auto const inside = us::logical_and(x > -1, us::logical_not(us::logical_or(x < 0, 2 < x)));
    return us::sum(us::where(inside, us::leaky_relu(x) * x, us::clamp(x, -1, 2)) +
                   us::hard_sigmoid(x) * us::sign(x) * us::trunc(x) + us::ceil(x) * us::round(x));
};
static_assert(near(us::call(kinked, point), 29.0 / 24 + 10.890625));
static_assert(us::gradient_error<kinked, point> < 1e-8);
