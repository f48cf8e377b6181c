// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/traced.hpp>
#include <unspool/math/sqrt.hpp>
#include <unspool/simd/vec.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace unspool {
inline namespace v0 {

namespace detail {

/// Applies rule(g, s...) to n elements of a gradient and of the arrays that the rule changes, a
/// register at a time. Vectors are explicit because sqrt's errno and cheap cost models keep
/// compilers from making them. The rules use no fused operation: each element gets the same bits
/// from every instruction set.
template <class Arch, class Rule, class T, std::same_as<T>... S>
void sweep_vectors(Rule const& rule, int n, T const* g, S*... s) noexcept {
    using V = simd::vec<T, Arch>;
    int k = 0;
    for (; k + V::width <= n; k += V::width)
        [&](auto... x) UNSPOOL_INLINE_LAMBDA {
            rule(V::load(g + k), x...);
            (x.store(s + k), ...);
        }(V::load(s + k)...);
    if (int const left = n - k; left > 0)
        [&](auto... x) UNSPOOL_INLINE_LAMBDA {
            rule(V::load(g + k, left), x...);
            (x.store(s + k, left), ...);
        }(V::load(s + k, left)...);
}

template <class Rule, class T, std::same_as<T>... S>
constexpr void sweep_elements(Rule const& rule, int n, T const* g, S*... s) noexcept {
    for (int k = 0; k < n; ++k) rule(g[k], s[k]...);
}

template <class X>
constexpr auto* leaf_data(X& x) noexcept {
    if constexpr (std::is_arithmetic_v<X>) return &x;
    else return x.data();
}
template <class X>
constexpr int leaf_size() noexcept {
    return as_traced<X>::count;
}

/// For every leaf of the gradient and the corresponding leaves of structures of its type: elements
/// updated by make_rule(type_identity<T>), T the leaf's element type.
template <class MakeRule, class Params, std::same_as<Params>... S>
constexpr void sweep(MakeRule const& make_rule, Params const& gradient, S&... s) noexcept {
    for_each_leaf_of(
        [&](auto const& g, auto&... leaf) {
            using X = std::remove_cvref_t<decltype(g)>;
            using T = std::remove_cvref_t<decltype(*leaf_data(g))>;
            static_assert(std::floating_point<T>,
                          "unspool: an optimiser works on parameters of float or double");
            auto const rule = make_rule(std::type_identity<T>{});
            if (std::is_constant_evaluated()) {
                sweep_elements(rule, leaf_size<X>(), leaf_data(g), leaf_data(leaf)...);
            } else {
                sweep_vectors<simd::native>(rule, leaf_size<X>(), leaf_data(g), leaf_data(leaf)...);
            }
        },
        gradient, s...);
}

}  // namespace detail

}  // namespace v0
}  // namespace unspool
