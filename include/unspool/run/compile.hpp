// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/trace.hpp>
#include <unspool/pass/freeze_plan.hpp>
#include <unspool/pass/fuse.hpp>
#include <unspool/pass/hoist.hpp>
#include <unspool/pass/plan.hpp>
#include <unspool/pass/simplify.hpp>
#include <unspool/simd/arch.hpp>

/// @file
/// From a function to a plan: the passes in their order, each result a constant of its own.

namespace unspool::inline v0::run {

/// The core that plans are made for, by instruction set.
template <class Arch>
constexpr machine machine_of() {
    machine m;
    if constexpr (std::is_same_v<Arch, simd::avx512>) m.vector_bytes = 64;
    else if constexpr (std::is_same_v<Arch, simd::avx2>) m.vector_bytes = 32;
    else if constexpr (std::is_same_v<Arch, simd::scalar>) m.vector_bytes = 8;
    else m.vector_bytes = 16;
    return m;
}

/// The graph of a function after the passes that keep it a graph.
template <class Arch, class F, class... Args>
struct optimised {
    struct make {
        constexpr graph operator()() const {
            constexpr int bytes = sizeof(argument_element<Args...>);
            graph const g = simplify(thaw(frozen_function<F, Args...>::value));
            return fuse(simplify(hoist(g, machine_of<Arch>(), bytes)));
        }
    };
    static constexpr auto value = freeze<make>();
};

/// The plan of a function for an instruction set.
template <class Arch, class F, class... Args>
struct planned {
    struct make {
        constexpr plan operator()() const {
            return make_plan(thaw(optimised<Arch, F, Args...>::value),
                             sizeof(argument_element<Args...>));
        }
    };
    static constexpr auto value = freeze_plan<make>();
};

}  // namespace unspool::inline v0::run
