// SPDX-License-Identifier: BSL-1.0
// What passes come to on random graphs, in total. A figure that falls is progress and is written
// down here; one that rises is to be explained in review. All change with the graphs drawn.
#include "support/catch.hpp"
#include "support/graph_trial.hpp"

#include <unspool/pass/fuse.hpp>
#include <unspool/pass/hoist.hpp>
#include <unspool/pass/plan.hpp>
#include <unspool/pass/simplify.hpp>
#include <unspool/pass/unroll.hpp>

#include <ostream>

using namespace unspool_test;

namespace {

constexpr int graphs = 300;

/// Of a graph: its values, the operands of its loops, and elements computed, each step counted.
struct size_of_graph {
    int values = 0, loop_operands = 0;
    long elements = 0;

    void add(graph const& g, int trips = 1) {
        values += g.size();
        for (ref id = 0; id < g.size(); ++id) {
            elements += long{trips} * g.dims(id).size();
            if (!g.is<op::scan>(id)) continue;
            loop_operands += g[id].count;
            add(g.body(id), trips * g.layout(id).steps);
        }
    }
    bool operator==(size_of_graph const&) const = default;
    friend std::ostream& operator<<(std::ostream& s, size_of_graph const& n) {
        return s << n.values << " values, " << n.loop_operands << " operands of loops, "
                 << n.elements << " elements";
    }
};

template <class Pass>
size_of_graph total(Pass pass) {
    size_of_graph sum;
    for (std::uint64_t seed = 0; seed < graphs; ++seed) sum.add(pass(random_subject(seed)));
    return sum;
}

graph hoisted(graph const& g) { return unspool::hoist(unspool::simplify(g), {}, sizeof(double)); }

struct size_of_plan {
    int instructions = 0, micros = 0, places = 0, workspace = 0;
    double flops = 0, transcendentals = 0;

    void add(unspool::plan const& p) {
        instructions += p.code.size();
        micros += p.micros.size();
        places += p.places.size();
        workspace += p.workspace;
        flops += p.flops;
        transcendentals += p.transcendentals;
    }
    bool operator==(size_of_plan const&) const = default;
    friend std::ostream& operator<<(std::ostream& s, size_of_plan const& n) {
        return s << n.instructions << " instructions, " << n.micros << " micros, " << n.places
                 << " places, " << n.workspace << " elements of workspace, " << n.flops
                 << " flops, " << n.transcendentals << " transcendentals";
    }
};

}  // namespace

TEST_CASE("how large random graphs and their derivatives are") {
    CHECK(total([](graph const& g) { return g; }) == size_of_graph{45446, 2346, 473125});
}

TEST_CASE("what passes leave of random graphs") {
    CHECK(total([](graph const& g) { return unspool::simplify(g); }) ==
          size_of_graph{29107, 1365, 257598});
    CHECK(total([](graph const& g) { return unspool::fuse(unspool::simplify(g)); }) ==
          size_of_graph{29403, 1365, 256431});
    CHECK(total([](graph const& g) { return hoisted(g); }) == size_of_graph{28985, 1179, 245317});
    CHECK(total([](graph const& g) { return unspool::unroll(g, 2); }) ==
          size_of_graph{46934, 1445, 417410});
    CHECK(total([](graph const& g) { return unspool::unroll_deep(g, 1); }) ==
          size_of_graph{46317, 1962, 435249});
}

TEST_CASE("what plans of random graphs cost") {
    size_of_plan sum;
    for (std::uint64_t seed = 0; seed < graphs; ++seed) {
        graph const g = unspool::fuse(unspool::simplify(hoisted(random_subject(seed))));
        sum.add(unspool::make_plan(g, {}, sizeof(double)));
    }
    CHECK(sum == size_of_plan{9952, 31143, 27967, 46848, 182232, 15504});
}
