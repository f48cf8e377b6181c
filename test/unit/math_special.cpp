// SPDX-License-Identifier: BSL-1.0
#include "support/catch.hpp"

#include "math_functions.hpp"

#include <array>
#include <limits>
#include <vector>

namespace {

namespace math = math_test::math;
namespace simd = math_test::simd;

/// f on every lane of a vector, read back one by one.
template <class Function, class T, class Arch>
T at(T x) {
    using V = simd::vec<T, Arch>;
    V const y = Function::value(V(x));
    T const first = y[0];
    for (int i = 1; i < V::width; ++i) {
        CHECK(std::bit_cast<typename math::format<T>::bits>(y[i]) ==
              std::bit_cast<typename math::format<T>::bits>(first));
    }
    return first;
}

template <class T>
bool same_bits(T a, T b) {
    using bits = typename math::format<T>::bits;
    return std::bit_cast<bits>(a) == std::bit_cast<bits>(b);
}

template <class T, class Arch>
void check_specials() {
    using limits = std::numeric_limits<T>;
    constexpr T inf = limits::infinity();
    constexpr T nan = limits::quiet_NaN();
    constexpr T tiny = limits::denorm_min();
    constexpr T huge = limits::max();
    CAPTURE(Arch::name, sizeof(T));

    auto const exp = at<math_test::exp, T, Arch>;
    CHECK(exp(inf) == inf);
    CHECK(exp(huge) == inf);
    CHECK(exp(-inf) == 0);
    CHECK(exp(-huge) == 0);
    CHECK(exp(T(0)) == 1);
    CHECK(exp(-T(0)) == 1);
    CHECK(exp(tiny) == 1);
    CHECK(std::isnan(exp(nan)));

    auto const log = at<math_test::log, T, Arch>;
    CHECK(log(inf) == inf);
    CHECK(log(T(0)) == -inf);
    CHECK(log(-T(0)) == -inf);
    CHECK(log(T(1)) == 0);
    CHECK(std::isnan(log(-tiny)));
    CHECK(std::isnan(log(-inf)));
    CHECK(std::isnan(log(nan)));

    auto const log1p = at<math_test::log1p, T, Arch>;
    CHECK(log1p(inf) == inf);
    CHECK(log1p(T(-1)) == -inf);
    CHECK(std::isnan(log1p(T(-1.5))));
    CHECK(std::isnan(log1p(-inf)));
    CHECK(std::isnan(log1p(nan)));
    CHECK(same_bits(log1p(-T(0)), -T(0)));
    CHECK(log1p(tiny) == tiny);

    auto const tanh = at<math_test::tanh, T, Arch>;
    CHECK(tanh(inf) == 1);
    CHECK(tanh(-inf) == -1);
    CHECK(tanh(huge) == 1);
    CHECK(same_bits(tanh(-T(0)), -T(0)));
    CHECK(tanh(tiny) == tiny);
    CHECK(std::isnan(tanh(nan)));

    auto const sigmoid = at<math_test::sigmoid, T, Arch>;
    CHECK(sigmoid(inf) == 1);
    CHECK(sigmoid(huge) == 1);
    CHECK(same_bits(sigmoid(-inf), T(0)));
    CHECK(sigmoid(-huge) == 0);
    CHECK(sigmoid(T(0)) == T(0.5));
    CHECK(std::isnan(sigmoid(nan)));

    auto const sin = at<math_test::sin, T, Arch>;
    CHECK(same_bits(sin(-T(0)), -T(0)));
    CHECK(sin(tiny) == tiny);
    CHECK(std::isnan(sin(inf)));
    CHECK(std::isnan(sin(-inf)));
    CHECK(std::isnan(sin(nan)));
    CHECK(same_bits(sin(-huge), -sin(huge)));

    auto const cos = at<math_test::cos, T, Arch>;
    CHECK(cos(T(0)) == 1);
    CHECK(std::isnan(cos(inf)));
    CHECK(std::isnan(cos(nan)));
    CHECK(same_bits(cos(-huge), cos(huge)));

    auto const sqrt = at<math_test::sqrt, T, Arch>;
    CHECK(sqrt(inf) == inf);
    CHECK(same_bits(sqrt(-T(0)), -T(0)));
    CHECK(std::isnan(sqrt(T(-1))));
    CHECK(std::isnan(sqrt(nan)));

    auto const expm1 = at<math_test::expm1, T, Arch>;
    CHECK(expm1(inf) == inf);
    CHECK(expm1(huge) == inf);
    CHECK(expm1(-inf) == -1);
    CHECK(expm1(-huge) == -1);
    CHECK(same_bits(expm1(-T(0)), -T(0)));
    CHECK(same_bits(expm1(T(0)), T(0)));
    CHECK(expm1(tiny) == tiny);
    CHECK(std::isnan(expm1(nan)));

    auto const erf = at<math_test::erf, T, Arch>;
    CHECK(erf(inf) == 1);
    CHECK(erf(-inf) == -1);
    CHECK(erf(huge) == 1);
    CHECK(same_bits(erf(-T(0)), -T(0)));
    CHECK(erf(tiny) == tiny);
    CHECK(std::isnan(erf(nan)));

    auto const atan = at<math_test::atan, T, Arch>;
    CHECK(atan(inf) == static_cast<T>(1.57079632679489661923L));
    CHECK(atan(-inf) == -atan(inf));
    CHECK(atan(huge) == atan(inf));
    CHECK(same_bits(atan(-T(0)), -T(0)));
    CHECK(atan(tiny) == tiny);
    CHECK(std::isnan(atan(nan)));

    T const last_fraction = T(0.5) / limits::epsilon() - T(0.5);
    for (auto const whole : {at<math_test::floor, T, Arch>, at<math_test::round, T, Arch>}) {
        CHECK(whole(inf) == inf);
        CHECK(whole(-inf) == -inf);
        CHECK(whole(huge) == huge);
        CHECK(whole(-huge) == -huge);
        CHECK(same_bits(whole(-T(0)), -T(0)));
        CHECK(same_bits(whole(T(0)), T(0)));
        CHECK(same_bits(whole(tiny), T(0)));
        CHECK(whole(T(7)) == 7);
        CHECK(std::isnan(whole(nan)));
    }
    auto const floor = at<math_test::floor, T, Arch>;
    CHECK(floor(-tiny) == -1);
    CHECK(floor(T(-2.5)) == -3);
    CHECK(floor(last_fraction) == last_fraction - T(0.5));
    CHECK(floor(T(3) - 2 * limits::epsilon()) == 2);
    auto const round = at<math_test::round, T, Arch>;
    CHECK(same_bits(round(-tiny), -T(0)));
    CHECK(round(T(0.5)) == 0);
    CHECK(round(T(1.5)) == 2);
    CHECK(round(T(2.5)) == 2);
    CHECK(round(T(-3.5)) == -4);
    CHECK(round(T(0.5) - limits::epsilon() / 4) == 0);
}

}  // namespace

