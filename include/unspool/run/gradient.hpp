// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/run/transform.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

struct gradient_options {
    bool aux = false;
    bool zero_unused = false;
};

template <class Option>
constexpr gradient_options with(gradient_options o, Option) {
    static_assert(
        std::is_same_v<Option, has_aux_t> || std::is_same_v<Option, unused::zero_t>,
        "unspool: the options of a gradient are has_aux and unused::zero; arguments go into "
        "parentheses of their own, grad(f)(x)");
    if constexpr (std::is_same_v<Option, has_aux_t>) o.aux = true;
    else o.zero_unused = true;
    return o;
}

template <class Name, bool Used>
constexpr auto parameter() {
    static_assert(
        Used, "unspool: the loss does not depend on a parameter that is differentiated; use it, "
              "or pass us::unused::zero for zeros; it stands in parameter<…>");
    return true;
}

template <class X>
inline constexpr bool is_scalar_expression = false;
template <class T>
inline constexpr bool is_scalar_expression<tensor<traced<T>>> = true;

template <class Returned>
constexpr auto loss() {
    static_assert(
        is_scalar_expression<Returned>,
        "unspool: the loss is not a scalar; reduce it by sum or mean, or use vjp with a seed; "
        "it stands in loss<…>");
    return true;
}
template <class Returned>
constexpr auto loss_and_aux() {
    static_assert(is_leaf<Returned> && !is_leaf<Returned>,
                  "unspool: with has_aux a function returns {loss, aux}; what it returns stands in "
                  "loss_and_aux<…>");
    return true;
}

template <class Result>
struct loss_of;
template <class Loss, class Aux>
struct loss_of<std::pair<Loss, Aux>> {
    using type = Loss;
    using aux = Aux;
};
template <class Loss, class Aux>
struct loss_of<std::tuple<Loss, Aux>> {
    using type = Loss;
    using aux = Aux;
};

/// Whether a function's result can be differentiated; says so if it cannot.
template <bool Aux, class Returned>
constexpr auto check_loss() {
    if constexpr (!Aux) {
        loss<Returned>();
        return std::bool_constant<is_scalar_expression<Returned>>{};
    } else if constexpr (requires { typename loss_of<Returned>::type; }) {
        return check_loss<false, typename loss_of<Returned>::type>();
    } else {
        loss_and_aux<Returned>();
        return std::false_type{};
    }
}

}  // namespace detail

/// The function that `value_and_grad` and `grad` make of F.
template <class F, detail::gradient_options Options, bool WithValue, int... Wrt>
struct gradient_of {
    template <class... Args>
    static constexpr auto check() {
        if constexpr (!decltype(detail::check_call<F, Args...>())::value) {
            return std::false_type{};
        } else if constexpr (!decltype(detail::argument_numbers<sizeof...(Args),
                                                                Wrt...>())::value) {
            return std::false_type{};
        } else if constexpr (!decltype(detail::differentiable_arguments<std::tuple_element_t<
                                           Wrt, std::tuple<Args...>>...>())::value) {
            return std::false_type{};
        } else if constexpr (!decltype(detail::check_loss<Options.aux,
                                                          traced_result<F, Args...>>())::value) {
            return std::false_type{};
        } else {
            constexpr int unused = Options.zero_unused ? -1 : first_unused<Args...>();
            if constexpr (unused >= 0)
                detail::parameter<
                    std::tuple_element_t<static_cast<std::size_t>(unused), names<Args...>>,
                    false>();
            return std::bool_constant<(unused < 0)>{};
        }
    }
    template <class... Args>
    using gradient = detail::selected_t<std::tuple<as_traced<Args>...>, Wrt...>;
    template <class... Args>
    static constexpr auto returned() {
        using value = traced_result<F, Args...>;
        if constexpr (WithValue)
            return std::type_identity<value_and_gradient<value, gradient<Args...>>>{};
        else if constexpr (Options.aux && requires { typename detail::loss_of<value>::aux; })
            return std::type_identity<
                std::pair<gradient<Args...>, typename detail::loss_of<value>::aux>>{};
        else return std::type_identity<gradient<Args...>>{};
    }
    template <class... Args>
    using result = typename decltype(returned<Args...>())::type;

    template <class... Args>
    static constexpr graph build() {
        if constexpr (!decltype(check<Args...>())::value) {
            return detail::outline<result<Args...>, Args...>();
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
    using names = decltype(std::tuple_cat(
        std::declval<typename detail::named_leaves<std::tuple_element_t<Wrt, std::tuple<Args...>>,
                                                   detail::argument_number<Wrt>>::type>()...));
    /// The first leaf differentiated with respect to that the loss does not use, or -1.
    template <class... Args>
    static constexpr int first_unused() {
        list<int> const unused =
            unused_arguments(thaw(frozen_function<F, Args...>::value), request<Args...>());
        return unused.empty() ? -1 : unused[0];
    }
};

template <class F, detail::gradient_options Options, bool WithValue, int... Wrt, class... Args>
struct detail::innermost<gradient_of<F, Options, WithValue, Wrt...>, Args...>
    : detail::innermost<F, Args...> {};

/// The function that returns f's value and its gradient with respect to the arguments numbered in
/// Wrt, argument 0 if there is none. f returns a scalar, or {scalar, aux} with the option
/// `has_aux`; the gradient has the argument's own type, or is a tuple of them for several. A
/// parameter that the loss does not use is an error, zeros with the option `unused::zero`.
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

}  // namespace v0
}  // namespace unspool
