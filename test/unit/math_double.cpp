// SPDX-License-Identifier: BSL-1.0
#include "support/catch.hpp"

#include "math_functions.hpp"

#include <array>
#include <vector>

#if __has_include(<mpfr.h>)
#include "math_reference.hpp"

namespace {

using math_test::for_each_arch;
using math_test::reference;

/// Values that a uniform choice of bits would miss: around zero, where the formulas change, next to
/// multiples of π/2, where results over- and underflow; then uniform values and uniform bits.
std::vector<double> arguments(std::uint64_t count) {
    std::vector<double> x = {0.0,
                             0x1p-1074,
                             0x1p-1022,
                             0x1.fffffffffffffp-1023,
                             1.0,
                             2.0,
                             0.4,
                             20.0,
                             40.0,
                             709.782712893384,
                             709.7827128933841,
                             745.13,
                             745.14,
                             746.0,
                             708.4,
                             1.6e6,
                             0x1.921fb54442d18p+0,
                             0x1.6ac5b262ca1ffp+849,
                             0x1.fffffffffffffp+1023,
                             double(INFINITY),
                             double(NAN)};
    std::uint64_t state = 1;
    auto const next = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        std::uint64_t const mixed = (state ^ (state >> 29)) * 0xbf58'476d'1ce4'e5b9u;
        return mixed ^ (mixed >> 32);
    };
    auto const unit = [&] { return double(next() >> 11) * 0x1p-53; };
    constexpr double half_pi = 0x1.921fb54442d18p+0;
    while (x.size() < count / 2) {
        std::uint64_t const bits = next();
        x.push_back(std::bit_cast<double>(bits & 0x7fff'ffff'ffff'ffffu));
        x.push_back(std::ldexp(1 + unit(), -static_cast<int>(next() % 64)));
        x.push_back(unit() * 2);
        x.push_back(unit() * 50);
        x.push_back(unit() * 800);
        x.push_back(unit() * 1e5);
        x.push_back(0.4 + (unit() - 0.5) * 1e-3);
        double const multiple = std::floor(unit() * 1e6) * half_pi;
        x.push_back(multiple);
        x.push_back(std::nextafter(multiple, 0));
        x.push_back(0.6931471805599453 * (std::floor(unit() * 1000) + 0.5) + (unit() - 0.5) * 1e-9);
        x.push_back(1 + (unit() - 0.5) * 1e-6);
        x.push_back(1.4142135623730951 + (unit() - 0.5) * 1e-3);
        x.push_back(1.6e6 * (1 + unit()));
    }
    std::size_t const positive = x.size();
    for (std::size_t i = 0; i < positive; ++i) {
        x.push_back(-x[i]);
    }
    x.resize((x.size() + 63) / 64 * 64, 1.0);
    return x;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("math: double against MPFR", "[math]", math_test::every_function) {
    static std::vector<double> const x = arguments(200'000);
    // all instruction sets first, so that MPFR is asked once per argument
    std::vector<std::vector<double>> results;
    std::vector<char const*> names;
    for_each_arch([&]<class Arch>(Arch) {
        using V = math_test::simd::vec<double, Arch>;
        std::vector<double> y(x.size());
        for (std::size_t i = 0; i < x.size(); i += std::size_t(V::width)) {
            TestType::value(V::load(x.data() + i)).store(y.data() + i);
        }
        results.push_back(std::move(y));
        names.push_back(Arch::name);
    });
    std::vector<double> worst(results.size());
    std::vector<double> at(results.size());
    reference exact;
    for (std::size_t i = 0; i < x.size(); ++i) {
        exact.evaluate<TestType>(x[i]);
        for (std::size_t k = 0; k < results.size(); ++k) {
            double const error = exact.error(results[k][i]);
            if (!(error <= worst[k])) {
                worst[k] = error;
                at[k] = x[i];
            }
        }
    }
    for (std::size_t k = 0; k < results.size(); ++k) {
        CAPTURE(TestType::name, names[k], at[k]);
        CHECK(worst[k] <= TestType::bound.double_ulp);
    }
}

#else

TEST_CASE("math: double against MPFR", "[math]") { UNSPOOL_SKIP("mpfr.h is not installed"); }

#endif