TEMPLATE_TEST_CASE("math: zeros, infinities, NaN and extreme arguments", "[math]", float, double) {
    math_test::for_each_arch([]<class Arch>(Arch) { check_specials<TestType, Arch>(); });
}

TEST_CASE("math: double tanh, sin, erf and atan are odd, tanh, erf and sigmoid bounded", "[math]") {
    math_test::for_each_arch([]<class Arch>(Arch) {
        using V = simd::vec<double, Arch>;
        int wrong = 0;
        for (int i = 0; i < 200'000; ++i) {
            double const x = std::ldexp(1 + i * 4.9e-6, i % 80 - 60);
            V const v(x);
            wrong += !same_bits(math::tanh(v)[0], -math::tanh(-v)[0]);
            wrong += !same_bits(math::sin(v)[0], -math::sin(-v)[0]);
            wrong += !same_bits(math::erf(v)[0], -math::erf(-v)[0]);
            wrong += !same_bits(math::atan(v)[0], -math::atan(-v)[0]);
            wrong += !(std::abs(math::tanh(v)[0]) <= 1 && std::abs(math::erf(v)[0]) <= 1);
            wrong += !(math::sigmoid(v)[0] <= 1 && math::sigmoid(-v)[0] >= 0);
        }
        CAPTURE(Arch::name);
        CHECK(wrong == 0);
    });
}

TEST_CASE("math: a lane beyond the fast reduction leaves its neighbours' bits alone", "[math]") {
    math_test::for_each_arch([]<class Arch>(Arch) {
        using V = simd::vec<float, Arch>;
        alignas(64) float x[16];
        alignas(64) float y[16];
        for (int i = 0; i < 16; ++i) {
            x[i] = i % 3 == 1 ? 1e30f * static_cast<float>(i) : 0.7f * static_cast<float>(i);
        }
        for (int i = 0; i < 16; i += V::width) {
            math::sin(V::load(x + i)).store(y + i);
        }
        for (int i = 0; i < 16; ++i) {
            CAPTURE(Arch::name, i);
            CHECK(same_bits(y[i], math::sin(V(x[i]))[0]));
        }
    });
}

namespace {

template <class Function, class T>
constexpr std::array<T, 512> in_constants() {
    constexpr bool positive = std::is_same_v<Function, math_test::log> ||
                              std::is_same_v<Function, math_test::sqrt> ||
                              std::is_same_v<Function, math_test::log1p>;
    std::array<T, 512> y{};
    for (int i = 0; i < 512; ++i) {
        y[static_cast<std::size_t>(i)] =
            Function::value(static_cast<T>(positive ? i + 1 : i - 256) * T(0.037));
    }
    return y;
}

}  // namespace

/// One text, evaluated twice: the compiler rounds products that FMA does not.
TEMPLATE_TEST_CASE("math: constants agree with run time within 2 ULP", "[math]", math_test::exp,
                   math_test::log, math_test::log1p, math_test::tanh, math_test::sigmoid,
                   math_test::sin, math_test::cos, math_test::sqrt, math_test::expm1,
                   math_test::erf, math_test::atan, math_test::floor, math_test::round) {
    static constexpr auto doubles = in_constants<TestType, double>();
    static constexpr auto floats = in_constants<TestType, float>();
    constexpr bool positive = std::is_same_v<TestType, math_test::log> ||
                              std::is_same_v<TestType, math_test::sqrt> ||
                              std::is_same_v<TestType, math_test::log1p>;
    math_test::for_each_arch([]<class Arch>(Arch) {
        for (int i = 0; i < 512; ++i) {
            auto const k = static_cast<std::size_t>(i);
            double const x = static_cast<double>(positive ? i + 1 : i - 256) * 0.037;
            double const y = TestType::value(simd::vec<double, Arch>(x))[0];
            CAPTURE(TestType::name, Arch::name, x);
            CHECK(std::abs(std::bit_cast<std::int64_t>(y) -
                           std::bit_cast<std::int64_t>(doubles[k])) <= 2);
            float const float_x = static_cast<float>(positive ? i + 1 : i - 256) * 0.037f;
            float const float_y = TestType::value(simd::vec<float, Arch>(float_x))[0];
            CHECK(std::abs(std::bit_cast<std::int32_t>(float_y) -
                           std::bit_cast<std::int32_t>(floats[k])) <= 2);
        }
    });
}
