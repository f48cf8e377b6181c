// SPDX-License-Identifier: BSL-1.0
// The evaluator on whole graphs; each operation by itself is tested by its laws.
#include "support/catch.hpp"
#include "support/tolerance.hpp"

#include <unspool/graph/evaluate.hpp>

#include <cmath>
#include <vector>

using namespace unspool;

namespace {

template <class T>
std::vector<T> run(graph const& g, list<T const*> const& arguments, int result = 0) {
    evaluator<T> e(g);
    e.run(arguments);
    T const* const y = e.result(result);
    return {y, y + g.dims(g.results[result]).size()};
}

using row = std::vector<double>;

}  // namespace

TEST_CASE("a dense layer of two units") {
    graph g;
    ref const x = g.argument(shape::of(1, 3));
    ref const kernel = g.argument(shape::of(3, 2));
    ref const bias = g.argument(shape::of(2));
    ref const z = g.apply<op::add>(g.dot(x, kernel), g.broadcast(bias, {1}, shape::of(1, 2)));
    g.results.push_back(g.apply<op::relu>(z));
    double const input[] = {1, 2, 3};
    double const weights[] = {1, -1, 0.5, 0, -1, 2};
    double const offsets[] = {0.25, -1};
    CHECK(run<double>(g, {input, weights, offsets}) == row{0, 4});
}

TEST_CASE("an evaluator runs again with other arguments") {
    graph g;
    ref const x = g.argument(shape::of(2));
    g.results.push_back(g.apply<op::square>(x));
    evaluator<double> e(g);
    double const first[] = {1, 2};
    double const second[] = {3, 4};
    e.run({first});
    CHECK(e.result(0)[1] == 4);
    e.run({second});
    CHECK(e.result(0)[1] == 16);
    CHECK(e.value(g.results[0])[0] == 9);
}

TEST_CASE("results that are arguments, reshapes of them, constants or tables") {
    graph g;
    ref const x = g.argument(shape::of(2, 2));
    double const numbers[] = {7, 8};
    g.results = {x, g.reshape(x, shape::of(4)), g.constant(3, shape::of(2)),
                 g.literal(numbers, shape::of(2)), x};
    double const input[] = {1, 2, 3, 4};
    for (int k : {0, 1, 4}) CHECK(run<double>(g, {input}, k) == row{1, 2, 3, 4});
    CHECK(run<double>(g, {input}, 2) == row{3, 3});
    CHECK(run<double>(g, {input}, 3) == row{7, 8});
}

TEST_CASE("a running sum over time, forwards and backwards") {
    for (bool reverse : {false, true}) {
        graph body;
        ref const acc = body.argument({});
        ref const x = body.argument({});
        ref const next = body.apply<op::add>(acc, x);
        body.results = {next, next, acc};
        graph g;
        ref const start = g.argument({});
        ref const xs = g.argument(shape::of(4));
        ref const loop = g.scan({4, reverse, 0, 1, 1, 2, 0}, {start, xs}, std::move(body));
        g.results = {g.output(loop, 0), g.output(loop, 1), g.output(loop, 2)};
        double const from = 10;
        double const steps[] = {1, 2, 3, 4};
        CHECK(run<double>(g, {&from, steps}) == row{20});
        // Outputs lie at their step also where time runs backwards.
        CHECK(run<double>(g, {&from, steps}, 1) ==
              (reverse ? row{20, 19, 17, 14} : row{11, 13, 16, 20}));
        CHECK(run<double>(g, {&from, steps}, 2) ==
              (reverse ? row{19, 17, 14, 10} : row{10, 11, 13, 16}));
    }
}

