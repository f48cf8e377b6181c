// SPDX-License-Identifier: BSL-1.0
// Functions of functions: their composition, their options, products with the Jacobian.
#include "grad/check.hpp"

#include <cmath>
#include <tuple>

using namespace unspool_test;

namespace {

using matrix = us::tensor<double, 3, 3>;
using sequence = us::tensor<double, 5, 1, 3>;
using params = us::lstm_params<double, 3, 2>;

inline constexpr auto recurrent = [](auto w, auto x) {
    auto const step = [&](auto const& h, auto const& in) {
        auto const next = us::tanh(us::dot(h, w) + in);
        return std::pair{next, next};
    };
    return us::mean(us::square(us::scan(step, x[0], x).second));
};

matrix const w = random<matrix>(1, 0.7);
sequence const x = random<sequence>(2);
params const cell = random<params>(3, 0.6);

}  // namespace

TEST_CASE("the gradient of a function of a gradient", "[grad][second]") {
    auto const squared = [](auto v, auto xs) {
        return us::sum(us::square(us::grad(recurrent)(v, xs)));
    };
    check_differences(squared, w, x);
    check_adjoints(10, squared, w, x);

    auto const of_lstm = [](auto p, auto xs) {
        auto const loss = [](auto q, auto seq) { return us::mean(us::lstm(q, seq).outputs); };
        auto const g = us::grad(loss)(p, xs);
        return us::sum(us::square(g.kernel)) + us::sum(us::sin(g.recurrent_kernel)) +
               us::sum(g.bias);
    };
    check_differences(of_lstm, cell, x);
}

TEST_CASE("gradients of gradients of a scalar function", "[grad][second]") {
    auto const f = [](auto z) { return us::sin(z) * us::exp(0.5 * z); };
    double const z = 0.8;
    auto const third = us::grad(us::grad(us::grad(f)))(z);
    double const e = std::exp(0.5 * z);
    // f‴ for f = e^(az)·sin z: e^(az)·((a³ − 3a)·sin z + (3a² − 1)·cos z)
    double const expected = e * ((0.125 - 1.5) * std::sin(z) + (0.75 - 1) * std::cos(z));
    CHECK(third == Approx(expected).epsilon(1e-13));
    CHECK(us::call(us::grad(us::grad(us::grad(f))), z) == third);
}

TEST_CASE("forward over reverse is the Hessian times a vector", "[grad][second]") {
    auto const v = random<matrix>(5);
    auto const gradient = us::grad(recurrent);
    us::program forward(us::jvp(gradient), w, x, v);
    auto const& [g, hv] = forward(w, x, v);
    us::program reverse(us::vjp(gradient), w, x, v);  // symmetric: vᵀH = Hv
    CHECK(apart(reverse(w, x, v).gradient, hv) <= tolerance::pass);
    us::program plain(gradient, w, x);
    CHECK(apart(plain(w, x), g) <= tolerance::pass);
    double const h = tolerance::difference_step;
    auto at = [&](double s) {
        matrix moved = w;
        us::check::displace(moved, s, v);
        return plain(moved, x);
    };
    matrix const far_below = at(-2 * h), below = at(-h), above = at(h), far_above = at(2 * h);
    matrix expected;
    for (int k = 0; k < 9; ++k)
        expected[k] = us::check::five_point(far_below[k], below[k], above[k], far_above[k], h);
    CHECK(apart(hv, expected) <= tolerance::differences);
}

TEST_CASE("aux is handed through and not differentiated", "[grad][options]") {
    auto const f = [](auto v, auto xs) {
        return std::pair{recurrent(v, xs), std::tuple{us::exp(v), us::sum(xs)}};
    };
    us::program step(us::value_and_grad(f, us::has_aux), w, x);
    auto const& [value, gradient] = step(w, x);
    us::program plain(us::value_and_grad(recurrent), w, x);
    auto const& expected = plain(w, x);
    CHECK(value.first == expected.value);
    CHECK(gradient == expected.gradient);
    auto const& aux = value.second;
    for (int k = 0; k < 9; ++k) CHECK(std::get<0>(aux)[k] == Approx(std::exp(w[k])).epsilon(1e-15));
    us::program without(us::grad(f, us::has_aux), w, x);
    auto const& [only, same] = without(w, x);
    CHECK(only == expected.gradient);
    CHECK(std::get<0>(same) == std::get<0>(aux));
}

