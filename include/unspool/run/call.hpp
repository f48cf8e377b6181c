// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/evaluate.hpp>
#include <unspool/run/program.hpp>

#include <type_traits>

/// @file
/// A call of a function of expressions, wherever it stands.

namespace unspool {
inline namespace v0 {
namespace run {

/// Emitted only if such a call is really made at run time.
[[gnu::error("unspool: this call needs more than 64 KiB of workspace or result; make a "
             "unspool::program of the function once and call that")]] void
call_is_too_large_for_the_stack();

/// The elements of arguments, integers converted.
template <class T, class... Args>
class argument_elements {
public:
    constexpr explicit argument_elements(Args const&... args)
        : converted_(converted_elements<T, Args...>, T(0)) {
        T* next = converted_.data();
        auto const bind = [&](auto const& leaf) { pointers_.push_back(elements_as(leaf, next)); };
        (for_each_leaf(bind, args), ...);
    }
    argument_elements(argument_elements const&) = delete;
    argument_elements& operator=(argument_elements const&) = delete;
    constexpr list<T const*> const& pointers() const { return pointers_; }

private:
    list<T> converted_;
    list<T const*> pointers_;
};

/// Computes in a constant evaluation, by the plain meaning of the graph.
template <class F, class... Args>
constexpr result_of<F, Args...> evaluate_constant(Args const&... args) {
    using T = argument_element<Args...>;
    struct make {
        constexpr graph operator()() const {
            return simplify(thaw(frozen_function<F, Args...>::value));
        }
    };
    graph const g = make{}();
    argument_elements<T, Args...> const elements(args...);
    evaluator<T> e(g);
    e.run(elements.pointers());
    result_of<F, Args...> result{};
    int k = 0;
    for_each_leaf(
        [&](auto& leaf) {
            T const* from = e.result(k++);
            T* to = elements_of(leaf);
            int const n = element_count(leaf);
            for (int i = 0; i < n; ++i) to[i] = from[i];
        },
        result);
    return result;
}

template <class F, class... Args>
result_of<F, Args...> evaluate_directly(Args const&... args) {
    using T = argument_element<Args...>;
    using plan_type = planned<simd::native, F, Args...>;
    using result = result_of<F, Args...>;
    constexpr int elements = working_elements<plan_type, T, Args...>;
    constexpr std::size_t bytes = elements * sizeof(T) + sizeof(result);
    if constexpr (bytes <= inline_bytes) {
        storage<T, elements> workspace;
        result r;
        call<plan_type, simd::native>(workspace.data(), r, args...);
        return r;
    } else {
        call_is_too_large_for_the_stack();
        __builtin_unreachable();
    }
}

template <class X>
inline constexpr bool holds_expressions = [] {
    using first = std::tuple_element_t<0, typename leaves_of<std::remove_cvref_t<X>>::type>;
    return expression<first>;
}();

}  // namespace run

/// Calls f, a captureless function of expressions or a transformation of one. With expressions it
/// becomes a part of the graph around; with values in a constant the compiler evaluates it; with
/// values at run time a plan of it runs, on the stack: above 64 KiB use `program`.
template <class F, class... Args>
constexpr auto call(F const&, Args const&... args) {
    constexpr bool traced = (run::holds_expressions<Args> || ...);
    // In this order, and before anything else, so that a mistake is told once and where it is.
    using arguments_checked =
        decltype(detail::check_arguments<std::conditional_t<traced, as_plain<Args>, Args>...>());
    using call_type = detail::innermost<F, std::conditional_t<traced, as_plain<Args>, Args>...>;
    using tried [[maybe_unused]] = decltype(detail::trial(typename call_type::type{}));
    using checked =
        decltype(detail::check_call<F, std::conditional_t<traced, as_plain<Args>, Args>...>());
    constexpr bool sound = arguments_checked::value && checked::value;
    if constexpr (traced) {
        using result = traced_result<F, as_plain<Args>...>;
        return detail::splice<result>(frozen_function<F, as_plain<Args>...>::value, args...);
    } else if constexpr (!sound) {
        return run::result_of<F, Args...>{};
    } else {
        if (std::is_constant_evaluated()) return run::evaluate_constant<F, Args...>(args...);
        return run::evaluate_directly<F, Args...>(args...);
    }
}

}  // namespace v0
}  // namespace unspool
