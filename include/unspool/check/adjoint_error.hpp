// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/check/direction.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>

/// @file
/// Forward and reverse mode against each other.

namespace unspool {
inline namespace v0 {
namespace check {

/// X as a type that owns its elements.
template <class X>
using owning = as_plain<as_traced<X>>;

template <class X, class Y>
double absolute_product(X const& x, Y const& y) {
    double sum = 0;
    for_each_leaf_of(
        [&](auto const& u, auto const& v) {
            auto const* const a = run::elements_of(u);
            auto const* const b = run::elements_of(v);
            int const n = run::element_count(u);
            for (int k = 0; k < n; ++k)
                sum += std::abs(static_cast<double>(a[k]) * static_cast<double>(b[k]));
        },
        x, y);
    return sum;
}

template <class F, class Arguments, int... Wrt>
struct adjoint_check;
template <class F, class... Args, int... Wrt>
struct adjoint_check<F, std::tuple<Args...>, Wrt...> {
    using arguments = std::tuple<Args...>;
    using tangents = std::tuple<owning<std::tuple_element_t<Wrt, arguments>>...>;
    using value = run::result_of<F, Args...>;
    using forward = program<decltype(jvp<Wrt...>(F{})), Args...,
                            owning<std::tuple_element_t<Wrt, arguments>>...>;
    using reverse = program<decltype(vjp<Wrt...>(F{})), Args..., value>;

    std::unique_ptr<forward> jvp_program = std::make_unique<forward>();
    std::unique_ptr<reverse> vjp_program = std::make_unique<reverse>();
    std::unique_ptr<tangents> v = std::make_unique<tangents>();
    std::unique_ptr<value> w = std::make_unique<value>();

    double error(std::uint64_t seed, Args const&... args) {
        fill_direction(*v, seed);
        fill_direction(*w, seed, 1000);
        auto const& tangent =
            std::apply(
                [&](auto const&... t) -> auto const& { return (*jvp_program)(args..., t...); }, *v)
                .second;
        auto const& gradient = (*vjp_program)(args..., *w).gradient;
        double forward_product = inner_product(tangent, *w);
        double size = absolute_product(tangent, *w);
        double reverse_product = 0;
        auto const add = [&](auto const& x, auto const& g) {
            reverse_product += inner_product(x, g);
            size += absolute_product(x, g);
        };
        if constexpr (sizeof...(Wrt) == 1) {
            add(std::get<0>(*v), gradient);
        } else {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (add(std::get<I>(*v), std::get<I>(gradient)), ...);
            }
            (std::make_index_sequence<sizeof...(Wrt)>{});
        }
        double const e = std::abs(forward_product - reverse_product);
        if (e == 0) return 0;
        return e < std::numeric_limits<double>::infinity()
                   ? 2 * e / size
                   : std::numeric_limits<double>::infinity();
    }
};

}  // namespace check

/// How far forward and reverse mode of f are from being each other's transpose, at these arguments
/// and with respect to those numbered in Wrt (argument 0 if there is none): the largest of
/// |⟨Jv, w⟩ − ⟨v, Jᵀw⟩| over `seeds` random v and w, relative to the mean of the two sums of
/// absolute products. f returns any structure. A right pair of rules gives 1e-12 or less in double
/// and 1e-5 in float; it says nothing about an error that both share, see check_gradient.
template <int... Wrt, class F, class... Args>
double adjoint_error(int seeds, F, Args const&... args) {
    if constexpr (sizeof...(Wrt) == 0) {
        return adjoint_error<0>(seeds, F{}, args...);
    } else {
        check::adjoint_check<F, std::tuple<Args...>, Wrt...> one;
        double worst = 0;
        for (int seed = 1; seed <= seeds; ++seed)
            worst = std::max(worst, one.error(static_cast<std::uint64_t>(seed), args...));
        return worst;
    }
}
/// …with one pair of vectors.
template <int... Wrt, class F, class... Args>
    requires(std::is_class_v<F>)
double adjoint_error(F f, Args const&... args) { return adjoint_error<Wrt...>(1, f, args...); }

}  // namespace v0
}  // namespace unspool
