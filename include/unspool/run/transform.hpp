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

namespace unspool::inline v0 {

/// What `value_and_grad` returns: the function's value and the gradient, in the argument's own type.
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
/// An argument, or a member of one, that the loss does not use has gradient zero instead of being an
/// error.
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
            static_assert(Wrt >= 0 && Wrt < static_cast<int>(sizeof...(Args)),
                          "unspool: the function has no argument of that number");
            for (int k = first[Wrt]; k < first[Wrt + 1]; ++k) leaves.push_back(k);
        }(),
        ...);
    return leaves;
}

template <class Tuple, int... Wrt>
struct selected;
template <class... Args, int... Wrt>
struct selected<std::tuple<Args...>, Wrt...> {
    using type = std::tuple<std::tuple_element_t<Wrt, std::tuple<Args...>>...>;
};
template <class... Args, int Wrt>
struct selected<std::tuple<Args...>, Wrt> {
    using type = std::tuple_element_t<Wrt, std::tuple<Args...>>;
};
/// One argument as itself, several as a tuple.
template <class Tuple, int... Wrt>
using selected_t = typename selected<Tuple, Wrt...>::type;

}  // namespace detail
}  // namespace unspool::inline v0

#include <unspool/run/call.hpp>
#include <unspool/run/gradient.hpp>
#include <unspool/run/products.hpp>