TEST_CASE("carries change places at once") {
    graph body;
    ref const a = body.argument({});
    ref const b = body.argument({});
    body.results = {b, body.apply<op::add>(a, b)};  // Fibonacci's numbers
    graph g;
    ref const loop =
        g.scan({10, false, 0, 2, 0, 0, 0}, {g.constant(0), g.constant(1)}, std::move(body));
    g.results = {g.output(loop, 0), g.output(loop, 1)};
    CHECK(run<double>(g, {}) == row{55});
    CHECK(run<double>(g, {}, 1) == row{89});
}

TEST_CASE("what a loop hands through: constants, inputs, carries that never change") {
    graph body;
    ref const k = body.argument(shape::of(2));
    ref const c = body.argument({});
    ref const x = body.argument({});
    body.results = {c, k, c, x, body.constant(4)};
    graph g;
    ref const table = g.argument(shape::of(2));
    ref const start = g.argument({});
    ref const xs = g.argument(shape::of(2));
    ref const loop = g.scan({2, false, 1, 1, 1, 4, 0}, {table, start, xs}, std::move(body));
    for (int i = 0; i < 5; ++i) g.results.push_back(g.output(loop, i));
    double const pair[] = {1, 2};
    double const one = 5;
    double const steps[] = {8, 9};
    list<double const*> const at{pair, &one, steps};
    CHECK(run<double>(g, at, 0) == row{5});
    CHECK(run<double>(g, at, 1) == row{1, 2, 1, 2});
    CHECK(run<double>(g, at, 2) == row{5, 5});
    CHECK(run<double>(g, at, 3) == row{8, 9});
    CHECK(run<double>(g, at, 4) == row{4, 4});
}

TEST_CASE("a loop in a loop") {
    // y_t = the sum of the first t + 1 rows' sums, each row summed by a loop of its own.
    graph inner;
    ref const sum = inner.argument({});
    ref const element = inner.argument({});
    inner.results.push_back(inner.apply<op::add>(sum, element));
    graph body;
    ref const total = body.argument({});
    ref const line = body.argument(shape::of(3));
    ref const row_sum =
        body.output(body.scan({3, true, 0, 1, 1, 0, 0}, {total, line}, std::move(inner)), 0);
    body.results = {row_sum, row_sum};
    graph g;
    ref const xs = g.argument(shape::of(2, 3));
    ref const loop = g.scan({2, false, 0, 1, 1, 1, 0}, {g.constant(0), xs}, std::move(body));
    g.results.push_back(g.output(loop, 1));
    double const steps[] = {1, 2, 3, 4, 5, 6};
    CHECK(run<double>(g, {steps}) == row{6, 21});
    float const narrow[] = {1, 2, 3, 4, 5, 6};
    CHECK(run<float>(g, {narrow}) == std::vector<float>{6, 21});
}

TEST_CASE("an LSTM cell of one unit against its formula") {
    graph g;
    ref const z = g.argument(shape::of(1, 4));
    ref const c = g.argument(shape::of(1, 1));
    auto const gate = [&](int k) { return g.slice(z, {0, k}, shape::of(1, 1)); };
    ref const i = g.apply<op::sigmoid>(gate(0));
    ref const f = g.apply<op::sigmoid>(gate(1));
    ref const o = g.apply<op::sigmoid>(gate(3));
    ref const next = g.apply<op::add>(g.apply<op::multiply>(f, c),
                                      g.apply<op::multiply>(i, g.apply<op::tanh>(gate(2))));
    g.results = {g.apply<op::multiply>(o, g.apply<op::tanh>(next)), next};
    double const gates[] = {0.3, -1.2, 0.7, 2.5};
    double const state = -0.4;
    auto const sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
    double const expected = sigma(-1.2) * -0.4 + sigma(0.3) * std::tanh(0.7);
    double const got = run<double>(g, {gates, &state}, 1)[0];
    CHECK(unspool_test::relative_error(got, expected) <= unspool_test::tolerance::cell);
    CHECK(unspool_test::relative_error(run<double>(g, {gates, &state})[0],
                                       sigma(2.5) * std::tanh(expected)) <=
          unspool_test::tolerance::cell);
}
