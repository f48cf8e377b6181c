// SPDX-License-Identifier: BSL-1.0
// pow: accuracy of float and double, C's special cases.
#include "support/catch.hpp"

#include "math_functions.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#if __has_include(<mpfr.h>)
#include "math_reference.hpp"
#endif

namespace {

namespace math = math_test::math;
namespace simd = math_test::simd;
using math_test::for_each_arch;

struct pairs {
    std::vector<double> x;
    std::vector<double> y;
};

/// Arguments of all sizes whose power is mostly finite, in steps of `T`: bases next to 1 with large
/// exponents, small integers, results that over- and underflow.
template <class T>
pairs arguments(std::size_t count) {
    std::uint64_t state = 1;
    auto const unit = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        std::uint64_t const mixed = (state ^ (state >> 29)) * 0xbf58'476d'1ce4'e5b9u;
        return double((mixed ^ (mixed >> 32)) >> 11) * 0x1p-53;
    };
    constexpr double exponents = std::numeric_limits<T>::max_exponent + 30;
    pairs p;
    auto const add = [&](double x, double y) {
        p.x.push_back(static_cast<double>(static_cast<T>(x)));
        p.y.push_back(static_cast<double>(static_cast<T>(y)));
    };
    while (p.x.size() < count) {
        double const anything = std::exp2((2 * unit() - 1) * (exponents - 35));
        double const sign = unit() < 0.5 ? -1 : 1;
        add(anything, sign * exponents * unit() / std::log2(anything));
        add(unit() * 4, sign * unit() * 8);
        double const close = 1 + sign * std::exp2(-1 - 50 * unit());
        add(close, (2 * unit() - 1) * exponents / std::log2(close));
        add(sign * unit() * 100, std::floor(unit() * 40 - 20));
        add(sign * std::floor(unit() * 20), std::floor(unit() * 12 - 4));
        add(1.4142135623730951 + (unit() - 0.5) * 1e-3, sign * unit() * 1000);
        add(static_cast<double>(std::numeric_limits<T>::denorm_min()) * std::floor(unit() * 1000),
            sign * unit());
    }
    p.x.resize(p.x.size() / 64 * 64);
    return p;
}

template <class T, class Arch>
std::vector<double> powers(pairs const& p) {
    using V = simd::vec<T, Arch>;
    std::vector<T> const x(p.x.begin(), p.x.end());
    std::vector<T> const y(p.y.begin(), p.y.end());
    std::vector<T> z(x.size());
    for (std::size_t i = 0; i < x.size(); i += std::size_t(V::width))
        math::pow(V::load(x.data() + i), V::load(y.data() + i)).store(z.data() + i);
    return {z.begin(), z.end()};
}

}  // namespace

TEST_CASE("math: pow of floats against the C library's double", "[math]") {
    auto const p = arguments<float>(1 << 21);
    for_each_arch([&]<class Arch>(Arch) {
        auto const z = powers<float, Arch>(p);
        double worst = 0;
        std::size_t at = 0;
        for (std::size_t i = 0; i < z.size(); ++i) {
            double const error =
                math_test::float_error(static_cast<float>(z[i]), std::pow(p.x[i], p.y[i]));
            if (!(error <= worst)) {
                worst = error;
                at = i;
            }
        }
        CAPTURE(Arch::name, p.x[at], p.y[at], z[at]);
        CHECK(worst <= math::pow_accuracy.float_ulp);
    });
}

#if __has_include(<mpfr.h>)
TEST_CASE("math: pow of doubles against MPFR", "[math]") {
    auto const p = arguments<double>(200'000);
    std::vector<std::vector<double>> results;
    std::vector<char const*> names;
    for_each_arch([&]<class Arch>(Arch) {
        results.push_back(powers<double, Arch>(p));
        names.push_back(Arch::name);
    });
    std::vector<double> worst(results.size());
    std::vector<std::size_t> at(results.size());
    math_test::reference exact;
    for (std::size_t i = 0; i < p.x.size(); ++i) {
        exact.evaluate_pow(p.x[i], p.y[i]);
        for (std::size_t k = 0; k < results.size(); ++k) {
            double const error = exact.error(results[k][i]);
            if (!(error <= worst[k])) {
                worst[k] = error;
                at[k] = i;
            }
        }
    }
    for (std::size_t k = 0; k < results.size(); ++k) {
        CAPTURE(names[k], p.x[at[k]], p.y[at[k]], results[k][at[k]]);
        CHECK(worst[k] <= math::pow_accuracy.double_ulp);
    }
}
#endif

/// Every pair of values where C says what the power is: the C library is the oracle.
TEMPLATE_TEST_CASE("math: pow of zeros, infinities, NaN, negative and extreme bases", "[math]",
                   float, double) {
    using limits = std::numeric_limits<TestType>;
    constexpr TestType inf = limits::infinity();
    for_each_arch([&]<class Arch>(Arch) {
        using V = simd::vec<TestType, Arch>;
        for (TestType x :
             {-inf, -limits::max(), TestType(-2), TestType(-1), TestType(-0.5),
              -limits::denorm_min(), TestType(-0.0), TestType(0), limits::denorm_min(),
              TestType(0.5), TestType(1), TestType(2), limits::max(), inf, limits::quiet_NaN()}) {
            for (TestType y :
                 {-inf, -limits::max(), TestType(-3), TestType(-2), TestType(-0.5),
                  -limits::denorm_min(), TestType(-0.0), TestType(0), limits::denorm_min(),
                  TestType(0.5), TestType(1), TestType(2), TestType(3), 1 / limits::epsilon() - 1,
                  limits::max(), inf, limits::quiet_NaN()}) {
                TestType const got = math::pow(V(x), V(y))[0];
                TestType const expected = std::pow(x, y);
                CAPTURE(Arch::name, x, y, got, expected);
                bool const both_nan = std::isnan(got) && std::isnan(expected);
                bool const equal = got == expected && std::signbit(got) == std::signbit(expected);
                // Not special: the bound of 1 ULP.
                bool const close = std::isfinite(got) && std::isfinite(expected) && expected != 0 &&
                                   std::nextafter(got, expected) == expected;
                CHECK((both_nan || equal || close));
            }
        }
    });
}
