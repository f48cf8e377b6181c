// SPDX-License-Identifier: BSL-1.0
// The verifier finds each kind of corruption, and reads nothing outside of the graph meanwhile.
#include "support/catch.hpp"
#include "support/random_graph.hpp"

#include <unspool/graph/verify.hpp>

#include <string>

using namespace unspool;

namespace {

struct sample {
    graph g;
    ref x, y, wide, flat, turned, cut, placed, joined, total, product, biased, chosen, table, loop,
        last, stacked, mirrored, number, many, rows, counts;

    sample() {
        x = g.argument(shape::of(2, 3));
        y = g.argument(shape::of(3, 2));
        wide = g.broadcast(x, {1, 2}, shape::of(4, 2, 3));
        flat = g.reshape(x, shape::of(6));
        turned = g.transpose(x, {1, 0});
        cut = g.slice(x, {0, 1}, shape::of(2, 2));
        placed = g.pad(x, {1, 0}, shape::of(3, 4));
        joined = g.concatenate({x, x}, 0);
        total = g.sum(x, {1});
        product = g.dot(x, y);
        biased = g.dot(x, y, false, false, product);
        chosen = g.apply<op::select>(x, x, g.apply<op::tanh>(x));
        double const numbers[] = {1, 2};
        table = g.literal(numbers, shape::of(2));
        graph body;
        ref const k = body.argument(shape::of(2));
        ref const c = body.argument(shape::of(2));
        ref const in = body.argument(shape::of(3));
        ref const next = body.apply<op::add>(k, body.apply<op::tanh>(c));
        body.results = {next, in};
        loop = g.scan({2, false, 1, 1, 1, 1, 0}, {table, total, x}, std::move(body));
        last = g.output(loop, 0);
        stacked = g.output(loop, 1);
        mirrored = g.reverse(x, {0, 1});
        number = g.argument(shape{});
        many = g.argument(shape::of(2, 1, 1, 1, 1, 1, 1, 1));
        ref const index = g.argument(shape::of(2));
        rows = g.gather(index, y);
        counts = g.scatter_add(index, x, 3);
        g.results = {last, stacked, biased};
    }
    int& operand(ref id, int k) { return g.pool[g.nodes[id].operands + k]; }
    int& attr(ref id, int k) { return g.pool[g.nodes[id].attr + k]; }
    shape& dims(ref id) { return g.nodes[id].dims; }
    graph& body() { return g.bodies[g.nodes[loop].body]; }
};

/// What the verifier says of the sample after one change.
template <class Change>
std::string after(Change change) {
    sample s;
    change(s);
    char const* const wrong = violation(s.g);
    return wrong == nullptr ? "nothing" : wrong;
}

}  // namespace

TEST_CASE("a graph as built is valid") {
    CHECK(violation(sample{}.g) == nullptr);
    CHECK(violation(graph{}) == nullptr);
}

TEST_CASE("nodes, operands and edges are checked") {
    CHECK(after([](sample& s) { s.g.nodes[s.x].code = -1; }) == "an unknown operation");
    CHECK(after([](sample& s) { s.g.nodes[s.x].code = 1000; }) == "an unknown operation");
    CHECK(after([](sample& s) { s.operand(s.total, 0) = s.total; }) == "an operand comes too late");
    CHECK(after([](sample& s) { s.operand(s.total, 0) = -1; }) == "an operand comes too late");
    CHECK(after([](sample& s) { s.g.nodes[s.last].operands = 100000; }) ==
          "operands or attributes lie outside of the pool");
    CHECK(after([](sample& s) { s.g.nodes[s.last].attrs = -1; }) ==
          "operands or attributes lie outside of the pool");
    CHECK(after([](sample& s) { s.dims(s.x).rank = 100; }) == "a shape of impossible rank");
    CHECK(after([](sample& s) { s.dims(s.x).rank = -1; }) == "a shape of impossible rank");
    CHECK(after([](sample& s) { s.dims(s.x).extent[0] = 0; }) == "a shape without elements");
    CHECK(after([](sample& s) { s.g.arguments[1] = s.total; }) ==
          "an argument is missing among the arguments");
    CHECK(after([](sample& s) { s.g.arguments.push_back(s.total); }) == "an argument is not one");
    CHECK(after([](sample& s) { s.g.arguments.push_back(none); }) == "an argument is not one");
    CHECK(after([](sample& s) { s.g.arguments.push_back(s.g.size()); }) ==
          "an argument is not one");
    CHECK(after([](sample& s) { s.g.arguments.push_back(s.x); }) == "an argument is listed twice");
    CHECK(after([](sample& s) { s.g.results[0] = s.g.size(); }) == "a result is not a value");
    CHECK(after([](sample& s) { s.g.results[0] = none; }) == "a result is not a value");
    CHECK(after([](sample& s) { s.g.results[0] = s.loop; }) == "a result is not a value");
    CHECK(after([](sample& s) {
              ref const id = s.g.apply<op::tanh>(s.stacked);
              s.operand(id, 0) = s.loop;
          }) == "a scan is read as a value");
    CHECK(after([](sample& s) { s.g.nodes[s.table].count = 1; }) == "a source has operands");
    CHECK(after([](sample& s) { s.attr(s.table, 0) = 1; }) == "a literal has no numbers");
    CHECK(after([](sample& s) { s.attr(s.table, 0) = -1; }) == "a literal has no numbers");
    CHECK(after([](sample& s) { s.g.nodes[s.table].attrs = 0; }) == "a literal has no numbers");
}

