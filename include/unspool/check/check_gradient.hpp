// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/check/direction.hpp>
#include <unspool/check/names.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

/// @file
/// The derived gradient against differences at run time, every entry by its name.

namespace unspool {
inline namespace v0 {

/// How check_gradient goes about it.
struct gradient_check_options {
    /// The largest relative error of a right gradient.
    double tolerance = 1e-8;
    /// A tensor with at most as many entries is checked in each of them, a larger one along
    /// directions.
    int every_entry_up_to = 4096;
    /// Seeded random directions for the large tensors together; each gets at least 4.
    int directions = 32;
    std::uint64_t seed = 1;
};

/// What check_gradient found; true if the gradient agrees with differences.
struct gradient_check {
    std::string parameter;  ///< the worst entry's tensor: "kernel", "argument 1", "layer.bias"
    std::string entry;      ///< and its place, "[3, 4]"; or "along direction 5"
    int index = -1;         ///< the same, flat and row-major; the direction's number
    double derived = 0;     ///< the gradient there
    double expected = 0;    ///< and what differences give
    double relative_error = 0;
    double tolerance = 0;
    int compared = 0;  ///< entries and directions

    explicit operator bool() const { return compared > 0 && relative_error <= tolerance; }

    /// In a sentence.
    std::string text() const {
        char numbers[160];
        std::snprintf(
            numbers, sizeof numbers,
            " is %.12g, differences give %.12g: a relative error of %.2g, %s %.2g (%d compared)",
            derived, expected, relative_error, *this ? "within" : "more than", tolerance, compared);
        return parameter + entry + numbers;
    }
};

namespace check {

/// Differences of a function at one point, in double.
template <class F, class Arguments, int... Wrt>
class difference_check {
public:
    difference_check(gradient_check_options const& options, Arguments& at)
        : options_(options), at_(at) {
        result_.tolerance = options.tolerance;
    }

    gradient_check run() {
        auto derived =
            std::make_unique<program_for_t<derived_gradient_t<F, Arguments, Wrt...>, Arguments>>();
        auto const& gradient =
            std::apply(
                [&](auto const&... x) -> auto const& { return (*derived)(x...); }, at_)
                .gradient;
        std::vector<leaf> leaves;
        (collect<Wrt>(leaves), ...);
        std::size_t k = 0;
        for_each_leaf([&](auto const& g) { leaves[k++].gradient = unspool::run::elements_of(g); },
                      gradient);
        int large = 0;
        for (leaf const& l : leaves) large += l.size > options_.every_entry_up_to;
        int const share = large == 0 ? 0 : std::max(4, options_.directions / large);
        for (leaf const& l : leaves) {
            if (l.size <= options_.every_entry_up_to) check_entries(l);
            else check_directions(l, share);
        }
        return result_;
    }

private:
    struct leaf {
        std::string name;
        shape dims;
        int size;
        double* x;
        double const* gradient = nullptr;

        double norm() const {
            double s = 0;
            for (int k = 0; k < size; ++k) s += gradient[k] * gradient[k];
            return std::sqrt(s);
        }
    };

    gradient_check_options options_;
    Arguments& at_;
    std::unique_ptr<program_for_t<F, Arguments>> loss_ =
        std::make_unique<program_for_t<F, Arguments>>();
    gradient_check result_;

    template <int Number>
    void collect(std::vector<leaf>& leaves) {
        using argument = std::tuple_element_t<Number, Arguments>;
        std::string const number = "argument " + std::to_string(Number);
        std::vector<std::string> names;
        bool const named = sizeof...(Wrt) == 1 && Number == 0 && !is_leaf<argument>;
        append_leaf_names<argument>(names, named ? "" : number);
        std::size_t k = 0;
        for_each_leaf(
            [&]<class X>(X& x) {
                leaves.push_back({names[k++], as_traced<X>::dims, unspool::run::element_count(x),
                                  unspool::run::elements_of(x)});
            },
            std::get<Number>(at_));
    }

    double loss() {
        return std::apply([&](auto const&... x) { return loss_of((*loss_)(x...)); }, at_);
    }
    /// d/ds of the loss at s = 0, where move(s) sets the arguments. `rounding` bounds what rounding
    /// of the loss leaves in it.
    template <class Move>
    double difference(Move move, double h, double& rounding) {
        double f[4];
        double const steps[] = {-2, -1, 1, 2};
        double largest = 0;
        for (int i = 0; i < 4; ++i) {
            move(steps[i] * h);
            f[i] = loss();
            largest = std::max(largest, std::abs(f[i]));
        }
        move(0);
        rounding = 16 * std::numeric_limits<double>::epsilon() * largest / h;
        return five_point(f[0], f[1], f[2], f[3], h);
    }
    /// Compares one derivative, the size of which is to be seen in relation to `scale` if it is
    /// smaller. A kink close by, or a strongly bent function, shows a true difference only to
    /// smaller steps: the best of three counts.
    template <class Move>
    void compare(leaf const& l, int index, std::string entry, double derived, double scale,
                 double h, Move move) {
        double best = std::numeric_limits<double>::infinity();
        double expected = 0;
        for (int attempt = 0; attempt < 3 && !(best <= options_.tolerance); ++attempt, h /= 32) {
            double rounding = 0;
            double const d = difference(move, h, rounding);
            double apart = std::abs(derived - d);
            if (attempt == 0 && apart <= rounding) apart = 0;
            double const size = std::max({std::abs(derived), std::abs(d), scale});
            double const error = apart == 0 ? 0 : apart / size;
            if (attempt == 0 || error < best) {
                expected = d;
                // Written so that a NaN stays infinitely wrong.
                if (error <= best) best = error;
            }
        }
        if (result_.compared++ == 0 || best > result_.relative_error) {
            result_.parameter = l.name;
            result_.entry = std::move(entry);
            result_.index = index;
            result_.derived = derived;
            result_.expected = expected;
            result_.relative_error = best;
        }
    }
    void check_entries(leaf const& l) {
        double const rms = l.norm() / std::sqrt(static_cast<double>(l.size));
        for (int k = 0; k < l.size; ++k) {
            double const x = l.x[k];
            compare(l, k, index_text(l.dims, k), l.gradient[k], rms,
                    difference_step * std::max(1.0, std::abs(x)),
                    [&](double s) { l.x[k] = x + s; });
        }
    }
    void check_directions(leaf const& l, int directions) {
        std::vector<double> const x(l.x, l.x + l.size);
        std::vector<double> v(x.size());
        double const scale = l.norm() / std::sqrt(static_cast<double>(l.size));
        for (int direction = 0; direction < directions; ++direction) {
            random_stream{options_.seed, static_cast<std::uint32_t>(direction),
                          random_purpose::other}
                .normal(v.data(), v.size(), 0, 1);
            double square = 0;
            for (double e : v) square += e * e;
            double along = 0;
            for (std::size_t k = 0; k < v.size(); ++k) {
                v[k] /= std::sqrt(square);
                along += v[k] * l.gradient[k];
            }
            compare(l, direction, " along direction " + std::to_string(direction), along, scale,
                    difference_step, [&](double s) {
                        for (std::size_t k = 0; k < v.size(); ++k) l.x[k] = x[k] + s * v[k];
                    });
        }
    }
};

}  // namespace check

/// Checks the derived gradient of f, a function that returns a scalar or {scalar, aux}, at these
/// arguments, with respect to those numbered in Wrt (argument 0 if there is none):
///
///     auto const checked = us::check_gradient(loss, cell, xs);
///     if (!checked) std::puts(checked.text().c_str());
///
/// Each entry is compared with a five-point difference, or a tensor of more than 4096 entries along
/// 32 seeded directions; the errors are relative to the larger of the two numbers, but at least to
/// the root mean square of the tensor's gradient. All is computed in double, by compiled programs;
/// float arguments are converted, because differences of floats have no digits. Costs four calls of
/// f for each comparison, and some allocations.
template <int... Wrt, class F, class... Args>
gradient_check check_gradient(gradient_check_options const& options, F, Args const&... args) {
    using arguments = std::tuple<check::in_double_t<Args>...>;
    auto at = std::make_unique<arguments>();
    std::apply([&](auto&... x) { (check::assign(x, args), ...); }, *at);
    if constexpr (sizeof...(Wrt) == 0)
        return check::difference_check<F, arguments, 0>(options, *at).run();
    else return check::difference_check<F, arguments, Wrt...>(options, *at).run();
}
template <int... Wrt, class F, class... Args>
    requires(!std::is_same_v<F, gradient_check_options>)
gradient_check check_gradient(F f, Args const&... args) {
    return check_gradient<Wrt...>(gradient_check_options{}, f, args...);
}

}  // namespace v0
}  // namespace unspool
