// SPDX-License-Identifier: BSL-1.0
// gradient_error in constants: small for right gradients, large for wrong ones.
#include <unspool/check/gradient_error.hpp>
#include <unspool/unspool.hpp>

#include <array>
#include <utility>

namespace us = unspool;

// The README's form.
using params = us::lstm_params<double, 3, 2>;
inline constexpr auto loss = [](auto cell, auto xs) {
    return us::mean(us::lstm(cell, xs).outputs);
};
constexpr params cell = us::initial<params>(42);
constexpr auto xs = us::normal<double, 5, 1, 3>(7);
static_assert(us::gradient_error<loss, cell, xs> < 1e-8);
static_assert(us::gradient_error_wrt<0, loss, cell, xs> == us::gradient_error<loss, cell, xs>);
static_assert(us::gradient_error_wrt<1, loss, cell, xs> < 1e-8);

// Constants of a block have static storage as well, if they say so.
void of_a_block() {
    static constexpr auto square_sum = [](auto x) { return us::sum(us::square(x)); };
    static constexpr us::tensor<double, 2, 2> point{1, 2, 3, 4};
    static_assert(us::gradient_error<square_sum, point> < 1e-8);
}

// Float arguments are converted: the differences keep their digits.
constexpr auto xs_float = us::normal<float, 5, 1, 3>(7);
constexpr auto cell_float = us::initial<us::lstm_params<float, 3, 2>>(42);
static_assert(us::gradient_error<loss, cell_float, xs_float> < 1e-8);

// {loss, aux}: only the loss is differentiated.
inline constexpr auto with_aux = [](auto x) { return std::pair{us::sum(us::tanh(x)), us::exp(x)}; };
static_assert(us::gradient_error<with_aux, xs> < 1e-8);

// A part of the argument that the loss does not use has gradient zero, and differences of zero.
inline constexpr auto of_kernel = [](auto p) { return us::sum(us::square(p.kernel)); };
static_assert(us::gradient_error<of_kernel, cell> < 1e-8);

// Structures, scalars, reversed scans.
inline constexpr auto structured = [](auto p, auto x) {
    auto const& a = p.first;
    auto const& pair = p.second;
    auto const step = [&](auto const& h, auto const& u) {
        auto const next = us::tanh(pair[0] * h + a * u - pair[1]);
        return std::pair{next, next * h};
    };
    auto const [last, all] = us::scan(step, pair[1], x, us::reversed);
    return us::sum(last) + us::mean(all);
};
constexpr std::pair nested{
    0.7, std::array{us::tensor<double, 3>{0.3, -0.4, 0.8}, us::tensor<double, 3>{0.1, 0.2, -0.9}}};
constexpr auto inputs = us::normal<double, 4, 3>(11);
static_assert(us::gradient_error<structured, nested, inputs> < 1e-8);
static_assert(us::gradient_error_wrt<1, structured, nested, inputs> < 1e-8);

// A gradient of a gradient is a function like others.
inline constexpr auto sharpness = [](auto p, auto x) {
    auto const g = us::grad(structured)(p, x);
    return us::sum(us::square(g.first)) + us::sum(us::square(g.second[0]));
};
static_assert(us::gradient_error<sharpness, nested, inputs> < 1e-8);

// What is wrong is seen: half of the derivative of x·x is stopped.
inline constexpr auto half = [](auto x) { return us::sum(us::stop_gradient(x) * x); };
static_assert(us::gradient_error<half, inputs> > 1e-2);
// A gradient that is zero where the function is not constant is infinitely wrong.
inline constexpr auto none = [](auto x) { return us::sum(us::square(us::stop_gradient(x))); };
static_assert(us::gradient_error<none, inputs> > 1e100);
// A function that does not change has the right gradient.
inline constexpr auto constant = [](auto x) { return us::sum(us::sin(x - x)); };
static_assert(us::gradient_error<constant, inputs> == 0);
// Across a kink there is no derivative.
inline constexpr auto kinked = [](auto x) { return us::sum(us::abs(x)); };
constexpr us::tensor<double, 2> origin{};
static_assert(us::gradient_error<kinked, inputs> < 1e-8);
static_assert(us::gradient_error<kinked, origin> == 0);
