// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/list.hpp>
#include <unspool/expr/structure.hpp>
#include <unspool/math/sqrt.hpp>
#include <unspool/nn/random.hpp>
#include <unspool/run/transform.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>

/// @file
/// What gradient checks have in common: structures as vectors. Differences are taken in double,
/// whatever the function's element type, because a difference of floats has no digits left.

namespace unspool {
inline namespace v0 {
namespace check {

template <class T>
using double_number = double;
template <class T>
using to_double = typename unspool::detail::map_number<T, double_number>::type;

/// The structure X, owning its elements, with elements of type double. A struct that is no template
/// of its element type must have double ones.
template <class X>
struct in_double : map_elements<X, to_double> {};
template <class X>
    requires(hana_struct<X>&& std::is_same_v<element_t<X>, double>)
struct in_double<X> {
    using type = X;
};
template <class X>
using in_double_t = typename in_double<std::remove_cvref_t<X>>::type;

/// y = x, entry by entry, for structures of one shape whose element types may differ.
template <class Y, class X>
constexpr void assign(Y& y, X const& x) {
    list<element_t<X> const*> from;
    for_each_leaf([&](auto const& leaf) { from.push_back(run::elements_of(leaf)); }, x);
    int k = 0;
    for_each_leaf(
        [&](auto& to) {
            auto* const a = run::elements_of(to);
            auto const* const b = from[k++];
            int const n = run::element_count(to);
            for (int i = 0; i < n; ++i) a[i] = static_cast<std::remove_cvref_t<decltype(*a)>>(b[i]);
        },
        y);
}

/// ⟨x, y⟩ over all leaves.
template <class X, class Y>
constexpr double inner_product(X const& x, Y const& y) {
    double sum = 0;
    for_each_leaf_of(
        [&](auto const& u, auto const& v) {
            auto const* const a = run::elements_of(u);
            auto const* const b = run::elements_of(v);
            int const n = run::element_count(u);
            double s = 0;
            for (int k = 0; k < n; ++k) s += static_cast<double>(a[k]) * static_cast<double>(b[k]);
            sum += s;
        },
        x, y);
    return sum;
}

/// x ← x + h·v.
template <class X>
constexpr void displace(X& x, double h, X const& v) {
    for_each_leaf_of(
        [h](auto& to, auto const& along) {
            auto* const a = run::elements_of(to);
            auto const* const b = run::elements_of(along);
            using T = std::remove_cvref_t<decltype(*a)>;
            int const n = run::element_count(to);
            for (int k = 0; k < n; ++k) a[k] += static_cast<T>(h) * b[k];
        },
        x, v);
}

/// Fills v with normally distributed numbers: a seeded direction, uniform over all of them. Leaf
/// number i draws from stream `first` + i.
template <class X>
constexpr void fill_direction(X& v, std::uint64_t seed, std::uint32_t first = 0) {
    random_stream draw{seed, first, random_purpose::other};
    for_each_leaf(
        [&](auto& leaf) {
            draw.normal(run::elements_of(leaf), static_cast<std::size_t>(run::element_count(leaf)),
                        0, 1);
            ++draw.index;
        },
        v);
}

/// Fills v with a seeded direction of length 1 whose entries are all ±n^-½: each entry is seen with
/// the same weight, and a constant evaluation pays for 128 of them at once.
template <class X>
constexpr void fill_unit_direction(X& v, std::uint64_t seed) {
    int entries = 0;
    for_each_leaf([&](auto const& leaf) { entries += run::element_count(leaf); }, v);
    double const size = 1 / math::sqrt(static_cast<double>(entries));
    random_stream const draw{seed, 0, random_purpose::other};
    random_block bits{};
    int used = 0;
    for_each_leaf(
        [&](auto& leaf) {
            auto* const a = run::elements_of(leaf);
            using T = std::remove_cvref_t<decltype(*a)>;
            T const signs[] = {static_cast<T>(size), static_cast<T>(-size)};
            int const n = run::element_count(leaf);
            for (int k = 0; k < n; ++k, ++used) {
                if (used % 128 == 0) bits = draw.block(static_cast<std::uint64_t>(used / 128));
                a[k] = signs[(bits.word[used / 32 % 4] >> (used % 32)) & 1];
            }
        },
        v);
}

/// f′(0) from f(−2h), f(−h), f(h), f(2h): the error is h⁴/30 of the fifth derivative, and rounding
/// of f divided by h.
constexpr double five_point(double below_2, double below_1, double above_1, double above_2,
                            double h) {
    return (8 * (above_1 - below_1) - (above_2 - below_2)) / (12 * h);
}

/// The step of differences along unit directions and in single entries, a power of two so that
/// entries of moderate size change by exactly that. In double it leaves 1e-13 of rounding, and as
/// much of truncation where the fifth derivative has size 3.
inline constexpr double difference_step = 0x1p-10;

/// The loss in what a function returns: the value itself, or the first of {loss, aux}.
template <class Value>
constexpr double loss_of(Value const& value) {
    if constexpr (std::is_arithmetic_v<Value>) return static_cast<double>(value);
    else return static_cast<double>(std::get<0>(value));
}

/// `value_and_grad<Wrt...>` of F, which returns a scalar or {scalar, aux}, whether or not it uses
/// all of the arguments.
template <class F, class Arguments, int... Wrt>
struct derived_gradient;
template <class F, class... Args, int... Wrt>
struct derived_gradient<F, std::tuple<Args...>, Wrt...> {
    static constexpr auto pick() {
        constexpr bool aux = !detail::is_scalar_expression<traced_result<F, Args...>>;
        constexpr bool unused_part = [] {
            vjp_request r;
            r.wrt = detail::leaves_at<Args...>(std::integer_sequence<int, Wrt...>{});
            return !unused_arguments(thaw(frozen_function<F, Args...>::value), r).empty();
        }();
        if constexpr (aux && unused_part) return value_and_grad<Wrt...>(F{}, has_aux, unused::zero);
        else if constexpr (aux) return value_and_grad<Wrt...>(F{}, has_aux);
        else if constexpr (unused_part) return value_and_grad<Wrt...>(F{}, unused::zero);
        else return value_and_grad<Wrt...>(F{});
    }
    using type = decltype(pick());
};
template <class F, class Arguments, int... Wrt>
using derived_gradient_t = typename derived_gradient<F, Arguments, Wrt...>::type;

/// run::program for arguments that stand in a tuple.
template <class F, class Arguments>
struct program_for;
template <class F, class... Args>
struct program_for<F, std::tuple<Args...>> {
    using type = program<F, Args...>;
};
template <class F, class Arguments>
using program_for_t = typename program_for<F, Arguments>::type;

}  // namespace check
}  // namespace v0
}  // namespace unspool
