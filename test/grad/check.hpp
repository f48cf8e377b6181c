// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/check/adjoint_error.hpp>
#include <unspool/check/check_gradient.hpp>
#include <unspool/unspool.hpp>

#include "support/catch.hpp"
#include "support/tolerance.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace us = unspool;

/// What the gradient tests share: checks over every subset of active arguments.
namespace unspool_test {

/// Calls f with an integer_sequence for every subset of {0, …, N − 1} that is not empty.
template <int N, class F>
void for_each_subset(F f) {
    [&]<std::size_t... Mask>(std::index_sequence<Mask...>) {
        auto call = [&]<std::size_t M>() {
            auto join = []<int... A, int... B>(std::integer_sequence<int, A...>,
                                               std::integer_sequence<int, B...>) {
                return std::integer_sequence<int, A..., B...>{};
            };
            auto choose = [&]<int I>(auto chosen) {
                if constexpr (((M >> I) & 1) != 0)
                    return join(chosen, std::integer_sequence<int, I>{});
                else return chosen;
            };
            auto fold = [&]<int I>(auto self, auto chosen) {
                if constexpr (I == N) return chosen;
                else
                    return self.template operator()<I + 1>(self,
                                                           choose.template operator()<I>(chosen));
            };
            f(fold.template operator()<0>(fold, std::integer_sequence<int>{}));
        };
        (call.template operator()<Mask + 1>(), ...);
    }
    (std::make_index_sequence<(std::size_t{1} << N) - 1>{});
}

template <int... Wrt>
std::string text(std::integer_sequence<int, Wrt...>) {
    std::string t = "arguments";
    ((t += " " + std::to_string(Wrt)), ...);
    return t;
}

/// The gradient of a loss with respect to all arguments together, entry by entry.
template <class F, class... Args>
void check_differences(F f, Args const&... args) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
        us::gradient_check const checked =
            us::check_gradient<I...>({.tolerance = tolerance::differences}, f, args...);
        INFO(checked.text());
        CHECK(checked);
    }
    (std::make_integer_sequence<int, sizeof...(Args)>{});
}

/// The adjoint identity with respect to every subset of the arguments.
template <class F, class... Args>
void check_adjoints(int seeds, F f, Args const&... args) {
    using T = us::argument_element<Args...>;
    for_each_subset<sizeof...(Args)>([&]<int... Wrt>(std::integer_sequence<int, Wrt...> subset) {
        INFO(text(subset));
        CHECK(us::adjoint_error<Wrt...>(seeds, f, args...) <= tolerance::adjoint_identity<T>);
    });
}

/// The same with respect to all arguments together.
template <class F, class... Args>
void check_all_adjoints(int seeds, F f, Args const&... args) {
    using T = us::argument_element<Args...>;
    [&]<int... I>(std::integer_sequence<int, I...>) {
        CHECK(us::adjoint_error<I...>(seeds, f, args...) <= tolerance::adjoint_identity<T>);
    }
    (std::make_integer_sequence<int, sizeof...(Args)>{});
}

/// The largest difference of two structures' leaves, each relative to its largest element.
template <class X, class Y>
double apart(X const& x, Y const& y) {
    double worst = 0;
    us::for_each_leaf_of(
        [&](auto const& a, auto const& b) {
            worst = std::max(worst, array_error(us::run::elements_of(a), us::run::elements_of(b),
                                                us::run::element_count(a)));
        },
        x, y);
    return worst;
}

/// The gradients with respect to every subset are those with respect to all: what else is asked for
/// changes nothing.
template <class F, class... Args>
void check_subsets(F f, double allowed, Args const&... args) {
    auto const gradient = [&]<int... I>(std::integer_sequence<int, I...>) {
        using program = us::program<decltype(us::grad<I...>(f)), Args...>;
        auto result = std::make_unique<typename program::result_type>();
        (*std::make_unique<program>())(args..., *result);
        return result;
    };
    auto const whole = gradient(std::make_integer_sequence<int, sizeof...(Args)>{});
    for_each_subset<sizeof...(Args)>([&]<int... Wrt>(std::integer_sequence<int, Wrt...> subset) {
        INFO(text(subset));
        auto const part = gradient(subset);
        double worst = 0;
        if constexpr (sizeof...(Wrt) == 1) {
            worst = std::max({apart(*part, std::get<Wrt>(*whole))...});
        } else {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                worst = std::max({apart(std::get<I>(*part), std::get<Wrt>(*whole))...});
            }
            (std::make_index_sequence<sizeof...(Wrt)>{});
        }
        CHECK(worst <= allowed);
    });
}

/// A structure with normally distributed entries of standard deviation `scale`.
template <class X>
X random(std::uint64_t seed, double scale = 1) {
    X x{};
    us::check::fill_direction(x, seed);
    us::for_each_leaf(
        [&](auto& leaf) {
            auto* const a = us::run::elements_of(leaf);
            using T = std::remove_cvref_t<decltype(*a)>;
            for (int k = 0; k < us::run::element_count(leaf); ++k) a[k] *= static_cast<T>(scale);
        },
        x);
    return x;
}

}  // namespace unspool_test
