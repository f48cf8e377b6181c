// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/run/transform.hpp>

/// @file
/// Products with the Jacobian, from the right (jvp) and from the left (vjp).

namespace unspool {
inline namespace v0 {
namespace detail {

/// The first N of a list of types, as a tuple; a transformation's own arguments come behind.
template <int N, class... X>
struct first_types {
    template <std::size_t... I>
    static std::tuple<std::tuple_element_t<I, std::tuple<X...>>...> pick(std::index_sequence<I...>);
    using type =
        decltype(pick(std::make_index_sequence<(N > 1 ? static_cast<std::size_t>(N) : 1)>{}));
};

template <class F, class Tuple>
struct applied;
template <class F, class... Args>
struct applied<F, std::tuple<Args...>> {
    // a template, so that no result is asked for before check() has said what is wrong
    template <class G = F>
    using result = traced_result<G, Args...>;
    static constexpr auto check() { return check_call<F, Args...>(); }
    using innermost_type = typename innermost<F, Args...>::type;
    static constexpr graph graph_of() { return thaw(frozen_function<F, Args...>::value); }
    template <int... Wrt>
    static constexpr list<int> leaves() {
        return leaves_at<Args...>(std::integer_sequence<int, Wrt...>{});
    }
};

template <class Given, class Expected>
constexpr auto seed() {
    constexpr bool same = std::is_same_v<as_traced<Given>, as_traced<Expected>>;
    static_assert(same, "unspool: a seed is of the type of the function's value; the given and the "
                        "expected one stand in seed<given, expected>");
    return std::bool_constant<same>{};
}
template <class Given, class Expected>
constexpr auto tangent() {
    constexpr bool same = std::is_same_v<as_traced<Given>, as_traced<Expected>>;
    static_assert(same,
                  "unspool: a tangent is of the type of its argument; the given and the expected "
                  "one stand in tangent<given, expected>");
    return std::bool_constant<same>{};
}
template <int Given, int Least>
constexpr auto argument_count() {
    static_assert(
        Given >= Least,
        "unspool: the arguments of jvp are the function's and one tangent for each of those "
        "differentiated, of vjp the function's and a seed; the count given and the least "
        "stand in argument_count<given, least>");
    return std::bool_constant<(Given >= Least)>{};
}
template <class Tuple, int At>
using argument_at_t = typename argument_at<Tuple, At>::type;

}  // namespace detail

/// The function that `jvp` makes of F.
template <class F, int... Wrt>
struct jvp_of {
    template <class... X>
    static constexpr int first = static_cast<int>(sizeof...(X)) - static_cast<int>(sizeof...(Wrt));
    template <class... X>
    using primals = typename detail::first_types<first<X...>, X...>::type;
    template <class... X>
    using function = detail::applied<F, primals<X...>>;
    template <class... X>
    using result = std::pair<typename function<X...>::template result<>,
                             typename function<X...>::template result<>>;

    template <class... X>
    static constexpr auto check() {
        constexpr int count = static_cast<int>(sizeof...(X));
        if constexpr (!decltype(detail::argument_count<count, static_cast<int>(sizeof...(Wrt)) +
                                                                  1>())::value) {
            return std::false_type{};
        } else if constexpr (!decltype(function<X...>::check())::value) {
            return std::false_type{};
        } else if constexpr (!decltype(detail::argument_numbers<first<X...>, Wrt...>())::value) {
            return std::false_type{};
        } else if constexpr (!decltype(detail::differentiable_arguments<
                                       detail::argument_at_t<std::tuple<X...>, Wrt>...>())::value) {
            return std::false_type{};
        } else {
            return []<int... I>(std::integer_sequence<int, I...>) {
                return std::conjunction<
                    decltype(detail::tangent<
                             detail::argument_at_t<std::tuple<X...>, first<X...> + I>,
                             detail::argument_at_t<std::tuple<X...>, Wrt>>())...>{};
            }
            (std::make_integer_sequence<int, static_cast<int>(sizeof...(Wrt))>{});
        }
    }
    template <class... X>
    static constexpr graph build() {
        if constexpr (!decltype(check<X...>())::value) return detail::outline<result<X...>, X...>();
        else return jvp(function<X...>::graph_of(), function<X...>::template leaves<Wrt...>());
    }
    template <class... X>
    constexpr auto operator()(X const&... x) const {
        return call(*this, x...);
    }
};

/// The function that `vjp` makes of F.
template <class F, int... Wrt>
struct vjp_of {
    template <class... X>
    static constexpr int last = static_cast<int>(sizeof...(X)) - 1;
    template <class... X>
    using function = detail::applied<F, typename detail::first_types<last<X...>, X...>::type>;
    template <class... X>
    using result = value_and_gradient<typename function<X...>::template result<>,
                                      detail::selected_t<std::tuple<as_traced<X>...>, Wrt...>>;

    template <class... X>
    static constexpr auto check() {
        if constexpr (!decltype(detail::argument_count<last<X...> + 1, 2>())::value) {
            return std::false_type{};
        } else if constexpr (!decltype(function<X...>::check())::value) {
            return std::false_type{};
        } else if constexpr (!decltype(detail::argument_numbers<last<X...>, Wrt...>())::value) {
            return std::false_type{};
        } else if constexpr (!decltype(detail::differentiable_arguments<
                                       detail::argument_at_t<std::tuple<X...>, Wrt>...>())::value) {
            return std::false_type{};
        } else {
            return detail::seed<detail::argument_at_t<std::tuple<X...>, last<X...>>,
                                typename function<X...>::template result<>>();
        }
    }
    template <class... X>
    static constexpr graph build() {
        if constexpr (!decltype(check<X...>())::value) {
            return detail::outline<result<X...>, X...>();
        } else {
            vjp_request r;
            r.wrt = function<X...>::template leaves<Wrt...>();
            r.results = leaf_count<typename function<X...>::template result<>>;
            r.seeded = true;
            return vjp(function<X...>::graph_of(), r);
        }
    }
    template <class... X>
    constexpr auto operator()(X const&... x) const {
        return call(*this, x...);
    }
};

template <class F, int... Wrt, class... X>
struct detail::innermost<jvp_of<F, Wrt...>, X...> {
    using type = typename jvp_of<F, Wrt...>::template function<X...>::innermost_type;
};
template <class F, int... Wrt, class... X>
struct detail::innermost<vjp_of<F, Wrt...>, X...> {
    using type = typename vjp_of<F, Wrt...>::template function<X...>::innermost_type;
};

/// Forward mode: the function (args…, tangents…) -> {value, tangent of the value}, with one tangent
/// for each argument numbered in Wrt (argument 0 if there is none), of the argument's own type.
template <int... Wrt, class F>
constexpr auto jvp(F) {
    if constexpr (sizeof...(Wrt) == 0) return jvp_of<F, 0>{};
    else return jvp_of<F, Wrt...>{};
}

/// Reverse mode with a seed: the function (args…, seed) -> {value, gradient}, where the seed is a
/// cotangent of the value's own type and the gradient is Σ seed · ∂value/∂argument.
template <int... Wrt, class F>
constexpr auto vjp(F) {
    if constexpr (sizeof...(Wrt) == 0) return vjp_of<F, 0>{};
    else return vjp_of<F, Wrt...>{};
}

}  // namespace v0
}  // namespace unspool
