// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/traced.hpp>
#include <unspool/graph/freeze.hpp>

namespace unspool {
inline namespace v0 {

/// A transformed function, such as `grad(f)`: it builds its graph from its function's, and says
/// what it returns.
template <class F, class... Args>
concept transformation = requires {
    F::template build<Args...>();
};

namespace detail {

template <class F>
inline constexpr bool captures_nothing = std::is_empty_v<F>&& std::is_default_constructible_v<F>;

/// The arguments of a traced function, by the element types of their leaves.
template <class... Element>
constexpr auto arguments() {
    constexpr bool floating = (std::is_floating_point_v<Element> || ...);
    static_assert(sizeof...(Element) > 0, "unspool: a traced function takes at least one argument");
    static_assert(floating || sizeof...(Element) == 0,
                  "unspool: an argument of a traced function has elements of float or double; "
                  "integers may stand beside it; those of these stand in arguments<…>");
    static_assert(
        !floating || sizeof...(Element) == 0,
        "unspool: the arguments of a traced function mix float and double; those of these "
        "stand in arguments<…>");
    return true;
}

template <class... Element>
inline constexpr bool
    one_element = std::is_floating_point_v<typename first_floating<Element...>::type> &&
                  ((std::is_integral_v<Element> ||
                    std::is_same_v<Element, typename first_floating<Element...>::type>)&&...);

/// Whether a function can be traced with arguments of these types: structures of one floating-point
/// type, and of integers, which become numbers of that type.
template <class... Args>
constexpr auto check_arguments() {
    if constexpr (!(is_structure<Args> && ...)) {
        (check_structure<Args>(), ...);
        return std::false_type{};
    } else {
        return []<class... Leaf>(std::type_identity<std::tuple<Leaf...>>) {
            constexpr bool one = one_element<element_t<Leaf>...>;
            if constexpr (!one) arguments<element_t<Leaf>...>();
            return std::bool_constant<one>{};
        }(std::type_identity<typename leaves_of<std::tuple<Args...>>::type>{});
    }
}
template <class... Args>
inline constexpr bool sound_arguments = decltype(check_arguments<Args...>())::value;

template <class... Args>
constexpr auto find_argument_element() {
    if constexpr (sound_arguments<Args...>) return shared_element<Args...>{};
    else return std::type_identity<double>{};
}

/// An argument as expressions, all of the element type that the arguments share.
template <class X, class... Args>
using traced_argument = numbers_of<typename decltype(find_argument_element<Args...>())::type, X>;

/// A call of F with arguments of these types: for transformations, of the function below them.
template <class F, class... Args>
struct innermost {
    using type = innermost;
};

struct not_callable {};
template <class F, class... Args>
using traceable =
    std::conditional_t<sound_arguments<Args...> && captures_nothing<F>, F, not_callable>;

/// What F gives for expressions. It is asked for first, close to what the user wrote, so that few
/// lines stand between the two where F has a mistake.
template <class F, class X, class... Y>
auto trial(innermost<F, X, Y...>) -> std::type_identity<
    decltype(traceable<F, X, Y...>{}(std::declval<traced_argument<X, X, Y...> const&>(),
                                     std::declval<traced_argument<Y, X, Y...> const&>()...))>;
std::type_identity<not_callable> trial(...);

template <bool Sound, class Result>
struct outcome {
    static constexpr bool sound = Sound;
    using result = Result;
};

/// Whether F can be traced, and what it returns; if not, says so and goes on with a scalar.
template <class F, class... Args>
constexpr auto check_function() {
    using nothing = tensor<traced<typename decltype(find_argument_element<Args...>())::type>>;
    if constexpr (!sound_arguments<Args...>) {
        return outcome<false, nothing>{};
    } else {
        using returned =
            std::remove_cvref_t<typename decltype(trial(innermost<F, Args...>{}))::type>;
        constexpr bool callable = !std::is_same_v<returned, not_callable>;
        constexpr bool captureless = captures_nothing<F>;
        static_assert(
            captureless,
            "unspool: a traced function captures nothing; pass what it needs as arguments, or "
            "as constants with static storage");
        constexpr bool takes_arguments = callable || !captureless;
        static_assert(takes_arguments,
                      "unspool: the function does not take these arguments as expressions; its "
                      "parameters must be `auto`, one for each argument");
        if constexpr (!callable) {
            return outcome<false, nothing>{};
        } else if constexpr (!is_structure<returned>) {
            check_structure<returned>();
            return outcome<false, nothing>{};
        } else {
            return outcome<true, traced_argument<returned, Args...>>{};
        }
    }
}

template <class F, class... Args>
struct find_result {
    using type = typename decltype(check_function<F, Args...>())::result;
};
template <class F, class... Args>
    requires transformation<F, Args...>
struct find_result<F, Args...> {
    using type = typename F::template result<Args...>;
};

}  // namespace detail

/// What F returns for these arguments, as a structure of expressions.
template <class F, class... Args>
using traced_result = typename detail::find_result<F, Args...>::type;

/// The element type that a function's arguments share; integers among them take it, too.
template <class... Args>
using argument_element = typename decltype(detail::find_argument_element<Args...>())::type;

namespace detail {

/// The graph of a function that was refused: arguments and results, and nothing between.
template <class Result, class... Args>
constexpr graph outline() {
    graph g;
    g.report({fault::kind::told, {}});
    std::tuple<traced_argument<Args, Args...>...> const arguments{};
    Result const result{};
    for_each_leaf([&](auto const& leaf) { g.argument(leaf.dims); }, arguments);
    for_each_leaf([&](auto const& leaf) { g.results.push_back(g.constant(0, leaf.dims)); }, result);
    return g;
}

}  // namespace detail

/// The graph of a function: F is run once, on expressions. Arguments and results of the graph are
/// the leaves of the function's, in order.
template <class F, class... Args>
constexpr graph build_graph() {
    if constexpr (transformation<F, Args...>) {
        return F::template build<Args...>();
    } else if constexpr (!decltype(detail::check_function<F, Args...>())::sound) {
        return detail::outline<traced_result<F, Args...>, Args...>();
    } else {
        trace_scope scope;
        std::tuple<detail::traced_argument<Args, Args...>...> arguments{};
        for_each_leaf(
            [&]<class Leaf>(Leaf& leaf) {
                leaf.scope = &scope;
                leaf.id = scope.g.argument(Leaf::dims);
            },
            arguments);
        auto const result = std::apply([](auto const&... x) { return F{}(x...); }, arguments);
        for_each_leaf(
            [&](auto const& leaf) { scope.g.results.push_back(detail::lifted(leaf).in(scope)); },
            result);
        return std::move(scope.g);
    }
}

/// The graph of F for these arguments, as a constant: what later passes start from. One constant
/// for each function keeps every pass within the compiler's limits of its own.
template <class F, class... Args>
struct frozen_function {
    struct make {
        constexpr graph operator()() const { return build_graph<F, Args...>(); }
    };
    static constexpr auto value = freeze<make>();
};

namespace detail {

template <int Index, int Extent>
constexpr auto index() {
    static_assert(
        Index >= 0 && Index < Extent,
        "unspool: an index is out of range; it and the extent stand in index<index, extent>");
    return true;
}
template <fault::kind What>
constexpr auto loop_value() {
    static_assert(
        What != fault::kind::outside,
        "unspool: an expression is used outside of the loop body that made it; return it from "
        "the body");
    return true;
}
template <class Op>
constexpr auto constants_only() {
    static_assert(
        sizeof(Op) == 0,
        "unspool: no operand of an operation depends on an argument; compute its value before "
        "the function; the operation stands in constants_only<op>");
    return true;
}

/// Whether a function, traced, makes sense; says so if it does not.
template <class F, class... Args>
constexpr auto check_call() {
    if constexpr (transformation<F, Args...>) {
        return F::template check<Args...>();
    } else if constexpr (!decltype(check_function<F, Args...>())::sound) {
        return std::false_type{};
    } else {
        constexpr fault mistake = frozen_function<F, Args...>::value.mistake;
        constexpr auto what = mistake.what;
        if constexpr (what == fault::kind::index) index<mistake.detail[0], mistake.detail[1]>();
        if constexpr (what == fault::kind::outside) loop_value<what>();
        if constexpr (what == fault::kind::constants)
            constants_only<op::at_code<mistake.detail[0]>>();
        return std::bool_constant<what == fault::kind::nothing>{};
    }
}

/// Puts a copy of a function's graph into the graph of its arguments: a call inside a traced
/// function.
template <class Result, graph_sizes Size, class... X>
constexpr Result splice(frozen_graph<Size> const& frozen, X const&... x) {
    graph const callee = thaw(frozen);
    trace_scope* scope = nullptr;
    (for_each_leaf([&](auto const& leaf) { scope = deepest(scope, lifted(leaf).scope); }, x), ...);
    Result result{};
    if (scope == nullptr) {
        for_each_leaf([](auto& leaf) { leaf.id = constants_alone - op::code<op::output>; }, result);
        return result;
    }
    if (frozen.mistake.what != fault::kind::nothing) scope->g.report({fault::kind::told, {}});
    list<ref> map(callee.size(), none);
    int k = 0;
    (for_each_leaf([&](auto const& leaf) { map[callee.arguments[k++]] = lifted(leaf).in(*scope); },
                   x),
     ...);
    for (ref id = 0; id < callee.size(); ++id) {
        if (map[id] != none) continue;
        list<ref> operands;
        for (int i = 0; i < callee[id].count; ++i) operands.push_back(map[callee.operand(id, i)]);
        map[id] = scope->g.copy(callee, id, operands);
    }
    k = 0;
    for_each_leaf(
        [&](auto& leaf) {
            leaf.scope = scope;
            leaf.id = map[callee.results[k++]];
        },
        result);
    return result;
}

}  // namespace detail
}  // namespace v0
}  // namespace unspool
