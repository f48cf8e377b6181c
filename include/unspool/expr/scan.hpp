// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/shaping.hpp>

namespace unspool {
inline namespace v0 {

/// For `scan`: from the last step to the first. Outputs still lie at the index of their step.
struct reversed_t {};
inline constexpr reversed_t reversed{};

namespace detail {

/// Whether the leaves of X can lose and gain a first axis.
template <class X>
inline constexpr bool is_sequence = is_tensor<X>;
template <class... X>
inline constexpr bool is_sequence<std::tuple<X...>> = (is_sequence<X> && ...);
template <class A, class B>
inline constexpr bool is_sequence<std::pair<A, B>> = is_sequence<A>&& is_sequence<B>;
template <class X, std::size_t N>
inline constexpr bool is_sequence<std::array<X, N>> = is_sequence<X>;

/// Structures of sequences as structures of their steps, and back: leaves lose or gain the first
/// axis. Hana structs fix their members' shapes, so sequences come as tensors, tuples and arrays.
template <class X, int Steps>
struct along_time {
    using sequence = tensor<traced<element_t<X>>>;  // told in scan
};
template <class T, std::size_t... N, int Steps>
struct along_time<tensor<T, N...>, Steps> {
    using sequence = tensor<T, static_cast<std::size_t>(Steps), N...>;
};
template <class... X, int Steps>
struct along_time<std::tuple<X...>, Steps> {
    using sequence = std::tuple<typename along_time<X, Steps>::sequence...>;
};
template <class A, class B, int Steps>
struct along_time<std::pair<A, B>, Steps> {
    using sequence =
        std::pair<typename along_time<A, Steps>::sequence, typename along_time<B, Steps>::sequence>;
};
template <class X, std::size_t N, int Steps>
struct along_time<std::array<X, N>, Steps> {
    using sequence = std::array<typename along_time<X, Steps>::sequence, N>;
};

template <class X>
struct first_step {
    using type = tensor<traced<element_t<X>>>;  // told in scan
};
template <class T>
struct first_step<tensor<T>> {
    using type = tensor<T>;
};
template <class T, std::size_t First, std::size_t... N>
struct first_step<tensor<T, First, N...>> {
    using type = tensor<T, N...>;
};
template <class... X>
struct first_step<std::tuple<X...>> {
    using type = std::tuple<typename first_step<X>::type...>;
};
template <class A, class B>
struct first_step<std::pair<A, B>> {
    using type = std::pair<typename first_step<A>::type, typename first_step<B>::type>;
};
template <class X, std::size_t N>
struct first_step<std::array<X, N>> {
    using type = std::array<typename first_step<X>::type, N>;
};

template <int Steps, class Leaf>
inline constexpr bool has_steps = Leaf::rank >= 1 && Leaf::dims.extent[0] == Steps;
template <int Steps, class... Leaf>
constexpr auto sequences(std::type_identity<std::tuple<Leaf...>>) {
    static_assert(
        (has_steps<Steps, Leaf> && ...),
        "unspool: a scan's input does not have as many steps, its first extent, as the scan; "
        "the steps and the input stand in sequences<steps, tensors…>");
    return std::bool_constant<(has_steps<Steps, Leaf> && ...)>{};
}

template <class X>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;
template <class A, class B>
inline constexpr bool is_pair<std::tuple<A, B>> = true;
template <class A>
inline constexpr bool is_pair<std::array<A, 2>> = true;

/// A body's {carry, y} and whether it is one that fits; else something to go on with.
template <class Carry, class Returned>
constexpr auto checked_step(Carry const& given, Returned const& returned) {
    static_assert(is_pair<Returned>,
                  "unspool: a scan's body returns a pair {carry, y}; the carry and "
                  "what the body returns stand in checked_step<carry, returned>");
    if constexpr (!is_pair<Returned>) {
        if constexpr (expression<Returned>) return std::tuple{given, returned, std::false_type{}};
        else return std::tuple{given, lift<element_t<Carry>>(0), std::false_type{}};
    } else {
        auto const [next, y] = returned;
        using next_type = as_traced<decltype(next)>;
        constexpr bool same = std::is_same_v<Carry, next_type>;
        static_assert(same,
                      "unspool: a scan's body returns a carry of another structure or shape than "
                      "init; both stand in checked_step<init, pair<carry, y>>");
        if constexpr (same) return std::tuple{next, y, std::true_type{}};
        else return std::tuple{given, y, std::false_type{}};
    }
}

template <int Steps, class F, class Init, class Xs>
constexpr auto scan(F& f, Init const& init, Xs const& xs, bool reverse) {
    using carry_type = as_traced<Init>;
    using x_type = typename first_step<as_traced<Xs>>::type;
    constexpr bool steps_fit = decltype(sequences<Steps>(
        std::type_identity<typename leaves_of<as_traced<Xs>>::type>{}))::value;

    trace_scope* scope = nullptr;
    auto find = [&](auto const& leaf) { scope = deepest(scope, lifted(leaf).scope); };
    for_each_leaf(find, init);
    for_each_leaf(find, xs);

    auto* const loop_scope = new trace_scope(scope);
    trace_scope& inside = *loop_scope;
    carry_type carry{};
    x_type x{};
    list<ref> carries, inputs, operands;
    auto bind = [&](list<ref>& arguments) {
        return [&inside, &arguments]<class Leaf>(Leaf& leaf) {
            leaf.scope = &inside;
            leaf.id = inside.g.argument(Leaf::dims);
            arguments.push_back(leaf.id);
        };
    };
    for_each_leaf(bind(carries), carry);
    for_each_leaf(bind(inputs), x);

    auto const [next, y, fits] = checked_step(carry, f(carry, x));
    using y_type = as_traced<decltype(y)>;
    constexpr bool sequences_fit = is_sequence<as_traced<Xs>> && is_sequence<y_type>;
    static_assert(sequences_fit,
                  "unspool: the input and the output of a scan are tensors, tuples, pairs or "
                  "arrays of them; a struct's members keep their shapes");
    using ys_type = typename along_time<y_type, Steps>::sequence;

    auto collect = [&](auto const& leaf) { inside.g.results.push_back(lifted(leaf).in(inside)); };
    for_each_leaf(collect, next);
    for_each_leaf(collect, y);

    // What the body captured may have moved the loop further inside than its operands lie.
    scope = inside.parent;
    std::pair<carry_type, ys_type> result{};
    inside.closed = true;
    if (scope == nullptr) {
        delete loop_scope;
        for_each_leaf([](auto& leaf) { leaf.id = constants_alone - op::code<op::scan>; }, result);
        return result;
    }
    scope->loops.push_back(loop_scope);
    scope->g.report(inside.g.mistake);
    if constexpr (!decltype(fits)::value || !steps_fit || !sequences_fit) {
        for_each_leaf(
            [scope](auto& leaf) {
                leaf.scope = scope;
                leaf.id = scope->stand_in({fault::kind::told, {}}, leaf.dims);
            },
            result);
        return result;
    }
    op::scan_layout layout;
    layout.steps = Steps;
    layout.reverse = reverse;
    layout.constants = inside.outer.size();
    layout.carries = carries.size();
    layout.inputs = inputs.size();
    layout.outputs = inside.g.results.size() - carries.size();
    inside.g.arguments = inside.inner;
    inside.g.arguments.append(carries);
    inside.g.arguments.append(inputs);
    operands = inside.outer;
    auto take = [&](auto const& leaf) { operands.push_back(lifted(leaf).in(*scope)); };
    for_each_leaf(take, init);
    for_each_leaf(take, xs);
    ref const loop = scope->g.scan(layout, operands, std::move(inside.g));

    int k = 0;
    auto read = [&](auto& leaf) {
        leaf.scope = scope;
        leaf.id = scope->g.output(loop, k++);
    };
    for_each_leaf(read, result.first);
    for_each_leaf(read, result.second);
    return result;
}

template <class Xs>
inline constexpr int steps_of = [] {
    using first = std::tuple_element_t<0, typename leaves_of<Xs>::type>;
    return first::rank == 0 ? 1 : first::dims.extent[0];
}();

}  // namespace detail

/// A loop over time, as JAX's `lax.scan`: f(carry, x) returns {carry, y}; the result is {last
/// carry, ys}, ys having y of step t at index t. `init`, y and the carry may have any structure;
/// the carry keeps the shapes of `init`. `xs` is a tensor, tuple or array of tensors whose first
/// axis is time. The body may use expressions from outside of it. Compile time does not depend on
/// the number of steps.
template <class F, class Init, class Xs>
constexpr auto scan(F f, Init const& init, Xs const& xs) {
    return detail::scan<detail::steps_of<as_traced<Xs>>>(f, init, xs, false);
}
template <class F, class Init, class Xs>
constexpr auto scan(F f, Init const& init, Xs const& xs, reversed_t) {
    return detail::scan<detail::steps_of<as_traced<Xs>>>(f, init, xs, true);
}
/// The same with the number of steps told; `xs` must agree, or be absent: then f may take the carry
/// alone.
template <int Steps, class F, class Init, class Xs>
constexpr auto scan(F f, Init const& init, Xs const& xs) {
    return detail::scan<Steps>(f, init, xs, false);
}
template <int Steps, class F, class Init, class Xs>
constexpr auto scan(F f, Init const& init, Xs const& xs, reversed_t) {
    return detail::scan<Steps>(f, init, xs, true);
}
template <int Steps, class F, class Init>
constexpr auto scan(F f, Init const& init) {
    if constexpr (std::is_invocable_v<F&, as_traced<Init> const&>) {
        auto const body = [&](auto const& carry, std::tuple<> const&) { return f(carry); };
        return detail::scan<Steps>(body, init, std::tuple<>{}, false);
    } else {
        return detail::scan<Steps>(f, init, std::tuple<>{}, false);
    }
}

}  // namespace v0
}  // namespace unspool
