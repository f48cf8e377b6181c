// SPDX-License-Identifier: BSL-1.0
// Distributions of the generator. Seeds are fixed, so each figure is one number that either meets
// its threshold for ever or never; the thresholds are four standard deviations, or for
// Kolmogorov–Smirnov √n·D ≤ 1.95 (one seed in a thousand).
#include <unspool/nn/random.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace us = unspool;

namespace {

constexpr int n = 200'000;

template <class T>
std::vector<T> uniforms(std::uint64_t seed) {
    std::vector<T> x(n);
    us::fill_uniform(std::span{x}, seed);
    return x;
}
template <class T>
std::vector<T> normals(std::uint64_t seed) {
    std::vector<T> x(n);
    us::fill_normal(std::span{x}, seed);
    return x;
}

template <class T, class F>
double mean(std::vector<T> const& x, F f) {
    double sum = 0;
    for (T v : x) sum += f(double(v));
    return sum / double(x.size());
}

/// √n times the largest distance of the sample's distribution function from `cdf`.
template <class T, class F>
double kolmogorov_smirnov(std::vector<T> x, F cdf) {
    std::sort(x.begin(), x.end());
    double worst = 0;
    double const count = double(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        double const p = cdf(double(x[i]));
        worst = std::max({worst, p - double(i) / count, double(i + 1) / count - p});
    }
    return std::sqrt(count) * worst;
}

/// Correlation of x with y, times √n: standard normal for independent samples.
template <class T>
double correlation(std::vector<T> const& x, std::vector<T> const& y, std::size_t lag) {
    double const mx = mean(x, [](double v) { return v; });
    double const my = mean(y, [](double v) { return v; });
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = lag; i < x.size(); ++i) {
        double const a = double(x[i]) - mx;
        double const b = double(y[i - lag]) - my;
        xy += a * b, xx += a * a, yy += b * b;
    }
    return xy / std::sqrt(xx * yy) * std::sqrt(double(x.size() - lag));
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

}  // namespace

TEMPLATE_TEST_CASE("uniform numbers are uniform", "[random]", float, double) {
    for (std::uint64_t seed : {0ull, 1ull, 7ull, ~0ull}) {
        auto const x = uniforms<TestType>(seed);
        auto const [low, high] = std::minmax_element(x.begin(), x.end());
        CHECK(*low >= 0);
        CHECK(*high < 1);
        double const deviation = 4 / std::sqrt(double(n));
        CHECK(std::abs(mean(x, [](double v) { return v - 0.5; })) <=
              deviation * std::sqrt(1 / 12.));
        CHECK(std::abs(mean(x, [](double v) { return (v - 0.5) * (v - 0.5) - 1 / 12.; })) <=
              deviation * std::sqrt(1 / 180.));
        CHECK(kolmogorov_smirnov(x, [](double v) { return v; }) <= 1.95);
    }
}

TEMPLATE_TEST_CASE("normal numbers are normal", "[random]", float, double) {
    for (std::uint64_t seed : {0ull, 1ull, 7ull, ~0ull}) {
        auto const z = normals<TestType>(seed);
        double const deviation = 4 / std::sqrt(double(n));
        CHECK(std::abs(mean(z, [](double v) { return v; })) <= deviation);
        CHECK(std::abs(mean(z, [](double v) { return v * v - 1; })) <= deviation * std::sqrt(2.0));
        CHECK(std::abs(mean(z, [](double v) { return v * v * v; })) <= deviation * std::sqrt(15.0));
        CHECK(std::abs(mean(z, [](double v) { return v * v * v * v - 3; })) <=
              deviation * std::sqrt(96.0));
        CHECK(kolmogorov_smirnov(z, normal_cdf) <= 1.95);
        auto const tail = std::count_if(z.begin(), z.end(), [](auto v) { return std::abs(v) > 3; });
        double const expected = n * 2 * normal_cdf(-3);
        CHECK(std::abs(double(tail) - expected) <= 4 * std::sqrt(expected));
    }
}

