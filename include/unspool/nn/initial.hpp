// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/tensor.hpp>
#include <unspool/expr/structure.hpp>
#include <unspool/nn/initializers.hpp>
#include <unspool/nn/random.hpp>

#include <boost/hana/accessors.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/unpack.hpp>

#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace unspool {
inline namespace v0 {

/// The rules (namespace init) by which the members of a Boost.Hana struct P start: a std::tuple
/// with one for each member, in order of declaration. A struct declares them itself,
///
///     static constexpr std::tuple initializers{us::init::glorot_uniform{}, us::init::zeros{}};
///
/// or this variable is specialised for it. A rule of a member that is a structure applies to each
/// of its leaves, but for init::automatic, which leaves the choice to the member's own type.
template <class P>
inline constexpr auto initializers_of = init::automatic{};
template <class P>
    requires requires { P::initializers; }
inline constexpr auto initializers_of<P> = P::initializers;

namespace detail {

template <class Rule>
inline constexpr bool is_automatic = std::is_same_v<std::remove_cvref_t<Rule>, init::automatic>;

template <class T, std::size_t... N, class Rule>
constexpr void initialize_leaf(tensor<T, N...>& x, Rule const& rule,
                               random_stream const& draw) noexcept {
    rule(x.data(), tensor<T, N...>::dims, draw);
}
template <std::floating_point T, class Rule>
constexpr void initialize_leaf(T& x, Rule const& rule, random_stream const& draw) noexcept {
    rule(&x, shape{}, draw);
}

/// Every leaf takes the next stream, whether it draws or not, so that a changed rule of one member
/// leaves the others their numbers.
template <class X, class Rule>
constexpr void initialize_by(X& x, Rule const& rule, random_stream& draw) noexcept {
    if constexpr (is_leaf<X>) {
        initialize_leaf(x, rule, draw);
        ++draw.index;
    } else if constexpr (is_tuple_like<X>) {
        std::apply([&](auto&... member) { (initialize_by(member, rule, draw), ...); }, x);
    } else if constexpr (composite<X>) {
        std::apply([&](auto&... member) { (initialize_by(member, rule, draw), ...); }, x.members());
    } else if constexpr (!hana_struct<X>) {
        for_each_leaf([](auto&) {}, x);  // says what is wrong
    } else if constexpr (!is_automatic<Rule> || is_automatic<decltype(initializers_of<X>)>) {
        hana::unpack(hana::accessors<X>(), [&](auto... accessor) {
            (initialize_by(hana::second(accessor)(x), rule, draw), ...);
        });
    } else {
        hana::unpack(hana::accessors<X>(), [&](auto... accessor) {
            std::apply(
                [&](auto const&... own) {
                    static_assert(
                        sizeof...(accessor) == sizeof...(own),
                        "unspool: a struct's `initializers` has one rule for each of its members");
                    (initialize_by(hana::second(accessor)(x), own, draw), ...);
                },
                initializers_of<X>);
        });
    }
}

}  // namespace detail

/// Sets parameters to their initial values in place: a tensor, a Boost.Hana struct, or std::tuple,
/// std::pair and std::array of these, nested as the user likes, of any size. Allocates nothing.
///
/// Each leaf follows its struct's rules (initializers_of): an LSTM is Keras' (glorot_uniform
/// kernel, orthogonal recurrent kernel, zero bias but 1 for the forget gate). A struct without
/// rules, and whatever stands in no struct, gets glorot_uniform for two axes and more and zeros
/// otherwise. Leaf number i draws from stream i of the seed: members share no numbers, and all
/// values are the same bits on every platform and in constant evaluation.
template <class P>
constexpr void initialize(P& params, std::uint64_t seed) noexcept {
    random_stream draw{seed, 0, random_purpose::initial};
    detail::initialize_by(params, init::automatic{}, draw);
}

/// The initial parameters as a value, for constants and small models: `initial<params>(42)` has the
/// values that initialize(params, 42) sets. At most 64 KiB.
///
/// In constant evaluation, LSTMs of up to 24 units stay well within clang's default limit of steps
/// for one constant (init::orthogonal).
template <class P>
constexpr P initial(std::uint64_t seed) noexcept {
    static_assert(
        sizeof(P) <= 64 * 1024,
        "unspool: initial returns at most 64 KiB by value; initialize(params, seed) works "
        "in place for parameters of any size");
    P params{};
    if constexpr (sizeof(P) <= 64 * 1024) initialize(params, seed);
    return params;
}

}  // namespace v0
}  // namespace unspool
