// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/graph_trial.hpp"

#include <unspool/pass/chunk.hpp>
#include <unspool/pass/fuse.hpp>
#include <unspool/pass/hoist.hpp>
#include <unspool/pass/simplify.hpp>
#include <unspool/pass/unroll.hpp>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// The laws of a pass, a function graph → graph, on random graphs and their derivatives:
///
///   valid       the verifier finds nothing
///   interface   arguments and results are the graph's own, with their shapes; behind them others
///               only where the pass says so
///   meaning     the evaluator gives the same results before and after
///   cost        no more values, no more flops, where the pass promises it
///   idempotence a further run changes nothing, where the pass promises it
///
/// Derivatives have their own laws beside these: see test/fuzz/pass_gradient.cpp.
namespace unspool_test {

/// What a pass promises beside the same results, each as its header says it.
struct promises {
    bool extends = false;       ///< arguments and results come behind those of the graph
    bool fewer_values = false;  ///< no more nodes than before, bodies of loops counted
    bool fewer_flops = false;   ///< no more arithmetic than before, each step of loops counted
    int settles = 0;  ///< after so many runs another changes nothing; 1: idempotent; 0: no promise
};

inline int values_in(graph const& g) {
    int n = g.size();
    for (ref id = 0; id < g.size(); ++id)
        if (g.is<op::scan>(id)) n += values_in(g.body(id));
    return n;
}

/// Additions, products, functions and comparisons, each as one: an upper bound of what a graph
/// costs, counted without the planner.
inline double flops_in(graph const& g) {
    double n = 0;
    for (ref id = 0; id < g.size(); ++id) {
        double const size = g.dims(id).size();
        if (g.kind(id) == op::family::elementwise) {
            n += size;
        } else if (g.kind(id) == op::family::reduction) {
            n += g.dims(g.operand(id, 0)).size();
        } else if (g.is<op::dot>(id)) {
            unspool::shape const a = g.dims(g.operand(id, 0));
            int const inner = a.extent[a.rank - (g.attr(id)[0] != 0 ? 2 : 1)];
            n += size * (2 * inner + (g[id].count > 2 ? 1 : 0));
        } else if (g.is<op::scatter_add>(id)) {
            n += g.dims(g.operand(id, 1)).size();
        } else if (g.is<op::scan>(id)) {
            n += g.layout(id).steps * flops_in(g.body(id));
        }
    }
    return n;
}

/// A random graph, where it is, and what it computes.
struct pass_subject {
    graph g;
    argument_values<double> at;
    std::vector<std::vector<double>> results;

