// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/program_plan.hpp>

namespace unspool {
inline namespace v0 {

struct plan_sizes {
    int code = 0, micros = 0, places = 0, literals = 0;
};

/// A plan as a constant.
template <plan_sizes Size>
struct frozen_plan {
    static constexpr plan_sizes size = Size;
    instruction code[static_cast<unsigned>(Size.code + 1)]{};
    micro_op micros[static_cast<unsigned>(Size.micros + 1)]{};
    place places[static_cast<unsigned>(Size.places + 1)]{};
    double literals[static_cast<unsigned>(Size.literals + 1)]{};
    int arguments = 0;
    int results = 0;
    int workspace = 0;
    double flops = 0;
    double transcendentals = 0;

    constexpr int literal_base() const { return arguments + results; }
    constexpr int workspace_base() const { return arguments + results + 1; }
};

namespace detail {
template <class Make>
inline constexpr plan_sizes plan_sizes_of = [] {
    plan const p = Make{}();
    return plan_sizes{p.code.size(), p.micros.size(), p.places.size(), p.literals.size()};
}();
}  // namespace detail

/// The plan that `Make{}()` returns, as a constant. `Make` is called twice, once for the sizes.
template <class Make>
constexpr auto freeze_plan() {
    plan const p = Make{}();
    frozen_plan<detail::plan_sizes_of<Make>> f;
    for (int i = 0; i < p.code.size(); ++i) f.code[i] = p.code[i];
    for (int i = 0; i < p.micros.size(); ++i) f.micros[i] = p.micros[i];
    for (int i = 0; i < p.places.size(); ++i) f.places[i] = p.places[i];
    for (int i = 0; i < p.literals.size(); ++i) f.literals[i] = p.literals[i];
    f.arguments = p.arguments;
    f.results = p.results;
    f.workspace = p.workspace;
    f.flops = p.flops;
    f.transcendentals = p.transcendentals;
    return f;
}

}  // namespace v0
}  // namespace unspool
