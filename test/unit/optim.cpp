// SPDX-License-Identifier: BSL-1.0
// Optimisers at run time: vectors and tails give the constants' bits, nothing is allocated.
#include <unspool/nn/initial.hpp>
#include <unspool/nn/parameters.hpp>
#include <unspool/optim/adam.hpp>
#include <unspool/optim/clip.hpp>
#include <unspool/optim/sgd.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>

namespace us = unspool;

namespace {

template <class P>
bool same(P const& a, P const& b) {
    bool equal = true;
    us::for_each_leaf_of([&](auto const& x, auto const& y) { equal = equal && x == y; }, a, b);
    return equal;
}

/// Four steps along changing gradients, with the options of the optimiser given.
template <class P, class Optimiser>
constexpr P trained(Optimiser optimiser, std::uint64_t seed) {
    P p = us::initial<P>(seed);
    P g = us::initial<P>(seed + 1);
    for (int k = 0; k < 4; ++k) {
        us::for_each_leaf([](auto& leaf) { leaf[0] += 1; }, g);
        us::clip_by_global_norm(g, 1.5);
        optimiser.step(p, g);
        optimiser.learning_rate *= 0.5;
    }
    return p;
}

template <class P>
void check_constants_and_run_time() {
    static constexpr us::sgd<P> plain{.learning_rate = 0.1};
    static constexpr us::sgd<P> fast{
        .learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true};
    static constexpr us::adam<P> adam{.learning_rate = 0.01, .weight_decay = 0.01};
    static constexpr us::adam<P, us::adam_form::keras> keras{.learning_rate = 0.01};
    static constexpr P constants[] = {trained<P>(plain, 5), trained<P>(fast, 5),
                                      trained<P>(adam, 5), trained<P>(keras, 5)};
    std::uint64_t volatile seed = 5;
    CHECK(same(trained<P>(plain, seed), constants[0]));
    CHECK(same(trained<P>(fast, seed), constants[1]));
    CHECK(same(trained<P>(adam, seed), constants[2]));
    CHECK(same(trained<P>(keras, seed), constants[3]));
}

template <class T, std::size_t N>
using row = us::tensor<T, 1, N>;

}  // namespace

TEMPLATE_TEST_CASE("vectors and tails give the constants' bits", "[optim]", float, double) {
    // sizes around every register's width
    check_constants_and_run_time<
        std::tuple<row<TestType, 1>, row<TestType, 2>, row<TestType, 3>, row<TestType, 4>,
                   row<TestType, 5>, row<TestType, 7>, row<TestType, 8>, row<TestType, 9>,
                   row<TestType, 15>, row<TestType, 16>, row<TestType, 17>, row<TestType, 33>>>();
    check_constants_and_run_time<us::lstm_params<TestType, 3, 5>>();
}

TEMPLATE_TEST_CASE("neighbours in memory are left alone", "[optim]", float, double) {
    std::array<us::tensor<TestType, 5>, 3> store{};
    us::tensor<TestType, 5> g;
    g.fill(1);
    us::adam<us::tensor<TestType, 5>> optimiser;
    optimiser.step(store[1], g);
    CHECK(store[0] == us::tensor<TestType, 5>{});
    CHECK(store[2] == us::tensor<TestType, 5>{});
    CHECK(store[1][4] != 0);
}

TEST_CASE("Adam finds the minimum of a quadratic", "[optim]") {
    using point = us::tensor<double, 3>;
    point const target{1, -2, 30};
    point p;
    us::adam<point> optimiser{.learning_rate = 0.5};
    for (int k = 0; k < 3000; ++k) {
        point g;
        for (int i = 0; i < 3; ++i) g[i] = p[i] - target[i];
        optimiser.step(p, g);
        optimiser.learning_rate *= 0.998;
    }
    for (int i = 0; i < 3; ++i) CHECK(std::abs(p[i] - target[i]) <= 1e-3);
}

TEST_CASE("Adam's corrections fade in the end", "[optim]") {
    us::adam<us::tensor<double, 1>> optimiser{.learning_rate = 1};
    optimiser.steps = 1'000'000'000'000;
    us::tensor<double, 1> p;
    optimiser.step(p, us::tensor<double, 1>{1.0});
    // m = 0.1 and √v = √0.001 as they are
    CHECK(p[0] == Approx(-0.1 / (std::sqrt(0.001) + 1e-8)).epsilon(1e-12));
}

TEST_CASE("clipping leaves a gradient that is not finite and says so", "[optim]") {
    using point = us::tensor<float, 2>;
    point g{3.f, std::numeric_limits<float>::infinity()};
    CHECK(std::isinf(us::clip_by_global_norm(g, 1)));
    CHECK(g[0] == 3);
    CHECK(us::clip_factor(g, 1) == 1);
    g[1] = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(us::clip_by_global_norm(g, 1)));
    CHECK(g[0] == 3);
    // squares beyond float are no trouble
    point large{3e30f, 4e30f};
    CHECK(us::clip_by_global_norm(large, 1) == Approx(5e30));
    CHECK(us::global_norm(large) == Approx(1).epsilon(1e-6));
}

TEST_CASE("steps and clipping allocate nothing", "[optim]") {
    using params = us::lstm_params<float, 16, 40>;
    auto const p = std::make_unique<params>();
    auto const g = std::make_unique<params>();
    us::initialize(*p, 1);
    us::initialize(*g, 2);
    auto const adam = std::make_unique<us::adam<params>>();
    auto const sgd = std::make_unique<us::sgd<params>>();
    auto const counted = unspool_test::allocations_during([&] {
        for (int k = 0; k < 100; ++k) {
            us::clip_by_global_norm(*g, 1);
            adam->step(*p, *g, us::clip_factor(*g, 0.5));
            sgd->step(*p, *g);
        }
    });
    CHECK(counted.total() == 0);
    CHECK(adam->steps == 100);
}

TEST_CASE("a moved optimiser goes on where it was", "[optim]") {
    using point = us::tensor<double, 2>;
    us::adam<point> one{.learning_rate = 0.1};
    point p{1.0, 2.0};
    point q = p;
    one.step(p, point{1.0, -1.0});
    us::adam<point> other = std::move(one);
    other.step(p, point{0.5, 3.0});
    us::adam<point> straight{.learning_rate = 0.1};
    straight.step(q, point{1.0, -1.0});
    straight.step(q, point{0.5, 3.0});
    CHECK(p == q);
}
