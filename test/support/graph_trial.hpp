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
#include <exception>
#include <string>
#include <vector>

/// What one pass has to hold on one graph, in words where it does not.
namespace unspool_test {

using unspool::graph;
using unspool::ref;

/// How many random graphs each pass meets. UNSPOOL_FUZZ_GRAPHS asks for more: `slow` does.
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

/// How far the results of a graph go astray in float: how far it carries rounding. From
/// tolerance::chaos on it is chaos.
inline double float_error(graph const& g, argument_values<double> const& at) {
    argument_values<float> rounded;
    for (auto const& v : at.values) {
        rounded.values.emplace_back();
        for (double x : v) rounded.values.back().push_back(static_cast<float>(x));
    }
    auto const exact = evaluated(g, at.pointers());
    auto const in_float = evaluated<float>(g, rounded.pointers());
    double worst = 0;
    for (std::size_t k = 0; k < exact.size(); ++k)
        worst = std::max(worst, array_error(exact[k], {in_float[k].begin(), in_float[k].end()}));
    return worst;
}

/// Whether `got` is what a graph computes, `expected`, up to the rounding of another order. A few
/// graphs in a million carry rounding further than tolerance::pass: as much further as float goes
/// astray; chaos is left out. Empty, or what is wrong.
inline std::string rounding_trial(graph const& g, argument_values<double> const& at,
                                  std::vector<std::vector<double>> const& expected,
                                  std::vector<std::vector<double>> const& got) {
    for (std::size_t k = 0; k < expected.size(); ++k) {
        double const error = array_error(expected[k], got[k]);
        if (error <= tolerance::pass) continue;
        double const astray = float_error(g, at);
        if (astray < tolerance::chaos && error > tolerance::double_to_float * astray)
            return "result " + std::to_string(k) + " is off by " + shown(error);
    }
    return {};
}

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

/// A random graph that differences can follow.
inline graph random_smooth_graph(std::uint64_t seed) {
    random_graph_options options;
    options.smooth = true;
    return random_graph(seed, options);
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
    if (auto const wrong = rounding_trial(g, at, plain, pushed); !wrong.empty())
        return "jvp: " + wrong;
    if (auto const wrong = rounding_trial(g, at, plain, pulled); !wrong.empty())
        return "vjp: " + wrong;
    product_sum output;
    product_sum input;
    for (int k = 0; k < results; ++k) {
        auto const i = static_cast<std::size_t>(k);
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

/// The error of each derivative against five-point differences of `moved(h)`, relative to its size;
/// 0 where it is steeper than 1e5, which is chaos and left out. Random compositions can be as steep
/// and as bent as 1e3, so that no one step serves all: the best of a few counts. A wrong rule is
/// wrong with each.
template <class Moved>
std::vector<double> difference_errors(std::vector<std::vector<double>> const& derivatives,
                                      Moved const& moved) {
    std::vector<double> best(derivatives.size(), std::numeric_limits<double>::infinity());
    for (double h = tolerance::difference_step; h > 1e-9; h /= 8) {
        auto const a = moved(-2 * h);
        auto const b = moved(-h);
        auto const c = moved(h);
        auto const d = moved(2 * h);
        for (std::size_t k = 0; k < derivatives.size(); ++k) {
            double size = tolerance::random_floor;
            double steepness = 0;
            double error = 0;
            for (std::size_t i = 0; i < derivatives[k].size(); ++i) {
                double const claimed = derivatives[k][i];
                double const measured = (a[k][i] - 8 * b[k][i] + 8 * c[k][i] - d[k][i]) / (12 * h);
                size = std::max({size, std::fabs(claimed), std::fabs(c[k][i])});
                steepness = std::max(steepness, std::fabs(claimed));
                error = std::max(error, std::fabs(measured - claimed));
            }
            best[k] = steepness < 1e5 ? std::min(best[k], error / size) : 0;
        }
    }
    return best;
}

/// The results of a graph where some arguments are moved along a direction.
struct moving {
    graph const& g;
    argument_values<double> const& at;
    unspool::list<int> const& wrt;
    std::vector<std::vector<double>> direction;

    moving(graph const& from, argument_values<double> const& where, unspool::list<int> const& which,
           dice& random)
        : g(from), at(where), wrt(which) {
        for (int i : wrt) direction.push_back(random_vector(random, g.dims(g.arguments[i]).size()));
    }
    std::vector<std::vector<double>> operator()(double by) const {
        auto there = at;
        for (std::size_t k = 0; k < direction.size(); ++k) {
            auto& x = there.values[static_cast<std::size_t>(wrt[static_cast<int>(k)])];
            for (std::size_t j = 0; j < x.size(); ++j) x[j] += by * direction[k][j];
        }
        return evaluated(g, there.pointers());
    }
};

/// Jv against differences along v.
inline std::string difference_trial(graph const& g, argument_values<double> const& at,
                                    unspool::list<int> const& wrt, dice& random) {
    moving const moved(g, at, wrt, random);
    auto tangents = at;
    for (auto const& v : moved.direction) tangents.values.push_back(v);
    auto pushed = evaluated(unspool::jvp(g, wrt), tangents.pointers());
    pushed.erase(pushed.begin(), pushed.begin() + g.results.size());
    auto const errors = difference_errors(pushed, moved);
    for (std::size_t k = 0; k < errors.size(); ++k)
        if (!(errors[k] <= tolerance::random_differences) && float_error(g, at) < tolerance::chaos)
            return "the derivative of result " + std::to_string(k) + " differs by " +
                   shown(errors[k]) + " from differences";
    return {};
}

/// ⟨v, Jᵀw⟩ against differences of ⟨w, y⟩ along v, whatever `compute(graph, arguments)` computes
/// results with. Of the library, differences know the evaluator of `g` alone.
template <class Compute>
std::string gradient_trial(graph const& g, argument_values<double> const& at,
                           unspool::list<int> const& wrt, dice& random, Compute const& compute) {
    moving const moved(g, at, wrt, random);
    auto cotangents = at;
    for (ref id : g.results) cotangents.values.push_back(random_vector(random, g.dims(id).size()));
    auto const pulled = compute(unspool::vjp(g, {wrt, g.results.size(), true}), cotangents);
    double derivative = 0;
    for (std::size_t k = 0; k < moved.direction.size(); ++k) {
        auto const& gradient = pulled[k + static_cast<std::size_t>(g.results.size())];
        for (std::size_t j = 0; j < gradient.size(); ++j)
            derivative += moved.direction[k][j] * gradient[j];
    }
    auto const paired = [&](double by) {
        auto const y = moved(by);
        double sum = 0;
        for (std::size_t k = 0; k < y.size(); ++k)
            for (std::size_t j = 0; j < y[k].size(); ++j)
                sum += cotangents.values[at.values.size() + k][j] * y[k][j];
        return std::vector<std::vector<double>>{{sum}};
    };
    double const error = difference_errors({{derivative}}, paired)[0];
    if (error <= tolerance::random_differences || float_error(g, at) >= tolerance::chaos) return {};
    return "the gradient along a direction is " + shown(derivative) + " and differs by " +
           shown(error) + " from differences";
}

/// Runs `trial(seed)` on many seeds: what is wrong with the first few that fail.
template <class Trial>
std::string on_seeds(int count, Trial trial) {
    std::string all;
    int failures = 0;
    for (int seed = 0; seed < count && failures < 5; ++seed) {
        std::string wrong;
        try {
            wrong = trial(static_cast<std::uint64_t>(seed));
        } catch (std::exception const& thrown) {
            wrong = thrown.what();
        }
        if (wrong.empty()) continue;
        ++failures;
        all += "seed " + std::to_string(seed) + ": " + wrong + "\n";
    }
    return all;
}

}  // namespace unspool_test
