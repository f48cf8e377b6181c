// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/exp.hpp>
#include <unspool/math/log.hpp>
#include <unspool/math/polynomial.hpp>
#include <unspool/math/rounding.hpp>
#include <unspool/math/scalar.hpp>

#include <cstddef>
#include <limits>

namespace unspool {
inline namespace v0 {
namespace math {

namespace detail {

/// hi + lo with |lo| of a few units in the last place of hi, at most.
template <class V>
struct two_parts {
    V hi;
    V lo;
};

/// a + b exactly, for |a| ≥ |b| or a = 0 (Dekker).
template <class V>
UNSPOOL_INLINE constexpr two_parts<V> add_smaller(V a, V b) noexcept {
    V const hi = a + b;
    return {hi, b - (hi - a)};
}

/// a·b but for 2^-105 of it (Dekker): the products of the heads are exact, so neither fma nor its
/// absence changes a bit.
template <class V>
UNSPOOL_INLINE constexpr two_parts<V> multiply_exactly(V a, V b) noexcept {
    V const a_head = head(a);
    V const b_head = head(b);
    V const a_tail = a - a_head;
    V const b_tail = b - b_head;
    V const hi = a * b;
    return {hi, ((a_head * b_head - hi) + (a_head * b_tail + a_tail * b_head)) + a_tail * b_tail};
}

/// For (2 atanh(s) / s − 2 − ⅔s²) / s⁴ in s², |s| ≤ 3 − 2√2: 2^-73 of the logarithm.
inline constexpr double pow_log_tail[] = {
    0x1.9999999999996p-2, 0x1.2492492492f52p-2, 0x1.c71c71c596741p-3, 0x1.745d18295d56dp-3,
    0x1.3b1364c961f64p-3, 0x1.11206ee7ec84cp-3, 0x1.de3d845545e4cp-4, 0x1.eac4e2733865bp-4};

/// The logarithm of a positive finite double to 2^-64 of itself: 2 atanh(s), s = f / (2 + f), as in
/// join_log, with what each step before the polynomial loses.
template <class V>
UNSPOOL_INLINE constexpr two_parts<V> log_in_two_parts(V x) noexcept {
    using C = log_constants<double>;
    auto const small = x < V(std::numeric_limits<double>::min());
    auto const [e, f] = split_log(x * select(small, V(C::lift), V(1.0)));
    V const power = select(small, e - V(C::lift_exponent), e);
    auto const divisor = add_smaller(V(2.0), f);
    V const s = f / divisor.hi;
    auto const back = multiply_exactly(s, divisor.hi);
    V const s_lo = (((f - back.hi) - back.lo) - s * divisor.lo) / divisor.hi;
    // z = s², w = ⅔ + z·P(z), t = z·w, s + s + s·t
    auto const z = multiply_exactly(s, s);
    V const z_lo = z.lo + (s + s) * s_lo;
    auto const w =
        add_smaller(V(0x1.5555555555555p-1), z.hi * polynomial<pow_log_tail>(z.hi, z.hi * z.hi));
    V const w_lo = w.lo + V(0x1.5555555555555p-55);
    auto const t = multiply_exactly(z.hi, w.hi);
    V const t_lo = t.lo + (z.hi * w_lo + z_lo * w.hi);
    auto const u = multiply_exactly(s, t.hi);
    V const u_lo = u.lo + (s * t_lo + s_lo * t.hi);
    auto const fraction = add_smaller(s + s, u.hi);
    auto const sum = add_smaller(power * V(C::ln2_hi), fraction.hi);
    V const low = (sum.lo + fraction.lo) + ((s_lo + s_lo) + u_lo + power * V(C::ln2_lo));
    return add_smaller(sum.hi, low);
}

/// exp(y·log x) for a positive finite x.
template <class V>
UNSPOOL_INLINE constexpr V pow_of_positive(V x, V y) noexcept {
    // Beyond ±2^65 every power but that of 1 is 0 or infinite.
    V const bounded = max(V(-0x1p65f), min(V(0x1p65f), y));
    if constexpr (sizeof(element_t<V>) == sizeof(double)) {
        using C = exp_constants<double>;
        auto const log_x = log_in_two_parts(x);
        auto const product = multiply_exactly(bounded, log_x.hi);
        V const hi = max(V(C::lowest), min(V(C::highest), product.hi));
        V const lo = select(hi == product.hi, product.lo + bounded * log_x.lo, V(0.0));
        auto const [power, high, low] = split_exp_closely(hi, lo);
        V const result = ldexp(V(1.0) + (high + low), power);
        return select(product.hi > V(C::highest), V(format<double>::infinity), result);
    } else {
        // In double log and exp alone are exact enough for a float.
        constexpr double highest = 0x1.62e42feda39e0p+6;  // above, the float is infinite
        auto base = widen(x);
        auto const exponents = widen(bounded);
        for (std::size_t i = 0; i < base.size(); ++i) {
            using W = typename decltype(base)::value_type;
            W const product = exponents[i] * log(base[i]);
            base[i] = select(product > W(highest), W(format<double>::infinity),
                             exp(min(W(highest), product)));
        }
        return narrow(base);
    }
}

}  // namespace detail

/// x to the power of y, of float, double and vectors of them.
///
/// Accuracy: at most 1 ULP for all arguments, float and double (pow_accuracy), denormal results
/// included. The special cases are C's: 1 for y = 0 and for x = 1 whatever the other is, NaN for
/// x < 0 and finite where y is no integer, ±0 or ±∞ at x = ±0 and x = ±∞ with the sign of odd
/// powers, limits at y = ±∞, NaN for NaN.
template <class V, class T = element_t<V>>
UNSPOOL_INLINE constexpr V pow(V x, V y) noexcept {
    V const zero = V(T(0));
    V const one = V(T(1));
    V const infinity = V(format<T>::infinity);
    V const size = abs(x);
    V const inside =
        max(V(std::numeric_limits<T>::denorm_min()), min(V(std::numeric_limits<T>::max()), size));
    auto const grows = ((size > one) & (y > zero)) | ((size < one) & (y < zero));
    V const magnitude =
        select(size == inside, detail::pow_of_positive(inside, y), select(grows, infinity, zero));
    V const half = V(T(0.5)) * y;
    auto const integer = floor(y) == y;
    auto const odd = floor(half) != half;
    auto const below = copysign(one, x) < zero;
    auto const undefined = ((x < zero) & (size < infinity) & !integer) | (x != x) | (y != y);
    V const result =
        select(undefined, V(format<T>::nan), select(below & integer & odd, -magnitude, magnitude));
    return select((y == zero) | (x == one), one, result);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
