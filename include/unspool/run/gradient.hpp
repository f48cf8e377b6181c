// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/run/transform.hpp>

namespace unspool::inline v0 {
namespace detail {

struct gradient_options {
    bool aux = false;
    bool zero_unused = false;
};

template <class Option>
constexpr gradient_options with(gradient_options o, Option) {
    static_assert(std::is_same_v<Option, has_aux_t> || std::is_same_v<Option, unused::zero_t>,
                  "unspool: the options of a gradient are has_aux and unused::zero");
    if constexpr (std::is_same_v<Option, has_aux_t>) o.aux = true;
    else o.zero_unused = true;
    return o;
}

/// A member that the loss does not use, by name where it has one.
template <auto... Member>
struct member {};
template <int Position>
struct argument_number {};

/// The names of all leaves of an argument: pointers to members, or the argument's number.
template <class X, class Name>
struct named_leaves {
    template <class... M>
    static auto join(std::tuple<M...>*)
        -> decltype(std::tuple_cat(std::declval<typename named_leaves<M, Name>::type>()...));
    template <class... A>
    static auto members(hana::tuple<A...> const&)
        -> decltype(std::tuple_cat(
            std::declval<typename named_leaves<
                std::remove_cvref_t<decltype(hana::second(std::declval<A>())(std::declval<X&>()))>,
                std::remove_cvref_t<decltype(hana::second(std::declval<A>()))>>::type>()...));
    static constexpr auto pick() {
        if constexpr (is_leaf<X>) return std::type_identity<std::tuple<Name>>{};
        else if constexpr (is_tuple_like<X> || composite<X>)
            return std::type_identity<decltype(join(static_cast<member_types<X>*>(nullptr)))>{};
        else return std::type_identity<decltype(members(hana::accessors<X>()))>{};
    }
    using type = typename decltype(pick())::type;
};

template <class Name>
struct parameter {
    template <bool Used>
    struct is {
        static_assert(Used, "unspool: the loss does not depend on a parameter that is differentiated; "
                            "it stands in parameter<…>; use it, or pass us::unused::zero for zeros");
    };
};

template <class Result, bool Scalar>
struct loss {
    static_assert(Scalar, "unspool: the loss is not a scalar; reduce it by sum or mean, or use vjp "
                          "with a seed; what the function returns stands in loss<…>");
};

template <class X>
inline constexpr bool is_scalar_expression = false;
template <class T>
inline constexpr bool is_scalar_expression<tensor<traced<T>>> = true;

template <bool Aux, class Result>
struct loss_of {
    using type = Result;
};
template <class Loss, class A>
struct loss_of<true, std::pair<Loss, A>> {
    using type = Loss;
};
template <class Loss, class... A>
struct loss_of<true, std::tuple<Loss, A...>> {
    using type = Loss;
};

}  // namespace detail

/// The function that `value_and_grad` and `grad` make of F.
template <class F, detail::gradient_options Options, bool WithValue, int... Wrt>
struct gradient_of {
    template <class... Args>
    static constexpr bool check() {
        using value = traced_result<F, Args...>;
        using loss = typename detail::loss_of<Options.aux, value>::type;
        constexpr bool scalar = detail::is_scalar_expression<loss>;
        static_assert(sizeof(detail::loss<loss, scalar>) > 0);
        if constexpr (!Options.zero_unused && scalar) check_use<Args...>();
        return scalar;
    }
    template <class... Args>
    using gradient = detail::selected_t<std::tuple<as_traced<Args>...>, Wrt...>;
    template <class... Args>
    static constexpr auto returned() {
        check<Args...>();
        using value = traced_result<F, Args...>;
        if constexpr (WithValue)
            return std::type_identity<value_and_gradient<value, gradient<Args...>>>{};
        else if constexpr (Options.aux)
            return std::type_identity<
                std::pair<gradient<Args...>, std::tuple_element_t<1, value>>>{};
        else return std::type_identity<gradient<Args...>>{};
    }
    template <class... Args>
    using result = typename decltype(returned<Args...>())::type;

    template <class... Args>
    static constexpr graph build() {
        if constexpr (!check<Args...>()) {
            return {};
        } else {
            graph g = vjp(thaw(frozen_function<F, Args...>::value), request<Args...>());
            if constexpr (!WithValue) {
                // The gradient first, then what is auxiliary; the loss is not returned.
                int const values = leaf_count<traced_result<F, Args...>>;
                list<ref> results(g.results.data() + values, g.results.size() - values);
                results.append(list<ref>(g.results.data() + 1, values - 1));
                g.results = results;
            }
            return g;
        }
    }
    template <class... Args>
    constexpr auto operator()(Args const&... args) const {
        return call(*this, args...);
    }

private:
    template <class... Args>
    static constexpr vjp_request request() {
        vjp_request r;
        r.wrt = detail::leaves_at<Args...>(std::integer_sequence<int, Wrt...>{});
        return r;
    }
    template <class... Args>
    static constexpr bool used(int leaf) {
        return !unused_arguments(thaw(frozen_function<F, Args...>::value), request<Args...>())
                    .contains(leaf);
    }
    template <class... Args>
    static constexpr bool check_use() {
        using arguments = std::tuple<Args...>;
        using names = decltype(std::tuple_cat(
            std::declval<typename detail::named_leaves<std::tuple_element_t<Wrt, arguments>,
                                                       detail::argument_number<Wrt>>::type>()...));
        constexpr int unused_leaf = [] {
            list<int> const unused = unused_arguments(
                thaw(frozen_function<F, Args...>::value), request<Args...>());
            return unused.empty() ? -1 : unused[0];
        }();
        constexpr std::size_t at = unused_leaf < 0 ? 0 : unused_leaf;
        using name = std::tuple_element_t<at, names>;
        static_assert(sizeof(typename detail::parameter<name>::template is<(unused_leaf < 0)>) > 0);
        return true;
    }
};

/// The function that returns f's value and its gradient with respect to the arguments numbered in
/// Wrt, argument 0 if there is none. f returns a scalar, or {scalar, aux} with the option `has_aux`;
/// the gradient has the argument's own type, or is a tuple of them for several. A parameter that the
/// loss does not use is an error, zeros with the option `unused::zero`.
template <int... Wrt, class F, class... Option>
constexpr auto value_and_grad(F, Option... option) {
    constexpr auto options = [] {
        detail::gradient_options o;
        ((o = detail::with(o, Option{})), ...);
        return o;
    }();
    ((void)option, ...);
    if constexpr (sizeof...(Wrt) == 0) return gradient_of<F, options, true, 0>{};
    else return gradient_of<F, options, true, Wrt...>{};
}

/// The same without the value; with `has_aux` {gradient, aux}.
template <int... Wrt, class F, class... Option>
constexpr auto grad(F, Option... option) {
    constexpr auto options = [] {
        detail::gradient_options o;
        ((o = detail::with(o, Option{})), ...);
        return o;
    }();
    ((void)option, ...);
    if constexpr (sizeof...(Wrt) == 0) return gradient_of<F, options, false, 0>{};
    else return gradient_of<F, options, false, Wrt...>{};
}

}  // namespace unspool::inline v0
