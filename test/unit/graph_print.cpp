// SPDX-License-Identifier: BSL-1.0
// The printers' texts, in full: what golden files and reviewers see.
#include "support/catch.hpp"
#include "support/random_graph.hpp"

#include <unspool/graph/print.hpp>

#include <algorithm>

using namespace unspool;

namespace {

/// Every kind of line: each family of operations, attributes, and a loop with each role.
graph sample() {
    graph g;
    ref const x = g.argument(shape::of(2, 3));
    ref const w = g.argument(shape::of(4, 3));
    double const numbers[] = {0.1, -2, 1e30};
    double const many[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    ref const bias = g.literal(numbers, shape::of(3));
    ref const long_table = g.literal(many, shape::of(2, 5));
    ref const shifted = g.apply<op::add>(x, g.broadcast(bias, {1}, shape::of(2, 3)));
    ref const product = g.dot(shifted, w, false, true);
    ref const folded = g.dot(shifted, w, false, true, product);
    ref const corner = g.slice(folded, {0, 1}, shape::of(2, 2));
    ref const around = g.pad(corner, {1, 0}, shape::of(4, 3));
    ref const joined =
        g.concatenate({g.transpose(corner, {1, 0}), g.slice(around, {0, 0}, shape::of(2, 2))}, 1);
    ref const copied = g.contiguous(joined);
    ref const flat = g.reshape(copied, shape::of(8));
    ref const largest = g.reduce<op::reduce_max>(flat, {0});
    ref const scale = g.constant(0.5, shape::of(2, 5));
    ref const chosen = g.apply<op::select>(g.apply<op::less>(scale, long_table), scale, long_table);
    graph body;
    ref const k = body.argument({});
    ref const c = body.argument(shape::of(3));
    ref const in = body.argument(shape::of(3));
    ref const gain = body.broadcast(k, {}, shape::of(3));
    ref const next =
        body.apply<op::tanh>(body.apply<op::add>(body.apply<op::multiply>(gain, c), in));
    body.results = {next, next, c};
    ref const loop = g.scan({2, true, 1, 1, 1, 2, 1}, {largest, bias, shifted}, std::move(body));
    g.results = {g.output(loop, 0), g.output(loop, 1), g.output(loop, 2), chosen};
    return g;
}

}  // namespace

TEST_CASE("the text of a graph") {
    CHECK(text(sample()) == R"(%0: [2, 3] = argument 0
%1: [4, 3] = argument 1
%2: [3] = literal 0.1, -2, 1e+30
%3: [2, 5] = literal 1, 2, 3, 4, 5, 6, 7, 8, ... 10 values
%4: [2, 3] = broadcast %2 as axes [1]
%5: [2, 3] = add %0, %4
%6: [2, 4] = dot %5, %1^T
%7: [2, 4] = dot %5, %1^T, %6
%8: [2, 2] = slice %7 from [0, 1]
%9: [4, 3] = pad %8 at [1, 0]
%10: [2, 2] = transpose %8 by axes [1, 0]
%11: [2, 2] = slice %9 from [0, 0]
%12: [2, 4] = concatenate %10, %11 along axis 1
%13: [2, 4] = contiguous %12
%14: [8] = reshape %13
%15: [] = max %14 over axes [0]
%16: [2, 5] = constant 0.5
%17: [2, 5] = less %16, %3
%18: [2, 5] = select %17, %16, %3
%19 = scan, 2 steps, last to first:
    %0: [] = loop constant, outer %15
    %1: [3] = carry 0, outer %2 before, %6 after each step
    %2: [3] = input 0, outer %5 at each step
    %3: [3] = broadcast %0 as axes []
    %4: [3] = multiply %3, %1
    %5: [3] = add %4, %2
    %6: [3] = tanh %5
    carry 0 = %6
    output 0 = %6
    residual 0 = %1
%20: [3] = carry 0 of %19
%21: [2, 3] = output 0 of %19
%22: [2, 3] = residual 0 of %19
result 0 = %20
result 1 = %21
result 2 = %22
result 3 = %18
)");
}

TEST_CASE("the DOT text of a graph") {
    graph g;
    ref const start = g.argument({});
    ref const xs = g.argument(shape::of(3));
    graph body;
    ref const c = body.argument({});
    ref const x = body.argument({});
    ref const next = body.apply<op::add>(c, x);
    body.results = {next, next};
    ref const loop = g.scan({3, true, 0, 1, 1, 1, 0}, {start, xs}, std::move(body));
    g.results = {g.apply<op::tanh>(g.output(loop, 1))};
    CHECK(dot(g) == R"(digraph unspool {
    node [shape=box, fontname=monospace];
    n0 [label="%0 argument 0\n[]"];
    n1 [label="%1 argument 1\n[3]"];
    subgraph cluster_n2 {
        label="%2 scan, 3 steps, last to first";
        n2_0 [label="%0 carry 0\n[]"];
        n2_1 [label="%1 input 0\n[]"];
        n2_2 [label="%2 add\n[]", peripheries=2];
        n2_0 -> n2_2;
        n2_1 -> n2_2;
        n2_2 -> n2_0 [style=dashed, constraint=false];
    }
    n0 -> n2_0;
    n1 -> n2_1;
    n3 [label="%3 output 0 of %2\n[3]"];
    n2_2 -> n3;
    n4 [label="%4 tanh\n[3]", peripheries=2];
    n3 -> n4;
}
)");
}

TEST_CASE("equal graphs have equal texts, different ones different texts") {
    std::vector<std::string> texts;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        texts.push_back(text(unspool_test::random_graph(seed)));
        CHECK(texts.back() == text(unspool_test::random_graph(seed)));
    }
    std::sort(texts.begin(), texts.end());
    CHECK(std::unique(texts.begin(), texts.end()) == texts.end());
}

TEST_CASE("DOT texts of random graphs have balanced braces and name each value once") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        std::string const s = dot(unspool_test::random_graph(seed));
        CHECK(std::count(s.begin(), s.end(), '{') == std::count(s.begin(), s.end(), '}'));
        CHECK(std::count(s.begin(), s.end(), '"') % 2 == 0);
    }
}