TEST_CASE("argnums in any order", "[grad][options]") {
    us::program both(us::grad<1, 0>(recurrent), w, x);
    us::program first(us::grad(recurrent), w, x);
    us::program second(us::grad<1>(recurrent), w, x);
    auto const& g = both(w, x);
    CHECK(apart(std::get<0>(g), second(w, x)) <= tolerance::pass);
    CHECK(apart(std::get<1>(g), first(w, x)) <= tolerance::pass);
}

TEST_CASE("what the loss does not use has gradient zero when asked for", "[grad][options]") {
    auto const f = [](auto p) { return us::sum(us::square(p.kernel)); };
    us::program step(us::grad(f, us::unused::zero), cell);
    auto const& g = step(cell);
    for (int k = 0; k < g.kernel.size(); ++k) CHECK(g.kernel[k] == 2 * cell.kernel[k]);
    CHECK(us::global_norm(g.recurrent_kernel) == 0);
    CHECK(us::global_norm(g.bias) == 0);
    CHECK(us::check_gradient(f, cell));
}

TEST_CASE("a seed weighs the results", "[grad][products]") {
    auto const f = [](auto p, auto xs) { return us::lstm(p, xs); };
    using value = us::run::result_of<decltype(f), params, sequence>;
    auto const seed = random<value>(7);
    us::program step(us::vjp<0, 1>(f), cell, x, seed);
    auto const& r = step(cell, x, seed);
    auto const weighted = [](auto p, auto xs, auto weights) {
        auto const y = us::lstm(p, xs);
        return us::sum(y.outputs * weights.outputs) + us::sum(y.state.h * weights.state.h) +
               us::sum(y.state.c * weights.state.c);
    };
    us::program expected(us::grad<0, 1>(weighted), cell, x, seed);
    CHECK(apart(r.gradient, expected(cell, x, seed)) <= tolerance::pass);
    us::program forward(f, cell, x);
    CHECK(apart(r.value, forward(cell, x)) <= tolerance::pass);
}

TEST_CASE("tangents give the derivative along them", "[grad][products]") {
    auto const v = random<params>(8);
    auto const u = random<sequence>(9);
    auto const f = [](auto p, auto xs) { return us::lstm(p, xs).outputs; };
    us::program forward(us::jvp<0, 1>(f), cell, x, v, u);
    auto const& [value, tangent] = forward(cell, x, v, u);
    us::program plain(f, cell, x);
    CHECK(apart(value, plain(cell, x)) <= tolerance::pass);
    double const h = tolerance::difference_step;
    auto at = [&](double s) {
        params p = cell;
        sequence xs = x;
        us::check::displace(p, s, v);
        us::check::displace(xs, s, u);
        return plain(p, xs);
    };
    auto const far_below = at(-2 * h), below = at(-h), above = at(h), far_above = at(2 * h);
    auto expected = value;
    for (int k = 0; k < expected.size(); ++k)
        expected[k] = us::check::five_point(far_below[k], below[k], above[k], far_above[k], h);
    CHECK(apart(tangent, expected) <= tolerance::differences);
}

TEST_CASE("stopped gradients", "[grad][options]") {
    auto const half = [](auto v, auto xs) {
        return recurrent(us::stop_gradient(v), xs) + 2 * recurrent(v, xs);
    };
    us::program step(us::grad(half), w, x);
    us::program whole(us::grad(recurrent), w, x);
    matrix twice = whole(w, x);
    for (double& e : twice) e *= 2;
    CHECK(apart(step(w, x), twice) <= tolerance::pass);
}
