// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/shaping.hpp>

namespace unspool {
inline namespace v0 {

/// For `scan`: from the last step to the first. Outputs still lie at the index of their step.
struct reversed_t {};
inline constexpr reversed_t reversed{};

namespace detail {

template <class X>
struct step_of;
template <class T, std::size_t First, std::size_t... N>
struct step_of<tensor<T, First, N...>> {
    using type = tensor<T, N...>;
    static constexpr int steps = static_cast<int>(First);
};

/// Structures of sequences as structures of their steps, and back: leaves lose or gain the first
/// axis. Hana structs fix their members' shapes, so sequences come as tensors, tuples and arrays.
template <class X, int Steps>
struct along_time;
template <class T, std::size_t... N, int Steps>
struct along_time<tensor<T, N...>, Steps> {
    using step = typename step_of<tensor<T, N..., 1>>::type;
    using sequence = tensor<T, static_cast<std::size_t>(Steps), N...>;
};
template <class... X, int Steps>
struct along_time<std::tuple<X...>, Steps> {
    using sequence = std::tuple<typename along_time<X, Steps>::sequence...>;
};
template <class A, class B, int Steps>
struct along_time<std::pair<A, B>, Steps> {
    using sequence = std::pair<typename along_time<A, Steps>::sequence,
                               typename along_time<B, Steps>::sequence>;
};
template <class X, std::size_t N, int Steps>
struct along_time<std::array<X, N>, Steps> {
    using sequence = std::array<typename along_time<X, Steps>::sequence, N>;
};

template <class X>
struct first_step;
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

template <class Given, class Returned, bool Same>
struct carry_structure {
    static_assert(Same, "unspool: a scan's body returns a carry of another structure or shape than "
                        "init; both stand in carry_structure<init, returned>");
};
template <class Xs, int Steps, bool Same>
struct sequence_steps {
    static_assert(Same, "unspool: a scan's input does not have as many steps as the scan; its shape "
                        "and the steps stand in sequence_steps<dims, steps>");
};

template <class Xs, int Steps>
constexpr bool check_steps() {
    return []<class... Leaf>(std::type_identity<std::tuple<Leaf...>>) {
        return ((sizeof(sequence_steps<printable_t<Leaf>, Steps,
                                       Leaf::rank >= 1 && Leaf::dims.extent[0] == Steps>) > 0) &&
                ...);
    }(std::type_identity<typename leaves_of<Xs>::type>{});
}

template <class F, class Carry, class X>
constexpr decltype(auto) call_body(F& f, Carry const& carry, X const& x) {
    if constexpr (std::is_same_v<X, std::tuple<>> && std::is_invocable_v<F&, Carry const&>)
        return f(carry);
    else return f(carry, x);
}

template <int Steps, class F, class Init, class Xs>
constexpr auto scan(F& f, Init const& init, Xs const& xs, bool reverse) {
    using carry_type = as_traced<Init>;
    using x_type = typename first_step<as_traced<Xs>>::type;
    check_steps<as_traced<Xs>, Steps>();

    trace_scope* scope = nullptr;
    auto find = [&](auto const& leaf) { scope = deepest(scope, leaf.scope); };
    for_each_leaf(find, init);
    for_each_leaf(find, xs);

    trace_scope inside(scope);
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

    auto const [next, y] = call_body(f, carry, x);
    using next_type = as_traced<decltype(next)>;
    static_assert(sizeof(carry_structure<carry_type, next_type,
                                         std::is_same_v<carry_type, next_type>>) > 0);
    using y_type = as_traced<decltype(y)>;
    using ys_type = typename along_time<y_type, Steps>::sequence;

    auto collect = [&](auto const& leaf) { inside.g.results.push_back(leaf.in(inside)); };
    for_each_leaf(collect, next);
    for_each_leaf(collect, y);

    // What the body captured may have moved the loop further inside than its operands lie.
    scope = inside.parent;
    if (scope == nullptr) throw "unspool: a scan over constants alone; compute it before the function";
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
    for_each_leaf([&](auto const& leaf) { operands.push_back(leaf.in(*scope)); }, init);
    for_each_leaf([&](auto const& leaf) { operands.push_back(leaf.in(*scope)); }, xs);
    ref const loop = scope->g.scan(layout, operands, std::move(inside.g));

    int k = 0;
    auto read = [&](auto& leaf) {
        leaf.scope = scope;
        leaf.id = scope->g.output(loop, k++);
    };
    std::pair<carry_type, ys_type> result{};
    for_each_leaf(read, result.first);
    for_each_leaf(read, result.second);
    return result;
}

template <class Xs>
inline constexpr int steps_of = std::tuple_element_t<0, typename leaves_of<Xs>::type>::dims.extent[0];

}  // namespace detail

/// A loop over time, as JAX's `lax.scan`: f(carry, x) returns {carry, y}; the result is {last carry,
/// ys}, ys having y of step t at index t. `init`, y and the carry may have any structure; the carry
/// keeps the shapes of `init`. `xs` is a tensor, tuple or array of tensors whose first axis is time.
/// The body may use expressions from outside of it. Compile time does not depend on the number of
/// steps.
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
    return detail::scan<Steps>(f, init, std::tuple<>{}, false);
}

}  // namespace v0
}  // namespace unspool
