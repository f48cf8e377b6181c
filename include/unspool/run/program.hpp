// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/refuse.hpp>
#include <unspool/graph/print.hpp>
#include <unspool/run/compile.hpp>
#include <unspool/run/executor.hpp>
#include <unspool/run/workspace.hpp>

#include <cassert>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace unspool {
inline namespace v0 {
namespace run {

/// What a function returns for plain arguments: a scalar comes as a number.
template <class X>
struct plain_result {
    using type = as_plain<X>;
};
template <class T>
struct plain_result<tensor<traced<T>>> {
    using type = T;
};
template <class... X>
struct plain_result<std::tuple<X...>> {
    using type = std::tuple<typename plain_result<X>::type...>;
};
template <class A, class B>
struct plain_result<std::pair<A, B>> {
    using type = std::pair<typename plain_result<A>::type, typename plain_result<B>::type>;
};
template <template <class...> class S, class... X>
    requires(composite<S<X...>> && !unspool::detail::is_tuple_like<S<X...>>)
struct plain_result<S<X...>> {
    using type = S<typename plain_result<X>::type...>;
};

template <class F, class... Args>
using result_of = typename plain_result<traced_result<F, Args...>>::type;

/// The elements of a leaf.
template <class X>
constexpr auto* elements_of(X& leaf) {
    if constexpr (std::is_arithmetic_v<std::remove_const_t<X>>) return &leaf;
    else return leaf.data();
}
template <class X>
constexpr int element_count(X const&) {
    if constexpr (std::is_arithmetic_v<X>) return 1;
    else return as_traced<X>::count;
}

/// Whether the elements of a leaf have to be converted to T.
template <class T, class Leaf>
inline constexpr bool is_converted = !std::is_same_v<element_t<Leaf>, T>;
/// Whether an integer type holds values that T does not.
template <class T, class Leaf>
inline constexpr bool can_be_inexact =
    std::numeric_limits<element_t<Leaf>>::digits > std::numeric_limits<T>::digits;

/// The memory that a call converts integers into, in elements, from one end of it to the other.
template <class T, class... Args>
inline constexpr int converted_elements =
    []<class... Leaf>(std::type_identity<std::tuple<Leaf...>>) {
        return (0 + ... + (is_converted<T, Leaf> ? as_traced<Leaf>::count : 0));
    }(std::type_identity<typename leaves_of<std::tuple<Args...>>::type>{});
template <class T, class... Args>
inline constexpr bool conversion_can_fail =
    []<class... Leaf>(std::type_identity<std::tuple<Leaf...>>) {
        return ((is_converted<T, Leaf> && can_be_inexact<T, Leaf>) || ...);
    }(std::type_identity<typename leaves_of<std::tuple<Args...>>::type>{});
/// All the memory that a call works in, in elements.
template <class Plan, class T, class... Args>
inline constexpr int working_elements = Plan::value.workspace + converted_elements<T, Args...>;

/// The integers of a leaf as numbers of type T. One that T cannot hold exactly is an error.
template <class T, class Leaf>
constexpr void convert_elements(Leaf const& leaf, T* to) {
    auto const* from = elements_of(leaf);
    for (int i = 0; i < element_count(leaf); ++i) {
        to[i] = static_cast<T>(from[i]);
        if constexpr (can_be_inexact<T, Leaf>) {
            constexpr auto most = std::int64_t{1} << std::numeric_limits<T>::digits;
            if (std::cmp_greater(from[i], most) || std::cmp_less(from[i], -most))
                unspool::detail::refuse<std::out_of_range>(
                    "unspool: an integer argument is too large to be exact in the element type");
        }
    }
}

/// The elements of a leaf as numbers of type T: where they lie or, converted, at `room`, which then
/// stands behind them.
template <class T, class Leaf>
constexpr T const* elements_as(Leaf const& leaf, T*& room) {
    if constexpr (is_converted<T, Leaf>) {
        T* const at = room;
        convert_elements(leaf, at);
        room += element_count(leaf);
        return at;
    } else {
        return elements_of(leaf);
    }
}

/// Whether an indexing's indices are constants, the same at every step, that its table has.
template <class Plan>
constexpr bool has_known_indices(instruction const& i) {
    constexpr auto const& p = Plan::value;
    place const& at = p.places[i.first + 1];
    if (at.base != p.literal_base()) return false;
    for (int step : at.loop_step)
        if (step != 0) return false;
    for (int k = 0; k < i.space.size(); ++k) {
        double const index = p.literals[at.offset + k];
        if (!(index >= -i.extent && index < i.extent && static_cast<int>(index) == index))
            return false;
    }
    return true;
}

/// Whether a call can meet an index beyond its table, its only exception beside that one.
template <class Plan>
inline constexpr bool checks_indices = [] {
    for (int k = 0; k < Plan::value.size.code; ++k) {
        instruction const& i = Plan::value.code[k];
        bool const indexes =
            i.what == instruction::kind::gather || i.what == instruction::kind::scatter_add;
        if (indexes && !has_known_indices<Plan>(i)) return true;
    }
    return false;
}();

template <class Plan, class T, class... Args>
inline constexpr bool never_throws = !checks_indices<Plan> && !conversion_can_fail<T, Args...>;

/// Fills a frame's arrays from arguments, results, literals and workspace, and runs the plan.
template <class Plan, class Arch, class T, class Result, class... Args>
void call(T* workspace, Result& result,
          Args const&... args) noexcept(never_throws<Plan, T, Args...>) {
    frame<T, array_count<Plan>> f;
    int k = 0;
    // Arguments are read only; one array of pointers serves all.
    T* converted = workspace + Plan::value.workspace;
    auto const bind = [&](auto const& leaf) {
        f.array[k++] = const_cast<T*>(elements_as(leaf, converted));
    };
    (for_each_leaf(bind, args), ...);
    for_each_leaf([&](auto& leaf) { f.array[k++] = elements_of(leaf); }, result);
    f.array[k++] = const_cast<T*>(literals<Plan, T>.data());
    f.array[k++] = workspace;
    execute<Plan, 0, Plan::value.size.code, Arch, T>(f);
}

/// Whether any element of a leaf of `into` lies in a leaf of an argument.
template <class Into, class... Args>
bool overlaps(Into const& into, Args const&... args) {
    bool found = false;
    for_each_leaf(
        [&](auto const& out) {
            auto const* begin = static_cast<void const*>(elements_of(out));
            auto const* end = static_cast<void const*>(elements_of(out) + element_count(out));
            auto check = [&](auto const& in) {
                auto const* a = static_cast<void const*>(elements_of(in));
                auto const* b = static_cast<void const*>(elements_of(in) + element_count(in));
                std::less<void const*> const before;
                if (before(a, end) && before(begin, b)) found = true;
            };
            (for_each_leaf(check, args), ...);
        },
        into);
    return found;
}

}  // namespace run

/// A compiled function: `program step(f, args…)` plans f for arguments of these types, and
/// `step(args…)` runs it, again and again, without heap or lock, and without exception unless an
/// index lies beyond its table or an integer argument beyond what the element type holds exactly
/// (std::out_of_range). f is a captureless
/// function of expressions or a transformation of one; the constructor's arguments give types only.
///
/// The workspace lies inside up to 64 KiB; above, the constructor makes one aligned allocation, or
/// takes the memory it is handed. A call returns a reference into the program, valid until its next
/// call; `step(args…, into)`, with one argument more, writes to the caller's result, which may not
/// overlap the arguments (checked in debug builds). Move-only; one program serves one thread at a
/// time.
template <class F, class... Args>
class program {
    // In this order, and before anything else, so that a mistake is told once and where it is.
    using arguments_checked = decltype(detail::check_arguments<Args...>());
    using tried = decltype(detail::trial(typename detail::innermost<F, Args...>::type{}));
    using checked = decltype(detail::check_call<F, Args...>());
    using planned_call = void (*)(Args const&...);
    using planned_call_into = void (*)(Args const&..., run::result_of<F, Args...>&);
    template <class Planned, class Given>
    static constexpr auto arguments_of_call() {
        static_assert(
            std::is_same_v<Planned, Given>,
            "unspool: a program is called with the arguments it was made for, or with those and "
            "a result to write to; both stand in arguments_of_call<planned, given>");
        return true;
    }
    static constexpr bool sound = checked::value;

public:
    using element = argument_element<Args...>;
    using result_type = run::result_of<F, Args...>;
    using arch = simd::native;
    /// The plan that the calls run.
    using plan_type = run::planned<arch, F, Args...>;

    /// Bytes of memory that a call works in, beside arguments and result.
    static constexpr std::size_t workspace_bytes =
        static_cast<std::size_t>(run::working_elements<plan_type, element, Args...>) *
        sizeof(element);
    /// Floating-point operations of a call; a multiply-add counts two, a transcendental none.
    static constexpr double flops = plan_type::value.flops;
    /// Transcendental functions that a call evaluates.
    static constexpr double transcendentals = plan_type::value.transcendentals;
    /// Kernels and loops in the plan, each once however often it runs.
    static constexpr int instructions = plan_type::value.size.code;

    /// Allocates if the workspace exceeds 64 KiB; throws std::bad_alloc if that fails.
    explicit program(F, Args const&...) {}
    program() = default;
    /// Uses memory of the caller: at least `workspace_bytes`, aligned to 64.
    explicit program(std::span<std::byte> memory) : workspace_(memory) {}
    program(program&&) = default;
    program& operator=(program&&) = default;

    result_type const& operator()(Args const&... args) noexcept(never_throws) {
        if constexpr (sound) run::call<plan_type, arch>(workspace_.data(), *result_, args...);
        return *result_;
    }
    void operator()(Args const&... args, result_type& into) noexcept(never_throws) {
        assert(!run::overlaps(into, args...) && "unspool: the result overlaps an argument");
        if constexpr (sound) run::call<plan_type, arch>(workspace_.data(), into, args...);
    }
    /// Any other arguments are told apart from those planned.
    template <class... Given>
        requires(!std::is_invocable_v<planned_call, Given const&...> &&
                 !std::is_invocable_v<planned_call_into, Given&...>)
    result_type const& operator()(Given const&...) noexcept {
        arguments_of_call<std::tuple<Args...>, std::tuple<Given...>>();
        return *result_;
    }

    /// The optimised graph that the plan was made of, one value a line.
    static std::string text() {
        return unspool::text(thaw(run::optimised<arch, F, Args...>::value));
    }
    /// The same for Graphviz.
    static std::string dot() { return unspool::dot(thaw(run::optimised<arch, F, Args...>::value)); }

private:
    static constexpr bool never_throws = run::never_throws<plan_type, element, Args...>;

    run::storage<element, run::working_elements<plan_type, element, Args...>> workspace_;
    run::held<result_type> result_;
};

template <class F, class... Args>
program(F, Args const&...) -> program<F, std::remove_cvref_t<Args>...>;

}  // namespace v0
}  // namespace unspool
