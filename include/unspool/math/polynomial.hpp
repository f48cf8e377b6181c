// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/scalar.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <utility>

namespace unspool {
inline namespace v0 {
namespace math {

namespace detail {

/// Σ c[First + Step·i]·xⁱ by Horner's rule.
template <auto const& Coefficients, std::size_t First, std::size_t Step, class V, std::size_t... I>
UNSPOOL_INLINE constexpr V horner([[maybe_unused]] V x, std::index_sequence<I...>) noexcept {
    constexpr std::size_t last = First + Step * sizeof...(I);
    V sum = V(Coefficients[last]);
    ((sum = fma(sum, x, V(Coefficients[last - Step * (I + 1)]))), ...);
    return sum;
}

/// The same with a·b + c for fma and without a statement per coefficient, which clang's evaluator
/// would charge.
template <auto const& Coefficients, class T, std::size_t... I>
constexpr T horner_in_constants(T x, std::index_sequence<I...>,
                                T sum = Coefficients[sizeof...(I)]) noexcept {
    return ((sum = sum * x + Coefficients[sizeof...(I) - 1 - I]), ...);
}

template <auto const& Coefficients, class V>
UNSPOOL_INLINE constexpr V even_and_odd(V x, V x_squared) noexcept {
    constexpr std::size_t size = std::size(Coefficients);
    V const even =
        horner<Coefficients, 0, 2>(x_squared, std::make_index_sequence<(size - 1) / 2>{});
    V const odd = horner<Coefficients, 1, 2>(x_squared, std::make_index_sequence<(size - 2) / 2>{});
    return fma(odd, x, even);
}

}  // namespace detail

/// Σ Coefficients[i]·xⁱ, given x² as well. Even and odd powers are summed apart, which halves the
/// chain of dependent operations at no cost in their number where x² is at hand anyway.
template <auto const& Coefficients, class V>
UNSPOOL_INLINE constexpr V polynomial(V x, V x_squared) noexcept {
    return detail::even_and_odd<Coefficients>(x, x_squared);
}
template <auto const& Coefficients, std::floating_point T>
UNSPOOL_INLINE constexpr T polynomial(T x, T x_squared) noexcept {
    return __builtin_is_constant_evaluated()
               ? detail::horner_in_constants<Coefficients>(
                     x, std::make_index_sequence<std::size(Coefficients) - 1>{})
               : detail::even_and_odd<Coefficients>(x, x_squared);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
