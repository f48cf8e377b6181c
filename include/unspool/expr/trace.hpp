// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/traced.hpp>
#include <unspool/graph/freeze.hpp>

namespace unspool {
inline namespace v0 {

/// A transformed function, such as `grad(f)`: it builds its graph from its function's, and says what
/// it returns.
template <class F, class... Args>
concept transformation = requires { F::template build<Args...>(); };

namespace detail {

template <class F>
inline constexpr bool captures_nothing = std::is_empty_v<F> && std::is_default_constructible_v<F>;

template <class T, class... Leaf>
inline constexpr bool all_of_element = (std::is_same_v<T, element_t<Leaf>> && ...);

template <class... Args>
struct element_of_arguments {
    using first = element_t<std::tuple_element_t<0, std::tuple<Args...>>>;
    static constexpr bool same = []<class... Leaf>(std::type_identity<std::tuple<Leaf...>>) {
        return all_of_element<first, Leaf...>;
    }(std::type_identity<typename leaves_of<std::tuple<Args...>>::type>{});
    static_assert(same, "unspool: float and double are mixed in the arguments; use one element type");
    static_assert(std::is_floating_point_v<first>,
                  "unspool: the elements of the arguments are float or double");
    using type = first;
};

template <class F, class... Args>
constexpr bool check_function() {
    static_assert(captures_nothing<F>,
                  "unspool: a traced function captures nothing; pass what it needs as arguments, or "
                  "as constants with static storage");
    if constexpr (captures_nothing<F>)
        static_assert(std::is_invocable_v<F const&, as_traced<Args> const&...>,
                      "unspool: the function does not take these arguments as expressions; its "
                      "parameters must be `auto`, one for each argument");
    return true;
}

template <class F, class... Args>
struct traced_result {
    static constexpr auto pick() {
        check_function<F, Args...>();
        return std::type_identity<
            as_traced<decltype(F{}(std::declval<as_traced<Args> const&>()...))>>{};
    }
    using type = typename decltype(pick())::type;
};
template <class F, class... Args>
    requires transformation<F, Args...>
struct traced_result<F, Args...> {
    using type = typename F::template result<Args...>;
};

}  // namespace detail

/// What F returns for these arguments, as a structure of expressions.
template <class F, class... Args>
using traced_result = typename detail::traced_result<F, Args...>::type;

/// The element type that a function's arguments share.
template <class... Args>
using argument_element = typename detail::element_of_arguments<Args...>::type;

/// The graph of a function: F is run once, on expressions. Arguments and results of the graph are
/// the leaves of the function's, in order.
template <class F, class... Args>
constexpr graph build_graph() {
    if constexpr (transformation<F, Args...>) {
        return F::template build<Args...>();
    } else {
        detail::check_function<F, Args...>();
        using T = argument_element<Args...>;
        static_assert(sizeof(T) > 0);
        trace_scope scope;
        std::tuple<as_traced<Args>...> arguments{};
        for_each_leaf(
            [&]<class Leaf>(Leaf& leaf) {
                leaf.scope = &scope;
                leaf.id = scope.g.argument(Leaf::dims);
            },
            arguments);
        auto const result = std::apply([](auto const&... x) { return F{}(x...); }, arguments);
        for_each_leaf([&](auto const& leaf) { scope.g.results.push_back(leaf.in(scope)); },
                      result);
        return std::move(scope.g);
    }
}

/// The graph of F for these arguments, as a constant: what later passes start from. One constant for
/// each function keeps every pass within the compiler's limits of its own.
template <class F, class... Args>
struct frozen_function {
    struct make {
        constexpr graph operator()() const { return build_graph<F, Args...>(); }
    };
    static constexpr auto value = freeze<make>();
};

namespace detail {

/// Puts a copy of a function's graph into the graph of its arguments: a call inside a traced function.
template <class Result, graph_sizes Size, class... X>
constexpr Result splice(frozen_graph<Size> const& frozen, X const&... x) {
    graph const callee = thaw(frozen);
    trace_scope* scope = nullptr;
    (for_each_leaf([&](auto const& leaf) { scope = deepest(scope, leaf.scope); }, x), ...);
    if (scope == nullptr)
        throw "unspool: a function of constants alone; call it before the traced function";
    list<ref> map(callee.size(), none);
    int k = 0;
    (for_each_leaf([&](auto const& leaf) { map[callee.arguments[k++]] = leaf.in(*scope); }, x),
     ...);
    for (ref id = 0; id < callee.size(); ++id) {
        if (map[id] != none) continue;
        list<ref> operands;
        for (int i = 0; i < callee[id].count; ++i) operands.push_back(map[callee.operand(id, i)]);
        map[id] = scope->g.copy(callee, id, operands);
    }
    Result result{};
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