    explicit pass_subject(std::uint64_t seed)
        : g(random_subject(seed)), at(random_inputs(g, seed)),
          results(evaluated(g, at.pointers())) {}
};

/// The laws of the pass that `P` describes:
///
///   function   its name in include/unspool/pass, where test/laws/passes.cpp looks for passes that
///              have none
///   name       what failures are reported under
///   promised   what its header promises
///   run(g)     the pass
template <class P>
struct pass_laws {
    /// What is wrong with the pass on one graph, or nothing.
    static std::string broken(pass_subject const& subject) {
        graph const& g = subject.g;
        graph const changed = P::run(g);
        std::string const name = std::string(P::name) + ": ";
        if (char const* wrong = unspool::violation(changed)) return name + wrong;
        if (auto const wrong = interface_law(g, changed); !wrong.empty()) return name + wrong;
        if (auto const wrong = meaning_law(subject, changed); !wrong.empty()) return name + wrong;
        if (auto const wrong = cost_law(g, changed); !wrong.empty()) return name + wrong;
        if (P::promised.settles > 0 && !settles(changed))
            return name + "run " + std::to_string(P::promised.settles + 1) +
                   " changes the graph again";
        return {};
    }

private:
    static bool same_shapes(graph const& g, graph const& changed, unspool::list<ref> const& before,
                            unspool::list<ref> const& after) {
        if (P::promised.extends ? after.size() < before.size() : after.size() != before.size())
            return false;
        for (int k = 0; k < before.size(); ++k)
            if (!(g.dims(before[k]) == changed.dims(after[k]))) return false;
        return true;
    }
    static std::string interface_law(graph const& g, graph const& changed) {
        if (!same_shapes(g, changed, g.arguments, changed.arguments)) return "other arguments";
        if (!same_shapes(g, changed, g.results, changed.results)) return "other results";
        return {};
    }
    static std::string meaning_law(pass_subject const& subject, graph const& changed) {
        auto at = subject.at;
        dice random(1);
        for (int k = subject.g.arguments.size(); k < changed.arguments.size(); ++k)
            at.values.push_back(random_vector(random, changed.dims(changed.arguments[k]).size()));
        return rounding_trial(subject.g, subject.at, subject.results,
                              evaluated(changed, at.pointers()));
    }
    static std::string cost_law(graph const& g, graph const& changed) {
        auto const more = [](double before, double after, char const* what) {
            return after <= before ? "" : shown(before) + " " + what + " became " + shown(after);
        };
        std::string wrong;
        if (P::promised.fewer_values) wrong = more(values_in(g), values_in(changed), "values");
        if (P::promised.fewer_flops && wrong.empty())
            wrong = more(flops_in(g), flops_in(changed), "flops");
        return wrong;
    }
    static bool settles(graph changed) {
        for (int run = 1; run < P::promised.settles; ++run) changed = P::run(changed);
        return unspool::text(P::run(changed)) == unspool::text(changed);
    }
};

/// Every pass, some in several ways. A new one is a struct here and its name in `all`.
namespace passes {

/// A machine on which it pays to move everything out of loops: kernels are dear to start and memory
/// is free. On the default one products as small as these stay where they are.
inline unspool::machine eager() {
    unspool::machine core;
    core.start = 1e6;
    core.l2_bytes_per_cycle = 1e9;
    return core;
}
/// A machine whose second-level cache holds the arrays of half of a small loop's steps, and whose
/// memory is dear.
inline unspool::machine cramped() {
    unspool::machine core;
    core.start = 1e4;
    core.l2_bytes = 512;
    core.l2_bytes_per_cycle = 1e9;
    core.far_bytes_per_cycle = 1e-2;
    return core;
}
/// A graph's first argument, and its last.
inline unspool::list<int> ends(graph const& g) {
    if (g.arguments.size() == 1) return {0};
    return {0, g.arguments.size() - 1};
}

struct jvp {
    static constexpr char const* function = "jvp";
    static constexpr char const* name = "jvp";
    static constexpr promises promised{.extends = true};
    static graph run(graph const& g) { return unspool::jvp(g, ends(g)); }
};
struct vjp {
    static constexpr char const* function = "vjp";
    static constexpr char const* name = "vjp";
    static constexpr promises promised{.extends = true};
    static graph run(graph const& g) { return unspool::vjp(g, {ends(g), g.results.size(), true}); }
};
struct simplify {
    static constexpr char const* function = "simplify";
    static constexpr char const* name = "simplify";
    static constexpr promises promised{.fewer_values = true, .fewer_flops = true, .settles = 3};
    static graph run(graph const& g) { return unspool::simplify(g); }
};
struct fuse {
    static constexpr char const* function = "fuse";
    static constexpr char const* name = "fuse";
    static constexpr promises promised{.fewer_flops = true, .settles = 3};
    static graph run(graph const& g) { return unspool::fuse(g); }
};
struct hoist {
    static constexpr char const* function = "hoist";
    static constexpr char const* name = "hoist";
    static constexpr promises promised{};
    static graph run(graph const& g) {
        return unspool::hoist(unspool::simplify(g), {}, sizeof(double));
    }
};
struct hoist_all {
    static constexpr char const* function = "hoist";
    static constexpr char const* name = "hoist whatever can be";
    static constexpr promises promised{};
    static graph run(graph const& g) {
        return unspool::hoist(unspool::simplify(g), eager(), sizeof(double));
    }
};
struct chunk {
    static constexpr char const* function = "chunk";
    static constexpr char const* name = "chunk";
    static constexpr promises promised{.fewer_flops = true};
    static graph run(graph const& g) {
        return unspool::chunk(unspool::simplify(g), cramped(), sizeof(double));
    }
};
struct unroll_by_two {
    static constexpr char const* function = "unroll";
    static constexpr char const* name = "unroll by two";
    static constexpr promises promised{.fewer_flops = true};
    static graph run(graph const& g) { return unspool::unroll(g, 2); }
};
struct unroll_fully {
    static constexpr char const* function = "unroll";
    static constexpr char const* name = "unroll fully";
    static constexpr promises promised{.fewer_flops = true};
    static graph run(graph const& g) { return unspool::unroll(g, 4); }
};
struct unroll_nested {
    static constexpr char const* function = "unroll_deep";
    static constexpr char const* name = "unroll what is nested";
    static constexpr promises promised{.fewer_flops = true, .settles = 1};
    static graph run(graph const& g) { return unspool::unroll_deep(g, 1); }
};
/// As a program applies them.
struct in_order {
    static constexpr char const* function = "simplify";
    static constexpr char const* name = "all in their order";
    static constexpr promises promised{};
    static graph run(graph const& g) { return unspool::fuse(unspool::simplify(hoist_all::run(g))); }
};

using all = std::tuple<jvp, vjp, simplify, fuse, hoist, hoist_all, chunk, unroll_by_two,
                       unroll_fully, unroll_nested, in_order>;

/// Whether some pass of `all` is that function.
template <class... P>
constexpr bool have_laws(std::string_view function, std::tuple<P...> const*) {
    return ((function == P::function) || ...);
}
/// What is wrong with any pass of `all` on the graph of a seed, or nothing.
template <class... P>
std::string broken(std::uint64_t seed, std::tuple<P...> const*) {
    pass_subject const subject(seed);
    std::string wrong;
    ((wrong = wrong.empty() ? pass_laws<P>::broken(subject) : wrong), ...);
    return wrong;
}

}  // namespace passes
}  // namespace unspool_test
