// SPDX-License-Identifier: BSL-1.0
// The language's elementwise functions where parity with JAX does not look: zeros, infinities, NaN,
// far out, and the derivatives at kinks.
#include <unspool/unspool.hpp>

#include "support/catch.hpp"
#include "support/tolerance.hpp"

#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace us = unspool;
using namespace unspool_test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using vector = us::tensor<double, 12>;
constexpr vector points{-infinity, -1000, -3.5, -2.5, -0.5,     -0.0,
                        0,         0.5,   1.5,  1000, infinity, not_a_number};
constexpr vector ones{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/// A function's values and derivatives at the points.
template <class F>
std::pair<vector, vector> outcome(F f) {
    return us::jvp(f)(points, ones);
}

bool same(double got, double expected) {
    bool const both_nan = std::isnan(got) && std::isnan(expected);
    bool const signs = std::signbit(got) == std::signbit(expected);
    return both_nan || (ulp_distance(got, expected) <= tolerance::operation_ulp && signs);
}

void hold(char const* what, vector const& got, double (*formula)(double)) {
    for (int i = 0; i < vector::count; ++i) {
        double const x = points.data()[i];
        INFO(what << " at " << x << " is " << got.data()[i]);
        CHECK(same(got.data()[i], formula(x)));
    }
}

}  // namespace

TEST_CASE("functions of jumps: values like the C library's, derivatives of zero", "[unit]") {
    auto const check = [](char const* what, auto f, double (*formula)(double)) {
        auto const [value, slope] = outcome(f);
        hold(what, value, formula);
        for (double s : slope) CHECK(s == 0);
    };
    check(
        "floor", [](auto x) { return us::floor(x); }, std::floor);
    check(
        "ceil", [](auto x) { return us::ceil(x); }, std::ceil);
    check(
        "trunc", [](auto x) { return us::trunc(x); }, std::trunc);
    check(
        "round", [](auto x) { return us::round(x); }, std::nearbyint);
    check(
        "sign", [](auto x) { return us::sign(x); },
        [](double x) { return x < 0   ? -1.0
                              : x > 0 ? 1.0
                                      : x; });
    check(
        "not", [](auto x) { return us::logical_not(x); },
        [](double x) { return x == 0 ? 1.0 : 0.0; });
    check(
        "and", [](auto x) { return us::logical_and(x, x > -1); },
        [](double x) { return x != 0 && x > -1 ? 1.0 : 0.0; });
    check(
        "or", [](auto x) { return us::logical_or(x > 1, x < -1); },
        [](double x) { return x > 1 || x < -1 ? 1.0 : 0.0; });
}

TEST_CASE("smooth functions at their limits", "[unit]") {
    hold("softplus", outcome([](auto x) { return us::softplus(x); }).first,
         [](double x) { return x > 700 ? x : std::log1p(std::exp(x)); });
    hold("softplus'", outcome([](auto x) { return us::softplus(x); }).second,
         [](double x) { return 1 / (1 + std::exp(-x)); });
    hold("sinh", outcome([](auto x) { return us::sinh(x); }).first, std::sinh);
    hold("sinh'", outcome([](auto x) { return us::sinh(x); }).second, std::cosh);
    hold("cosh", outcome([](auto x) { return us::cosh(x); }).first, std::cosh);
    hold("erf", outcome([](auto x) { return us::erf(x); }).first, std::erf);
    hold("atan", outcome([](auto x) { return us::atan(x); }).first, std::atan);
    hold("expm1", outcome([](auto x) { return us::expm1(x); }).first, std::expm1);
    hold("reciprocal", outcome([](auto x) { return us::reciprocal(x); }).first,
         [](double x) { return 1 / x; });
    hold("rsqrt", outcome([](auto x) { return us::rsqrt(x); }).first,
         [](double x) { return 1 / std::sqrt(x); });
}

TEST_CASE("integer powers are multiplications, real ones pow, with C's special cases", "[unit]") {
    hold("pow 0", outcome([](auto x) { return us::pow(x, 0); }).first, [](double) { return 1.0; });
    hold("pow 3", outcome([](auto x) { return us::pow(x, 3); }).first,
         [](double x) { return x * x * x; });
    hold("pow -1", outcome([](auto x) { return us::pow(x, -1); }).first,
         [](double x) { return 1 / x; });
    hold("pow 17", outcome([](auto x) { return us::pow(x, 17); }).first,
         [](double x) { return std::pow(x, 17); });
    hold("pow -0.5", outcome([](auto x) { return us::pow(x, -0.5); }).first,
         [](double x) { return std::pow(x, -0.5); });
    hold("2 pow", outcome([](auto x) { return us::pow(2, x); }).first,
         [](double x) { return std::pow(2, x); });
    hold("pow 3'", outcome([](auto x) { return us::pow(x, 3.0); }).second,
         [](double x) { return 3 * x * x; });
}

TEST_CASE("functions with kinks: values, and JAX's derivatives at the kinks", "[unit]") {
    auto const [leaky, leaky_slope] = outcome([](auto x) { return us::leaky_relu(x, 0.125); });
    hold("leaky_relu", leaky, [](double x) { return x >= 0 ? x : 0.125 * x; });
    hold("leaky_relu'", leaky_slope, [](double x) { return x >= 0 ? 1 : 0.125; });
    auto const [elu, elu_slope] = outcome([](auto x) { return us::elu(x, 2); });
    hold("elu", elu, [](double x) { return x > 0 ? x : 2 * std::expm1(x); });
    for (int i = 0; i + 1 < vector::count; ++i) {  // made of the value: its accuracy is absolute
        double const x = points.data()[i];
        CHECK(std::fabs(elu_slope.data()[i] - (x > 0 ? 1 : 2 * std::exp(x))) <= 1e-15);
    }
    auto const [clamped, clamped_slope] = outcome([](auto x) { return us::clamp(x, -0.5, 1.5); });
    hold("clamp", clamped, [](double x) { return x < -0.5 ? -0.5 : x > 1.5 ? 1.5 : x; });
    hold("clamp'", clamped_slope, [](double x) {
        bool const inside = -0.5 < x && x < 1.5;
        return inside ? 1.0 : x == -0.5 || x == 1.5 ? 0.5 : 0.0;
    });
    auto const [chosen, chosen_slope] = outcome([](auto x) { return us::where(x < 0, 1, x * x); });
    hold("where", chosen, [](double x) { return x < 0 ? 1 : x * x; });
    hold("where'", chosen_slope, [](double x) { return x < 0 ? 0 : 2 * x; });
}