TEST_CASE("elementwise operations need equal shapes") {
    CHECK(after([](sample& s) { s.operand(s.chosen, 1) = s.y; }) == "elementwise shapes differ");
    CHECK(after([](sample& s) { s.dims(s.chosen) = shape::of(6); }) == "elementwise shapes differ");
    CHECK(after([](sample& s) { s.g.nodes[s.chosen].count = 2; }) ==
          "an elementwise operation has the wrong operands");
}

TEST_CASE("views are checked") {
    CHECK(after([](sample& s) { s.attr(s.wide, 0) = 2; }) == "a broadcast has the wrong axes");
    CHECK(after([](sample& s) { s.attr(s.wide, 0) = 0; }) == "a broadcast axis differs");
    CHECK(after([](sample& s) { s.attr(s.wide, 1) = 3; }) == "a broadcast has the wrong axes");
    CHECK(after([](sample& s) { s.dims(s.wide).extent[0] = 5; }) ==
          "a view, pad or reduction misses its shape");
    CHECK(after([](sample& s) { s.dims(s.flat) = s.g.dims(s.flat).with_front(2); }) ==
          "a reshape changes the size");
    CHECK(after([](sample& s) { s.dims(s.flat) = shape::of(3, 2); }) ==
          "a view, pad or reduction misses its shape");
    CHECK(after([](sample& s) { s.attr(s.turned, 0) = 0; }) == "a transpose has the wrong axes");
    CHECK(after([](sample& s) { s.attr(s.turned, 0) = 7; }) == "a transpose has the wrong axes");
    CHECK(after([](sample& s) { s.dims(s.turned) = shape::of(2, 3); }) ==
          "a view, pad or reduction misses its shape");
    CHECK(after([](sample& s) { s.attr(s.cut, 1) = 2; }) == "a slice leaves its operand");
    CHECK(after([](sample& s) { s.attr(s.cut, 0) = -1; }) == "a slice leaves its operand");
    CHECK(after([](sample& s) { s.dims(s.cut) = shape::of(2, 1); }) ==
          "a view, pad or reduction misses its shape");
    CHECK(after([](sample& s) { s.dims(s.cut) = shape::of(4); }) == "a slice leaves its operand");
    CHECK(after([](sample& s) { s.attr(s.mirrored, 1) = 2; }) == "a reversal has the wrong axes");
    CHECK(after([](sample& s) { s.g.nodes[s.mirrored].attrs = 1; }) ==
          "a reversal has the wrong axes");
    CHECK(after([](sample& s) { s.g.nodes[s.cut].count = 0; }) ==
          "a view, pad or reduction has the wrong operands");
}

TEST_CASE("pads, concatenations and reductions are checked") {
    CHECK(after([](sample& s) { s.attr(s.placed, 0) = 2; }) == "a pad's operand leaves the result");
    CHECK(after([](sample& s) { s.attr(s.placed, 1) = -1; }) ==
          "a pad's operand leaves the result");
    CHECK(after([](sample& s) { s.dims(s.placed) = shape::of(12); }) ==
          "a pad's operand leaves the result");
    CHECK(after([](sample& s) { s.attr(s.joined, 0) = 2; }) == "a concatenation has no axis");
    CHECK(after([](sample& s) { s.g.nodes[s.joined].attrs = 0; }) == "a concatenation has no axis");
    CHECK(after([](sample& s) { s.g.nodes[s.joined].count = 0; }) == "a concatenation has no axis");
    CHECK(after([](sample& s) { s.attr(s.joined, 0) = 1; }) ==
          "a concatenation's operands differ beside the axis");
    CHECK(after([](sample& s) { s.operand(s.joined, 1) = s.y; }) ==
          "a concatenation's operands differ beside the axis");
    CHECK(after([](sample& s) { s.operand(s.joined, 1) = s.flat; }) ==
          "a concatenation of different ranks");
    CHECK(after([](sample& s) { s.dims(s.joined).extent[0] = 5; }) ==
          "a concatenation misses its shape");
    CHECK(after([](sample& s) { s.attr(s.total, 0) = 2; }) == "a reduction has the wrong axes");
    CHECK(after([](sample& s) { s.attr(s.total, 0) = 0; }) ==
          "a view, pad or reduction misses its shape");
}

