// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/shaping.hpp>

namespace unspool {
inline namespace v0 {

/// For `scan`: from the last step to the first. Outputs still lie at the index of their step.
struct reversed_t {};
inline constexpr reversed_t reversed{};

namespace detail {

/// Structures of steps as structures of sequences, whose leaves have the axis of time first, and
/// back.
template <int Steps>
struct time_axis {
    template <class E>
    using put = typename over_time<E, Steps>::all;
    template <class E>
    using take = typename over_time<E, Steps>::one;
};
template <class X, int Steps>
using sequence_of = map_elements_t<X, time_axis<Steps>::template put>;
template <class X, int Steps>
using step_of = map_elements_t<X, time_axis<Steps>::template take>;

template <int Steps, class Leaf>
inline constexpr bool has_steps = Leaf::rank >= 1 && Leaf::dims.extent[0] == Steps;
template <int Steps, class Leaf, class Name>
constexpr auto sequence() {
    static_assert(
        has_steps<Steps, Leaf>,
        "unspool: a scan's input does not have as many steps, its first extent, as the scan; "
        "the steps, the input and its name stand in sequence<steps, tensor, member>");
    return true;
}
/// The number of leaves of a scan's input before the first that does not have all steps.
template <int Steps, class Leaves>
inline constexpr std::size_t complete = 0;
template <int Steps, class... Leaf>
inline constexpr std::size_t complete<Steps, std::tuple<Leaf...>> = [] {
    bool const fits[] = {has_steps<Steps, Leaf>..., false};
    std::size_t n = 0;
    while (fits[n]) ++n;
    return n;
}();

template <class X>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;
template <class A, class B>
inline constexpr bool is_pair<std::tuple<A, B>> = true;
template <class A>
inline constexpr bool is_pair<std::array<A, 2>> = true;

/// The element type of a scan, which integers take.
template <class T>
constexpr auto number_type() {
    constexpr bool floating = !std::is_void_v<T>;
    static_assert(floating, "unspool: a scan's init and inputs are all integers, which inside of a "
                            "function are numbers of its element type; write 0.0 or 0.0F for 0");
    return std::conditional<floating, T, int>{};
}

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
        using T = typename shared_element<Carry, decltype(next)>::type;
        constexpr bool same = std::is_same_v<Carry, numbers_of<T, decltype(next)>>;
        constexpr bool told =
            leaf_count<Carry> != 0 && std::is_void_v<typename shared_element<Carry>::type>;
        constexpr bool kept = same || told;
        static_assert(kept,
                      "unspool: a scan's body returns a carry of another structure or shape than "
                      "init; both stand in checked_step<init, pair<carry, y>>");
        if constexpr (same) return std::tuple{next, y, std::true_type{}};
        else return std::tuple{given, y, std::false_type{}};
    }
}

template <int Steps, class F, class Init, class Xs>
constexpr auto scan(F& f, Init const& init, Xs const& xs, bool reverse) {
    using T = typename decltype(number_type<typename shared_element<Init, Xs>::type>())::type;
    using carry_type = numbers_of<T, Init>;
    using xs_type = numbers_of<T, Xs>;
    using x_type = step_of<xs_type, Steps>;
    using x_leaves = typename leaves_of<xs_type>::type;
    constexpr std::size_t first_wrong = complete<Steps, x_leaves>;
    constexpr bool steps_fit = first_wrong == std::tuple_size_v<x_leaves>;
    if constexpr (!steps_fit) {
        using names = typename named_leaves<xs_type, argument_number<1>>::type;
        sequence<Steps, std::tuple_element_t<first_wrong, x_leaves>,
                 std::tuple_element_t<first_wrong, names>>();
    }

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
    using returned_type = std::remove_cvref_t<decltype(y)>;
    constexpr bool structured = is_structure<returned_type>;
    if constexpr (!structured) structure<returned_type>();
    using ys_type = sequence_of<numbers_of<T, returned_type>, Steps>;

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
    if constexpr (!decltype(fits)::value || !steps_fit || !structured) {
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
/// carry, ys}, ys having y of step t at index t. `init`, `xs`, y and the carry may have any
/// structure; the carry keeps the shapes of `init`, and the first axis of every leaf of `xs` and
/// `ys` is time. Integers among them, such as a counter that starts at 0, are numbers of the
/// element type. The body may use expressions from outside of it. Compile time does not depend on
/// the number of steps.
///
/// A struct of outputs is stacked: where y is a `lstm_state<traced<T>, 1, 8>`, ys is a
/// `lstm_state<stacked<traced<T>, Steps>, 1, 8>`, whose members have all steps. As a result and as
/// an argument it is a `lstm_state<stacked<T, Steps>, 1, 8>`; as `xs` it gives x the type of a step
/// again. A struct that itself lists sequences, `frames<T, Steps>`, may be `xs`, too: x is a
/// `frames<unstacked<traced<T>, Steps>, Steps>`, whose members are those of one step.
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
