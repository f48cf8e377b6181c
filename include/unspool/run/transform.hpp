// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/evaluate.hpp>
#include <unspool/pass/jvp.hpp>
#include <unspool/pass/vjp.hpp>
#include <unspool/run/program.hpp>

#include <type_traits>

/// @file
/// Functions of functions. Each gives a function object that may be called with expressions, inside
/// another traced function; with values in a constant; and with values at run time.

namespace unspool {
inline namespace v0 {

/// What `value_and_grad` returns: the function's value and the gradient, in the argument's own
/// type.
template <class Value, class Gradient>
struct value_and_gradient {
    Value value{};
    Gradient gradient{};
    constexpr auto members() { return std::tie(value, gradient); }
    constexpr auto members() const { return std::tie(value, gradient); }
};

struct has_aux_t {};
/// The function returns {loss, aux}; aux is handed through and not differentiated.
inline constexpr has_aux_t has_aux{};

namespace unused {
struct zero_t {};
/// An argument, or a member of one, that the loss does not use has gradient zero instead of being
/// an error.
inline constexpr zero_t zero{};
}  // namespace unused

namespace detail {

/// Positions of the leaves of arguments `Wrt` among all leaves.
template <class... Args, int... Wrt>
constexpr list<int> leaves_at(std::integer_sequence<int, Wrt...>) {
    int first[sizeof...(Args) + 1] = {};
    int counts[] = {leaf_count<Args>...};
    for (std::size_t i = 0; i < sizeof...(Args); ++i) first[i + 1] = first[i] + counts[i];
    list<int> leaves;
    (
        [&] {
            for (int k = first[Wrt]; k < first[Wrt + 1]; ++k) leaves.push_back(k);
        }(),
        ...);
    return leaves;
}

/// What is differentiated with respect to, by the arguments' numbers.
template <std::size_t Arguments, int... Wrt>
constexpr auto argument_numbers() {
    constexpr bool exist = ((Wrt >= 0 && Wrt < static_cast<int>(Arguments)) && ...);
    static_assert(exist,
                  "unspool: the function has no argument of that number, from 0; the count of its "
                  "arguments and the numbers stand in argument_numbers<count, numbers…>");
    return std::bool_constant<exist>{};
}

/// Whether arguments can be differentiated with respect to; integers cannot.
template <class... Args>
constexpr auto differentiable_arguments() {
    constexpr bool floating = []<class... Leaf>(std::type_identity<std::tuple<Leaf...>>) {
        return (std::is_floating_point_v<element_t<Leaf>> && ...);
    }(std::type_identity<typename leaves_of<std::tuple<Args...>>::type>{});
    static_assert(floating,
                  "unspool: integers have no derivative; choose the other arguments by their "
                  "numbers; those chosen stand in differentiable_arguments<…>");
    return std::bool_constant<floating>{};
}

/// The type of an argument, or a number where there is no such argument.
template <class Tuple, int At>
struct argument_at {
    using type = std::tuple_element_t<0, Tuple>;
};
template <class... Args, int At>
    requires(At >= 0 && At < static_cast<int>(sizeof...(Args)))
struct argument_at<std::tuple<Args...>, At> {
    using type = std::tuple_element_t<At, std::tuple<Args...>>;
};

template <class Tuple, int... Wrt>
struct selected {
    using type = std::tuple<typename argument_at<Tuple, Wrt>::type...>;
};
template <class Tuple, int Wrt>
struct selected<Tuple, Wrt> : argument_at<Tuple, Wrt> {};
/// One argument as itself, several as a tuple.
template <class Tuple, int... Wrt>
using selected_t = typename selected<Tuple, Wrt...>::type;

}  // namespace detail
}  // namespace v0
}  // namespace unspool

#include <unspool/run/call.hpp>
#include <unspool/run/gradient.hpp>
#include <unspool/run/products.hpp>
