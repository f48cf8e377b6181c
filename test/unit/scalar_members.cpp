// SPDX-License-Identifier: BSL-1.0
// Members of type T beside tensors in structs of parameters and states.
#include <unspool/unspool.hpp>

#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

namespace us = unspool;

namespace {

/// A leaky integrator: y ← y·leak + gain·x.
template <class T, auto N>
struct filter {
    BOOST_HANA_DEFINE_STRUCT(filter, (T, gain), (us::tensor<T, N>, bias), (T, leak));
};
template <class T>
struct memory {
    BOOST_HANA_DEFINE_STRUCT(memory, (T, y), (T, energy));
};

inline constexpr auto loss = [](auto p, auto xs) {
    using T = us::element_t<decltype(xs)>;
    auto const step = [&](auto m, auto x) {
        m.y = m.y * p.leak + p.gain * x;
        m.energy = m.energy + us::square(m.y);
        return std::pair{m, m.y};
    };
    auto const [last, ys] = us::scan(step, memory<us::traced<T>>{}, xs);
    return last.energy + us::sum(p.bias) * p.gain + ys[2];
};

using params = filter<double, 2>;
constexpr params p{0.5, us::tensor<double, 2>{1, 2}, 0.25};
constexpr us::tensor<double, 3> xs{1, -2, 4};

/// The loss as a plain loop, and its derivatives as sums of powers.
struct expected {
    double value = 0, gain = 0, leak = 0;
    constexpr explicit expected(params const& q) {
        double y = 0, y_gain = 0, y_leak = 0;
        for (int t = 0; t < 3; ++t) {
            y_leak = y_leak * q.leak + y;
            y_gain = y_gain * q.leak + xs[t];
            y = y * q.leak + q.gain * xs[t];
            value += y * y;
            gain += 2 * y * y_gain;
            leak += 2 * y * y_leak;
        }
        value += (q.bias[0] + q.bias[1]) * q.gain + y;
        gain += q.bias[0] + q.bias[1] + y_gain;
        leak += y_leak;
    }
};

// Small powers of two and integers: every operation is exact.
constexpr auto at_compile_time = us::value_and_grad(loss)(p, xs);
static_assert(std::is_same_v<std::remove_const_t<decltype(at_compile_time.gradient)>, params>);
static_assert(at_compile_time.value == expected(p).value);
static_assert(at_compile_time.gradient.gain == expected(p).gain);
static_assert(at_compile_time.gradient.leak == expected(p).leak);
static_assert(at_compile_time.gradient.bias == us::tensor<double, 2>{0.5, 0.5});
static_assert(us::gradient_error<loss, p, xs> < 1e-8);

}  // namespace

TEST_CASE("numbers as members of parameters and of a carry", "[structure]") {
    us::program step(us::value_and_grad(loss), p, xs);
    auto const& [value, gradient] = step(p, xs);
    CHECK(value == expected(p).value);
    CHECK(gradient.gain == expected(p).gain);
    CHECK(gradient.leak == expected(p).leak);
    CHECK(gradient.bias == us::tensor<double, 2>{0.5, 0.5});
}

TEST_CASE("numbers as members are optimised and clipped", "[structure]") {
    params q = p;
    params g = at_compile_time.gradient;
    us::sgd<params> optimiser{.learning_rate = 0.5};
    optimiser.step(q, g);
    CHECK(q.gain == p.gain - 0.5 * g.gain);
    CHECK(q.leak == p.leak - 0.5 * g.leak);
    double const norm = std::sqrt(g.gain * g.gain + g.leak * g.leak + 0.5);
    CHECK(us::clip_by_global_norm(g, 1.0) == Approx(norm));
    CHECK(g.gain == Approx(at_compile_time.gradient.gain / norm));
}

TEST_CASE("a struct with numbers is what a function returns", "[structure]") {
    constexpr auto scale = [](auto m, auto x) {
        m.y = 2 * x;
        m.energy = 3.0;
        return m;
    };
    us::program step(scale, memory<float>{1, 2}, 5.F);
    auto const& m = step(memory<float>{1, 2}, 5.F);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(m)>, memory<float>>);
    CHECK(m.y == 10);
    CHECK(m.energy == 3);
}
