// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/constexpr_function.hpp"
#include "support/graph_trial.hpp"

#include <unspool/pass/rules.hpp>

#include <string>
#include <vector>

/// What holds for every operation, whatever it computes:
///
///   value   the evaluator's result is that of a formula written independently
///   jvp     the tangent rule agrees with five-point differences
///   vjp     the cotangent rule is the transpose of the tangent rule, for each subset of operands
///   batch   the batch rule on stacked operands is the operation on each slice
///
/// Each law gives an empty text or what is wrong, so that tests can show that it catches a wrong
/// rule. The rules come from `Rules`, which is the operation itself unless a test puts a wrong
/// copy.
namespace unspool_test {

using unspool::shape;

/// The elements of each operand, row-major.
using elements = std::vector<std::vector<double>>;

/// One way to use an operation: also a constant, so that plans can be made of it.
struct use {
    unspool::list<shape> operands;
    constexpr_function<ref(graph&, ref const*)> build;
    /// All elements of the result, row-major, from those of the operands.
    constexpr_function<std::vector<double>(elements const&)> formula;
    /// Where each operand's elements lie; [-2, 2] where nothing is said.
    unspool::list<detail::interval> domain = {};
    /// Rounding allowed: ULP of each element, or, for sums, of the largest element or term, times
    /// the square root of how many may be added: roundings add up like a random walk.
    bool sums = false;
    /// Whether the sign of a zero is the formula's too.
    bool zeros = false;
    /// If not 0, operand 0 holds indices into so many rows, negative ones too.
    int indices = 0;

    constexpr int count() const { return operands.size(); }
};

/// `laws<Op>::uses()`: the ways to use an operation that its laws are tried on. Each operation of
/// op::all has one; see operations.cpp.
template <class Op>
struct laws;

/// Elements for all operands of a use, no two equal or near 0 and all in the domain: kinks and ties
/// are as far apart as the number of elements allows, further than any difference's step.
inline elements elements_for(use const& u, std::uint64_t seed) {
    dice random(seed);
    int total = 0;
    for (shape const& s : u.operands) total += s.size();
    std::vector<int> order;
    for (int i = 0; i < total; ++i) order.push_back(i);
    for (int i = total - 1; i > 0; --i)
        std::swap(order[static_cast<std::size_t>(i)],
                  order[static_cast<std::size_t>(random.below(i + 1))]);
    elements all;
    std::size_t next = 0;
    for (int k = 0; k < u.count(); ++k) {
        detail::interval const d = k < u.domain.size() ? u.domain[k] : detail::interval{-2, 2};
        std::vector<double> v;
        for (int i = 0; i < u.operands[k].size(); ++i)
            v.push_back(d.low + (d.high - d.low) * (order[next++] + 0.3) / total);
        if (k == 0 && u.indices != 0)
            for (double& index : v) index = random.below(2 * u.indices) - u.indices;
        all.push_back(std::move(v));
    }
    return all;
}

/// Value 0 of a graph is no operand: what is read beyond a list of operands is 0, mostly.
constexpr void bystander(graph& g) { g.constant(0.25); }

/// A use as a node of a graph whose arguments are its operands.
struct laid_out {
    graph g;
    unspool::list<ref> x;
    unspool::list<int> words;
    op::site site;
    ref y = unspool::none;

