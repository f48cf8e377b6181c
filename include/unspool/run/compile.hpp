// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/trace.hpp>
#include <unspool/pass/chunk.hpp>
#include <unspool/pass/freeze_plan.hpp>
#include <unspool/pass/fuse.hpp>
#include <unspool/pass/hoist.hpp>
#include <unspool/pass/plan.hpp>
#include <unspool/pass/simplify.hpp>
#include <unspool/pass/unroll.hpp>
#include <unspool/simd/arch.hpp>

/// @file
/// From a function to a plan: the passes in their order, each result a constant of its own.

namespace unspool {
inline namespace v0 {
namespace run {

/// The core that plans are made for, by instruction set.
template <class Arch>
constexpr machine machine_of() {
    machine m;
    m.vector_bytes = Arch::bytes;
    m.registers = Arch::registers;
    return m;
}

/// A pass as a step of compilation: `Pass` on the graph that `Source` holds.
template <class Source, graph (*Pass)(graph const&)>
struct passed {
    struct make {
        constexpr graph operator()() const { return Pass(thaw(Source::value)); }
    };
    static constexpr auto value = freeze<make>();
};
template <class Arch, int ElementBytes>
constexpr graph hoist_for(graph const& g) {
    constexpr machine core = machine_of<Arch>();
    return hoist(chunk(g, core, ElementBytes), core, ElementBytes);
}

/// The graph that `Source` holds after the passes that keep it a graph.
template <class Arch, int ElementBytes, class Source>
using optimised_graph =
    passed<passed<passed<passed<Source, simplify>, hoist_for<Arch, ElementBytes>>, simplify>, fuse>;

/// The plan of the graph that `Source` holds, for an instruction set.
template <class Arch, int ElementBytes, class Source>
struct planned_graph {
    struct make {
        constexpr plan operator()() const {
            graph const g = thaw(optimised_graph<Arch, ElementBytes, Source>::value);
            constexpr machine core = machine_of<Arch>();
            if (loop_depth(g) > max_loops)
                return make_plan(unroll_deep(g, max_loops), core, ElementBytes);
            return make_plan(g, core, ElementBytes);
        }
    };
    static constexpr auto value = freeze_plan<make>();
};

/// Both of a function.
template <class Arch, class F, class... Args>
using optimised =
    optimised_graph<Arch, sizeof(argument_element<Args...>), frozen_function<F, Args...>>;
template <class Arch, class F, class... Args>
using planned = planned_graph<Arch, sizeof(argument_element<Args...>), frozen_function<F, Args...>>;

}  // namespace run
}  // namespace v0
}  // namespace unspool