TEMPLATE_TEST_CASE("neighbours, seeds and streams are uncorrelated", "[random]", float, double) {
    auto const x = normals<TestType>(1);
    for (std::size_t lag : {1u, 2u, 3u, 4u, 8u, 64u}) CHECK(std::abs(correlation(x, x, lag)) <= 4);
    CHECK(std::abs(correlation(x, normals<TestType>(2), 0)) <= 4);
    CHECK(std::abs(correlation(x, normals<TestType>(1 + (1ull << 32)), 0)) <= 4);
    CHECK(std::abs(correlation(x, uniforms<TestType>(1), 0)) <= 4);
    std::vector<TestType> other(n);
    us::random_stream{1, 1, us::random_purpose::normal}.normal(other.data(), other.size(), 0, 1);
    CHECK(std::abs(correlation(x, other, 0)) <= 4);
}

TEST_CASE("the bits of a word are fair", "[random]") {
    us::random_stream const stream{99};
    constexpr int blocks = 20'000;
    int ones[128] = {};
    for (int b = 0; b < blocks; ++b) {
        auto const block = stream.block(std::uint64_t(b));
        for (int i = 0; i < 128; ++i) ones[i] += block.word[i / 32] >> (i % 32) & 1;
    }
    // 128 bits: the largest of them stays within 4.5 standard deviations
    for (int count : ones)
        CHECK(std::abs(count - blocks / 2) <= 4.5 * std::sqrt(double(blocks)) / 2);
}

TEST_CASE("the normal quantile is exact to 1e-15", "[random]") {
    // a Newton step on the tail's probability, in long double, is the error
    auto const relative_error = [](double q) {
        long double const z = us::normal_quantile(q);
        long double const tail =
            z > 0.5L ? 0.5L * std::erfc(z / std::sqrt(2.0L)) - (0.5L - static_cast<long double>(q))
                     : static_cast<long double>(q) - 0.5L * std::erf(z / std::sqrt(2.0L));
        long double const density = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0L));
        return static_cast<double>(std::abs(tail / density / z));
    };
    double worst = 0;
    for (int k = 1; k < 100'000; ++k) worst = std::max(worst, relative_error(k / 200'000.0));
    for (int k = 2; k <= 53; ++k) {
        worst = std::max(worst, relative_error(0.5 - std::ldexp(1.0, -k)));
        worst = std::max(worst, relative_error(std::ldexp(1.0, -k)));
    }
    CAPTURE(worst);
    CHECK(worst <= 1e-15);
    for (double q : {0.1, 0.425, 0.43, 0.4999}) {
        CHECK(us::normal_quantile(-q) == -us::normal_quantile(q));
        CHECK(us::normal_quantile(std::nextafter(q, 1.0)) >= us::normal_quantile(q));
    }
}

TEMPLATE_TEST_CASE("run time gives the constants' bits", "[random]", float, double) {
    static constexpr auto u = us::uniform<TestType, 999>(3, -1, 2);
    static constexpr auto z = us::normal<TestType, 999>(3, 1, 2);
    std::uint64_t volatile seed = 3;
    CHECK(us::uniform<TestType, 999>(seed, -1, 2) == u);
    CHECK(us::normal<TestType, 999>(seed, 1, 2) == z);
}

TEST_CASE("a large tensor is filled in place without the heap", "[random]") {
    auto const x = std::make_unique<us::tensor<float, 1000, 1000>>();
    auto const counted = unspool_test::allocations_during([&] {
        us::fill_normal(*x, 5);
        us::fill_uniform(*x, 5, -1, 1);
    });
    CHECK(counted.total() == 0);
    CHECK((*x)[0] == us::uniform<float, 1>(5, -1, 1)[0]);
    CHECK(std::all_of(x->begin(), x->end(), [](float v) { return v >= -1 && v < 1; }));
}