TEST_CASE("products are checked") {
    CHECK(after([](sample& s) { s.operand(s.product, 1) = s.x; }) ==
          "inner extents of a product differ");
    CHECK(after([](sample& s) { s.attr(s.product, 0) = 1; }) ==
          "inner extents of a product differ");
    CHECK(after([](sample& s) { s.dims(s.product) = shape::of(2, 3); }) ==
          "a product misses its shape");
    CHECK(after([](sample& s) { s.operand(s.product, 1) = s.flat; }) ==
          "a product of other than matrices");
    CHECK(after([](sample& s) { s.operand(s.biased, 2) = s.x; }) ==
          "a product's addend has another shape");
    CHECK(after([](sample& s) { s.g.nodes[s.product].count = 1; }) ==
          "a product has the wrong operands");
    sample s;
    ref const a = s.g.argument(shape::of(2, 2, 2));
    ref const b = s.g.argument(shape::of(3, 2, 2));
    ref const c = s.g.dot(a, a);
    s.operand(c, 1) = b;
    CHECK(std::string(violation(s.g)) == "a product's batches differ");
}

TEST_CASE("rows by indices are checked") {
    CHECK(after([](sample& s) { s.g.nodes[s.rows].count = 1; }) ==
          "an indexing has the wrong operands");
    CHECK(after([](sample& s) { s.g.nodes[s.counts].attrs = 0; }) ==
          "an indexing has the wrong operands");
    CHECK(after([](sample& s) { s.operand(s.rows, 1) = s.number; }) == "a gather has no rows");
    CHECK(after([](sample& s) { s.operand(s.rows, 0) = s.many; }) == "a gather has no rows");
    CHECK(after([](sample& s) { s.dims(s.rows) = shape::of(2, 3); }) ==
          "an indexing misses its shape");
    CHECK(after([](sample& s) { s.operand(s.counts, 1) = s.number; }) ==
          "a scatter has fewer rows than indices");
    CHECK(after([](sample& s) { s.operand(s.counts, 1) = s.y; }) ==
          "a scatter's rows are not its indices");
    CHECK(after([](sample& s) { s.attr(s.counts, 0) = 4; }) == "an indexing misses its shape");
}

TEST_CASE("loops are checked, and what is inside of them") {
    CHECK(after([](sample& s) { s.g.nodes[s.loop].body = 1; }) == "a scan has no body");
    CHECK(after([](sample& s) { s.g.nodes[s.loop].body = -1; }) == "a scan has no body");
    CHECK(after([](sample& s) { s.g.nodes[s.loop].attrs = 3; }) == "a scan has no layout");
    CHECK(after([](sample& s) { s.attr(s.loop, 0) = 0; }) == "a scan has no step");
    CHECK(after([](sample& s) { s.attr(s.loop, 2) = -1; }) == "a scan's layout is negative");
    for (int part : {3, 4, 5, 6})
        CHECK(after([part](sample& s) { s.attr(s.loop, part) = -1; }) ==
              "a scan's layout is negative");
    CHECK(after([](sample& s) { s.body().argument(shape::of(2)); }) ==
          "a scan's operands are not its body's arguments");
    CHECK(after([](sample& s) { s.attr(s.loop, 2) = 2; }) ==
          "a scan's operands are not its body's arguments");
    CHECK(after([](sample& s) { s.attr(s.loop, 5) = 2; }) == "a scan's results are not its body's");
    CHECK(after([](sample& s) { s.attr(s.loop, 6) = 2; }) == "a scan's results are not its body's");
    CHECK(after([](sample& s) { s.attr(s.loop, 0) = 3; }) ==
          "a scan's operand has another shape than its body's argument");
    CHECK(after([](sample& s) { s.operand(s.loop, 0) = s.flat; }) ==
          "a scan's operand has another shape than its body's argument");
    CHECK(after([](sample& s) { s.body().results[0] = s.body().arguments[2]; }) ==
          "a scan's carry changes its shape");
    CHECK(after([](sample& s) { s.body().results[0] = 99; }) == "a result is not a value");
    CHECK(after([](sample& s) { s.body().nodes[3].code = -5; }) == "an unknown operation");
    CHECK(after([](sample& s) { s.attr(s.last, 0) = 2; }) ==
          "an output that its scan does not have");
    CHECK(after([](sample& s) { s.attr(s.last, 0) = -1; }) ==
          "an output that its scan does not have");
    CHECK(after([](sample& s) { s.operand(s.last, 0) = s.total; }) == "an output without its scan");
    CHECK(after([](sample& s) { s.dims(s.stacked) = shape::of(3); }) ==
          "an output misses its shape");
}

TEST_CASE("no single changed word of a random graph makes the verifier read outside of it") {
    unspool_test::dice random(5);
    int found = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        graph g = unspool_test::random_graph(static_cast<std::uint64_t>(trial % 50));
        int const wild[] = {-1, 0, 1, 2, 7, 1 << 20, -(1 << 20)};
        int const value = wild[random.below(7)];
        node& n = g.nodes[random.below(g.size())];
        switch (random.below(6)) {
        case 0:
            g.pool[random.below(g.pool.size())] = value;
            break;
        case 1:
            n.code = value;
            break;
        case 2:
            n.operands = value;
            break;
        case 3:
            n.count = value;
            break;
        case 4:
            n.attrs = value;
            break;
        default:
            n.dims.extent[random.below(max_rank)] = value;
            break;
        }
        found += violation(g) != nullptr;
    }
    CHECK(found > 1000);  // the rest changed nothing, or into another valid graph
}