    explicit laid_out(use const& u) {
        bystander(g);
        for (shape const& s : u.operands) x.push_back(g.argument(s));
        y = u.build(g, x.data());
        // The graph's pool moves as it grows: rules may not read attributes there.
        words = unspool::list<int>(g.attr(y), g[y].attrs);
        site = {g.dims(y), words.data(), words.size(), g[y].value, x.data(), x.size(), y};
    }
    laid_out(laid_out const&) = delete;
    laid_out& operator=(laid_out const&) = delete;
};

template <class T>
argument_values<T> as_arguments(elements const& x) {
    argument_values<T> all;
    for (auto const& v : x) all.values.emplace_back(v.begin(), v.end());
    return all;
}

inline std::string in_words(use const& u) {
    std::string s = " of";
    for (shape const& x : u.operands) s += " " + unspool::detail::in_words(x);
    return s;
}

/// Whether `got` is the result of a use at x, but for rounding.
template <class T>
std::string formula_law(use const& u, std::vector<std::vector<T>> const& x,
                        std::vector<T> const& got) {
    elements exact;  // what the element type made of the elements
    for (auto const& v : x) exact.emplace_back(v.begin(), v.end());
    std::vector<double> const expected = u.formula(exact);
    if (got.size() != expected.size()) return "another number of elements" + in_words(u);
    double largest = 4;  // what a term of a sum may be, two factors of 2
    for (double e : expected) largest = std::max(largest, std::fabs(e));
    double terms = 1;
    for (shape const& s : u.operands) terms = std::max(terms, double(s.size()));
    double const rounding = tolerance::operation_ulp * largest * std::sqrt(terms) *
                            double(std::numeric_limits<T>::epsilon());
    for (std::size_t i = 0; i < got.size(); ++i) {
        T const e = static_cast<T>(expected[i]);
        bool const fits = u.sums
                              ? std::fabs(static_cast<double>(got[i]) - expected[i]) <= rounding
                              : ulp_distance(got[i], e) <= tolerance::operation_ulp &&
                                    !(u.zeros && e == 0 && std::signbit(e) != std::signbit(got[i]));
        if (!fits)
            return "element " + std::to_string(i) + in_words(u) + " is " +
                   shown(static_cast<double>(got[i])) + " instead of " + shown(expected[i]);
    }
    return {};
}

template <class T>
std::string value_law(use const& u, elements const& given) {
    laid_out at(u);
    at.g.results.push_back(at.y);
    if (char const* wrong = unspool::violation(at.g)) return wrong + in_words(u);
    auto const x = as_arguments<T>(given);
    return formula_law(u, x.values, evaluated(at.g, x.pointers())[0]);
}
template <class T>
std::string value_law(use const& u, std::uint64_t seed) {
    return value_law<T>(u, elements_for(u, seed));
}

/// The derivative at 0 of `moved(h)`, arrays, by five points.
template <class Moved>
elements five_point_differences(Moved moved, double h = tolerance::difference_step) {
    auto const a = moved(-2 * h);
    auto const b = moved(-h);
    auto const c = moved(h);
    elements d = moved(2 * h);
    for (std::size_t k = 0; k < d.size(); ++k)
        for (std::size_t i = 0; i < d[k].size(); ++i)
            d[k][i] = (a[k][i] - 8 * b[k][i] + 8 * c[k][i] - d[k][i]) / (12 * h);
    return d;
}
/// Whether a tangent is what differences give. `floor`: the size of what is compared, at least.
inline std::string tangent_law(std::vector<double> const& got,
                               std::vector<double> const& differences, double floor = 0) {
    double largest = floor;
    for (double t : got) largest = std::max(largest, std::fabs(t));
    for (std::size_t i = 0; i < got.size(); ++i) {
        // Near a zero of the derivative only the rounding of the values is left.
        double const size = std::max(std::fabs(got[i]), 1e-3 * largest);
        if (!(std::fabs(got[i] - differences[i]) <= tolerance::differences * size))
            return "tangent " + std::to_string(i) + " is " + shown(got[i]) + ", differences give " +
                   shown(differences[i]);
    }
    return {};
}

/// The operands that have a derivative: all but a condition and indices.
template <class Op>
bool has_derivative(int k) {
    constexpr bool chosen_by_first = std::is_same_v<Op, op::select> ||
                                     std::is_same_v<Op, op::gather> ||
                                     std::is_same_v<Op, op::scatter_add>;
    return !op::never_differentiable<Op> && !(chosen_by_first && k == 0);
}

template <class Op, class Rules = Op>
std::string jvp_law(use const& u, std::uint64_t seed) {
    laid_out at(u);
    if (!at.g.is<Op>(at.y)) return "the builder made another operation" + in_words(u);
    unspool::list<ref> v;
    for (int k = 0; k < u.count(); ++k)
        v.push_back(has_derivative<Op>(k) ? at.g.argument(at.g.dims(at.x[k])) : unspool::none);
    ref const tangent = unspool::detail::tangent<Rules>(at.g, at.site, v.data());
    if (op::never_differentiable<Op>)
        return tangent == unspool::none ? "" : "a tangent of what has none";
    at.g.results.push_back(at.y);
    at.g.results.push_back(tangent);
    if (char const* wrong = unspool::violation(at.g)) return wrong + in_words(u);

    dice random(seed + 1);
    auto const x = as_arguments<double>(elements_for(u, seed));
    auto with_tangents = x;
    std::vector<std::vector<double>> direction(x.values.size());
    for (int k = 0; k < u.count(); ++k) {
        if (!has_derivative<Op>(k)) continue;
        auto& d = direction[static_cast<std::size_t>(k)];
        d = random_vector(random, u.operands[k].size());
        with_tangents.values.push_back(d);
    }
    std::vector<double> const got = evaluated(at.g, with_tangents.pointers())[1];
    auto const differences = five_point_differences([&](double by) {
        auto there = with_tangents;
        for (std::size_t k = 0; k < direction.size(); ++k)
            for (std::size_t i = 0; i < direction[k].size(); ++i)
                there.values[k][i] += by * direction[k][i];
        return evaluated(at.g, there.pointers());
    });
    std::string const wrong = tangent_law(got, differences[0]);
    return wrong.empty() ? wrong : wrong + in_words(u);
}

/// For each subset of active operands. `Reverse` gives the cotangent rules, `Op` the tangent's.
template <class T, class Op, class Reverse = Op>
std::string vjp_law(use const& u, std::uint64_t seed) {
    for (int subset = 1; subset < 1 << u.count(); ++subset) {
        laid_out at(u);
        unspool::list<ref> v;
        unspool::list<int> active;
        for (int k = 0; k < u.count(); ++k) {
            bool const on = (subset >> k & 1) != 0 && has_derivative<Op>(k);
            v.push_back(on ? at.g.argument(at.g.dims(at.x[k])) : unspool::none);
            if (on) active.push_back(k);
        }
        ref const ct = at.g.argument(at.g.dims(at.y));
        if (op::never_differentiable<Op>) {
            if (unspool::detail::cotangent<Reverse>(at.g, at.site, 0, ct) != unspool::none)
                return "a cotangent of what has none";
            continue;
        }
        if (active.empty()) continue;
        at.g.results.push_back(unspool::detail::tangent<Op>(at.g, at.site, v.data()));
        for (int k : active)
            at.g.results.push_back(unspool::detail::cotangent<Reverse>(at.g, at.site, k, ct));
        if (char const* wrong = unspool::violation(at.g)) return wrong + in_words(u);

        dice random(seed + static_cast<std::uint64_t>(subset));
        auto given = elements_for(u, seed);
        for (int k : active) given.push_back(random_vector(random, at.g.dims(at.x[k]).size()));
        given.push_back(random_vector(random, at.g.dims(at.y).size()));
        auto const x = as_arguments<T>(given);
        auto const result = evaluated(at.g, x.pointers());
        product_sum output;
        product_sum input;
        auto const pair_up = [](product_sum& total, std::vector<T> const& a,
                                std::vector<T> const& b) {
            for (std::size_t i = 0; i < a.size(); ++i)
                total.add(static_cast<double>(a[i]), static_cast<double>(b[i]));
        };
        pair_up(output, result[0], x.values.back());
        for (int k = 0; k < active.size(); ++k) {
            auto const place = static_cast<std::size_t>(k);
            auto const& gradient = result[place + 1];
            auto const& operand = x.values[static_cast<std::size_t>(u.count()) + place];
            if (gradient.size() != operand.size()) return "a cotangent's shape" + in_words(u);
            pair_up(input, operand, gradient);
        }
        double const error = identity_error(output, input);
        if (!(error <= tolerance::adjoint_identity<T>))
            return "the adjoint identity" + in_words(u) + " is off by " + shown(error);
    }
    return {};
}

/// For each subset of stacked operands.
template <class Op, class Rules = Op>
std::string batch_law(use const& u, std::uint64_t seed) {
    constexpr int n = 3;
    for (int subset = 1; subset < 1 << u.count(); ++subset) {
        laid_out at(u);
        at.g.results.push_back(at.y);
        graph wide;
        bystander(wide);
        unspool::list<ref> x;
        bool has_axis[8] = {};
        for (int k = 0; k < u.count(); ++k) {
            has_axis[k] = (subset >> k & 1) != 0;
            shape const s = at.g.dims(at.x[k]);
            x.push_back(wide.argument(has_axis[k] ? s.with_front(n) : s));
        }
        op::site site = at.site;
        site.x = x.data();
        wide.results.push_back(unspool::detail::batched<Rules>(wide, site, x.data(), has_axis, n));
        if (char const* wrong = unspool::violation(wide)) return wrong + in_words(u);
        if (!(wide.dims(wide.results[0]) == at.g.dims(at.y).with_front(n)))
            return "a batch has another shape" + in_words(u);

        std::vector<elements> slices;
        elements stacked = elements_for(u, seed);
        slices.push_back(stacked);
        for (int i = 1; i < n; ++i) {
            slices.push_back(elements_for(u, seed + 1000 * static_cast<std::uint64_t>(i)));
            for (std::size_t k = 0; k < stacked.size(); ++k) {
                if (has_axis[k])
                    stacked[k].insert(stacked[k].end(), slices.back()[k].begin(),
                                      slices.back()[k].end());
                else slices.back()[k] = slices[0][k];
            }
        }
        auto const all = evaluated(wide, as_arguments<double>(stacked).pointers())[0];
        auto const size = all.size() / n;
        for (std::size_t i = 0; i < n; ++i) {
            auto const one = evaluated(at.g, as_arguments<double>(slices[i]).pointers())[0];
            double const error =
                array_error(all.data() + i * size, one.data(), static_cast<int>(size));
            if (!(error <= tolerance::operation_ulp * std::numeric_limits<double>::epsilon()))
                return "slice " + std::to_string(i) + " of a batch" + in_words(u) + " differs by " +
                       shown(error);
        }
    }
    return {};
}

/// The operation through the passes, which treat loops themselves.
inline std::string pass_law(use const& u, std::uint64_t seed, bool differences) {
    laid_out at(u);
    at.g.results.push_back(at.y);
    if (u.count() == 0) return {};
    auto const x = as_arguments<double>(elements_for(u, seed));
    for (int subset = 1; subset < 1 << u.count(); ++subset) {
        unspool::list<int> wrt;
        for (int k = 0; k < u.count(); ++k)
            if ((subset >> k & 1) != 0 && !(k == 0 && u.indices != 0)) wrt.push_back(k);
        if (wrt.empty()) continue;
        dice random(seed + static_cast<std::uint64_t>(subset));
        std::string wrong = adjoint_trial(at.g, x, wrt, random);
        if (wrong.empty() && differences) wrong = difference_trial(at.g, x, wrt, random);
        if (!wrong.empty()) return wrong + in_words(u);
    }
    return {};
}

}  // namespace unspool_test
