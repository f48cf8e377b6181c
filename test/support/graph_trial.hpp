// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/random_graph.hpp"
#include "support/tolerance.hpp"

#include <unspool/graph/evaluate.hpp>
#include <unspool/graph/print.hpp>
#include <unspool/graph/verify.hpp>
#include <unspool/pass/jvp.hpp>
#include <unspool/pass/vjp.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

/// What one pass has to hold on one graph, in words where it does not.
namespace unspool_test {

using unspool::graph;
using unspool::ref;

/// How many random graphs each pass meets. UNSPOOL_FUZZ_GRAPHS asks for more.
inline int fuzz_graphs() {
    char const* const given = std::getenv("UNSPOOL_FUZZ_GRAPHS");
    return given != nullptr ? std::atoi(given) : 10'000;
}

/// The values of a graph's results, each row-major.
template <class T = double>
std::vector<std::vector<T>> evaluated(graph const& g, unspool::list<T const*> const& arguments) {
    unspool::evaluator<T> e(g);
    e.run(arguments);
    std::vector<std::vector<T>> results;
    for (int k = 0; k < g.results.size(); ++k) {
        T const* const y = e.result(k);
        results.emplace_back(y, y + g.dims(g.results[k]).size());
    }
    return results;
}

template <class T>
double array_error(std::vector<T> const& a, std::vector<T> const& b) {
    return array_error(a.data(), b.data(), static_cast<int>(a.size()), tolerance::random_floor);
}

inline std::string shown(double x) { return unspool::detail::in_words(x); }

inline std::vector<double> random_vector(dice& random, int n) {
    std::vector<double> v(static_cast<std::size_t>(n));
    for (double& x : v) x = random.uniform(-1, 1);
    return v;
}

/// The arguments of a graph that a derivative is taken with respect to: a random subset.
inline unspool::list<int> random_subset(dice& random, int n) {
    unspool::list<int> chosen;
    for (int i = 0; i < n; ++i)
        if (!random.one_in(3)) chosen.push_back(i);
    if (chosen.empty()) chosen.push_back(random.below(n));
    return chosen;
}

/// What passes are tried on: every third graph as it is, every third as its tangents, every third
/// with its gradient. Loops with residuals, reverse loops and accumulators come from there.
inline graph random_subject(std::uint64_t seed) {
    graph g = random_graph(seed);
    dice random(seed + 4);
    auto const wrt = random_subset(random, g.arguments.size());
    if (seed % 3 == 0) return g;
    if (seed % 3 == 1) return unspool::jvp(g, wrt);
    return unspool::vjp(g, {wrt, g.results.size(), true});
}

/// ⟨Jv, w⟩ = ⟨v, Jᵀw⟩ for a graph with these arguments, and that both transformations leave the
/// results as they were. Empty, or what is wrong.
inline std::string adjoint_trial(graph const& g, argument_values<double> const& at,
                                 unspool::list<int> const& wrt, dice& random) {
    int const results = g.results.size();
    graph const forward = unspool::jvp(g, wrt);
    graph const reverse = unspool::vjp(g, {wrt, results, true});
    if (char const* wrong = unspool::violation(forward)) return std::string("jvp: ") + wrong;
    if (char const* wrong = unspool::violation(reverse)) return std::string("vjp: ") + wrong;

    auto tangents = at;
    for (int i : wrt)
        tangents.values.push_back(random_vector(random, g.dims(g.arguments[i]).size()));
    auto cotangents = at;
    for (ref id : g.results) cotangents.values.push_back(random_vector(random, g.dims(id).size()));

    auto const plain = evaluated(g, at.pointers());
    auto const pushed = evaluated(forward, tangents.pointers());
    auto const pulled = evaluated(reverse, cotangents.pointers());
    product_sum output;
    product_sum input;
    for (int k = 0; k < results; ++k) {
        auto const i = static_cast<std::size_t>(k);
        if (array_error(plain[i], pushed[i]) > tolerance::pass) return "jvp changes a result";
        if (array_error(plain[i], pulled[i]) > tolerance::pass) return "vjp changes a result";
        auto const& tangent = pushed[i + static_cast<std::size_t>(results)];
        auto const& seed = cotangents.values[at.values.size() + i];
        for (std::size_t j = 0; j < seed.size(); ++j) output.add(tangent[j], seed[j]);
    }
    for (int k = 0; k < wrt.size(); ++k) {
        auto const i = static_cast<std::size_t>(k);
        auto const& gradient = pulled[i + static_cast<std::size_t>(results)];
        auto const& direction = tangents.values[at.values.size() + i];
        for (std::size_t j = 0; j < direction.size(); ++j) input.add(direction[j], gradient[j]);
    }
    double const error = identity_error(output, input, tolerance::random_floor);
    if (error <= tolerance::adjoint_identity<double>) return {};
    return "the adjoint identity is off by " + shown(error) + ": " + shown(output.sum()) + " and " +
           shown(input.sum());
}

/// Jv against five-point differences along v. Random compositions can be as steep and as bent as
/// 1e3, so that no one step serves all: the best of a few counts. A wrong rule is wrong with each.
/// What is steeper than 1e5 is chaos, and left out.
inline std::string difference_trial(graph const& g, argument_values<double> const& at,
                                    unspool::list<int> const& wrt, dice& random) {
    graph const forward = unspool::jvp(g, wrt);
    auto tangents = at;
    for (int i : wrt)
        tangents.values.push_back(random_vector(random, g.dims(g.arguments[i]).size()));
    auto const pushed = evaluated(forward, tangents.pointers());
    auto const moved = [&](double by) {
        auto there = at;
        for (int k = 0; k < wrt.size(); ++k) {
            auto const& v = tangents.values[at.values.size() + static_cast<std::size_t>(k)];
            auto& x = there.values[static_cast<std::size_t>(wrt[k])];
            for (std::size_t j = 0; j < v.size(); ++j) x[j] += by * v[j];
        }
        return evaluated(g, there.pointers());
    };
    std::size_t const results = static_cast<std::size_t>(g.results.size());
    std::vector<double> best(results, std::numeric_limits<double>::infinity());
    std::vector<double> steepness(results, 0);
    for (double h = tolerance::difference_step; h > 1e-9; h /= 8) {
        auto const a = moved(-2 * h);
        auto const b = moved(-h);
        auto const c = moved(h);
        auto const d = moved(2 * h);
        for (std::size_t k = 0; k < results; ++k) {
            auto const& tangent = pushed[k + results];
            double size = tolerance::random_floor;
            double error = 0;
            for (std::size_t i = 0; i < tangent.size(); ++i) {
                double const measured = (a[k][i] - 8 * b[k][i] + 8 * c[k][i] - d[k][i]) / (12 * h);
                size = std::max({size, std::fabs(tangent[i]), std::fabs(c[k][i])});
                steepness[k] = std::max(steepness[k], std::fabs(tangent[i]));
                error = std::max(error, std::fabs(measured - tangent[i]));
            }
            best[k] = std::min(best[k], error / size);
        }
    }
    for (std::size_t k = 0; k < results; ++k)
        if (!(best[k] <= tolerance::random_differences) && steepness[k] < 1e5)
            return "the derivative of result " + std::to_string(k) + " differs by " +
                   shown(best[k]) + " from differences";
    return {};
}

/// What a pass promises beside the same results.
struct promises {
    bool idempotent = false;  ///< a second run changes nothing
    bool shrinks = false;     ///< no more values than before, bodies of loops counted
};

/// How many values a graph has, those of its loops' bodies included.
inline int values_in(graph const& g) {
    int n = g.size();
    for (ref id = 0; id < g.size(); ++id)
        if (g.is<op::scan>(id)) n += values_in(g.body(id));
    return n;
}

/// That a pass leaves a graph valid, with the same arguments and the same results.
template <class Pass>
std::string equivalence_trial(graph const& g, argument_values<double> const& at, Pass const& pass,
                              promises const& also) {
    graph const changed = pass(g);
    if (char const* wrong = unspool::violation(changed)) return wrong;
    if (changed.arguments.size() != g.arguments.size()) return "the arguments are other ones";
    if (changed.results.size() != g.results.size()) return "the results are other ones";
    for (int k = 0; k < g.results.size(); ++k)
        if (!(g.dims(g.results[k]) == changed.dims(changed.results[k])))
            return "result " + std::to_string(k) + " has another shape";
    auto const before = evaluated(g, at.pointers());
    auto const after = evaluated(changed, at.pointers());
    for (std::size_t k = 0; k < before.size(); ++k)
        if (double const error = array_error(before[k], after[k]); error > tolerance::pass)
            return "result " + std::to_string(k) + " is off by " + shown(error);
    if (also.shrinks && values_in(changed) > values_in(g))
        return std::to_string(values_in(g)) + " values became " +
               std::to_string(values_in(changed));
    if (also.idempotent && unspool::text(pass(changed)) != unspool::text(changed))
        return "a second run changes the graph again";
    return {};
}

}  // namespace unspool_test
