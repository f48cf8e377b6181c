// SPDX-License-Identifier: BSL-1.0
// Elementary functions over 4,096 elements in L1: the rate is elements a nanosecond.
#include "kernel_rate.hpp"

#include <unspool/math/math.hpp>
#include <unspool/simd/vec.hpp>

namespace {

namespace us = unspool;

template <class T, class F>
void rate(char const* name, F function) {
    using vec = us::simd::vec<T, us::simd::native>;
    constexpr int count = 4096;
    // Positive, so that log and sqrt have values.
    kernel_bench::numbers<T> const given(count);
    kernel_bench::numbers<T> x(count), y(count);
    for (int i = 0; i < count; ++i) x.data()[i] = given.data()[i] * given.data()[i] + T(0.01);
    kernel_bench::measure(name, double(count), "elements/ns", [&] {
        for (int i = 0; i < count; i += vec::width)
            function(vec::load(x.data() + i)).store(y.data() + i);
        return y.data()[0];
    });
}

template <class T>
void all(char const* const (&names)[8]) {
    rate<T>(names[0], [](auto x) { return us::math::exp(x); });
    rate<T>(names[1], [](auto x) { return us::math::log(x); });
    rate<T>(names[2], [](auto x) { return us::math::log1p(x); });
    rate<T>(names[3], [](auto x) { return us::math::tanh(x); });
    rate<T>(names[4], [](auto x) { return us::math::sigmoid(x); });
    rate<T>(names[5], [](auto x) { return us::math::sin(x); });
    rate<T>(names[6], [](auto x) { return us::math::cos(x); });
    rate<T>(names[7], [](auto x) { return us::math::sqrt(x); });
}

}  // namespace

TEST_CASE("functions of floats", "[math]") {
    all<float>({"exp, float", "log, float", "log1p, float", "tanh, float", "sigmoid, float",
                "sin, float", "cos, float", "sqrt, float"});
}

TEST_CASE("functions of doubles", "[math]") {
    all<double>({"exp, double", "log, double", "log1p, double", "tanh, double", "sigmoid, double",
                 "sin, double", "cos, double", "sqrt, double"});
}
