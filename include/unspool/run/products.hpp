// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/run/transform.hpp>

/// @file
/// Products with the Jacobian, from the right (jvp) and from the left (vjp).

namespace unspool::inline v0 {
namespace detail {

/// The first N of a list of types, as a tuple; a transformation's own arguments come behind.
template <std::size_t N, class... X>
struct first_types {
    template <std::size_t... I>
    static std::tuple<std::tuple_element_t<I, std::tuple<X...>>...> pick(std::index_sequence<I...>);
    using type = decltype(pick(std::make_index_sequence<N>{}));
};

template <class F, class Tuple>
struct applied;
template <class F, class... Args>
struct applied<F, std::tuple<Args...>> {
    using result = traced_result<F, Args...>;
    static constexpr graph graph_of() { return thaw(frozen_function<F, Args...>::value); }
    template <int... Wrt>
    static constexpr list<int> leaves() {
        return leaves_at<Args...>(std::integer_sequence<int, Wrt...>{});
    }
};

template <class Given, class Expected, bool Same>
struct seed_structure {
    static_assert(Same, "unspool: a seed or tangent has another structure or shape than the value it "
                        "belongs to; both stand in seed_structure<given, expected>");
};
template <class Given, class Expected>
constexpr bool check_seed() {
    return sizeof(seed_structure<as_traced<Given>, as_traced<Expected>,
                                 std::is_same_v<as_traced<Given>, as_traced<Expected>>>) > 0;
}

}  // namespace detail

/// The function that `jvp` makes of F.
template <class F, int... Wrt>
struct jvp_of {
    template <class... X>
    using primals = typename detail::first_types<sizeof...(X) - sizeof...(Wrt), X...>::type;
    template <class... X>
    using result = std::pair<typename detail::applied<F, primals<X...>>::result,
                             typename detail::applied<F, primals<X...>>::result>;
    template <class... X>
    static constexpr graph build() {
        using function = detail::applied<F, primals<X...>>;
        constexpr std::size_t first = sizeof...(X) - sizeof...(Wrt);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::check_seed<std::tuple_element_t<first + I, std::tuple<X...>>,
                                std::tuple_element_t<Wrt, std::tuple<X...>>>(),
             ...);
        }(std::make_index_sequence<sizeof...(Wrt)>{});
        return jvp(function::graph_of(), function::template leaves<Wrt...>());
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
    using primals = typename detail::first_types<sizeof...(X) - 1, X...>::type;
    template <class... X>
    using result = value_and_gradient<
        typename detail::applied<F, primals<X...>>::result,
        detail::selected_t<std::tuple<as_traced<X>...>, Wrt...>>;
    template <class... X>
    static constexpr graph build() {
        using function = detail::applied<F, primals<X...>>;
        using value = typename function::result;
        detail::check_seed<std::tuple_element_t<sizeof...(X) - 1, std::tuple<X...>>, value>();
        vjp_request r;
        r.wrt = function::template leaves<Wrt...>();
        r.results = leaf_count<value>;
        r.seeded = true;
        return vjp(function::graph_of(), r);
    }
    template <class... X>
    constexpr auto operator()(X const&... x) const {
        return call(*this, x...);
    }
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

}  // namespace unspool::inline v0
