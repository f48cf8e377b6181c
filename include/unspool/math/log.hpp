// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/polynomial.hpp>
#include <unspool/math/scalar.hpp>

#include <limits>

namespace unspool {
inline namespace v0 {
namespace math {

namespace detail {

template <class T>
struct log_constants;

template <>
struct log_constants<float> {
    static constexpr float sqrt_2 = 0x1.6a09e6p+0f;
    /// ln 2 in two parts; n·ln2_hi is exact.
    static constexpr float ln2_hi = 0x1.62e4p-1f;
    static constexpr float ln2_lo = 0x1.7f7d1cp-20f;
    /// Scales denormal arguments into the normal range.
    static constexpr float lift = 0x1p23f;
    static constexpr float lift_exponent = 23;
    /// Minimax for (2 atanh(s) / s − 2) / s² in s², |s| ≤ 3 − 2√2: 2^-30 of the logarithm.
    static constexpr float tail[] = {0x1.55557ap-1f, 0x1.995ed2p-2f, 0x1.31e136p-2f};
};

template <>
struct log_constants<double> {
    static constexpr double sqrt_2 = 0x1.6a09e667f3bcdp+0;
    static constexpr double ln2_hi = 0x1.62e42fefa3p-1;
    static constexpr double ln2_lo = 0x1.3de6af278ece6p-42;
    static constexpr double lift = 0x1p52;
    static constexpr double lift_exponent = 52;
    /// As above: 2^-59.
    static constexpr double tail[] = {
        0x1.5555555555593p-1, 0x1.999999997f9f8p-2, 0x1.249249422a482p-2, 0x1.c71c51d7cd4e8p-3,
        0x1.746649af6d749p-3, 0x1.39a095a5c93edp-3, 0x1.2f117d105b5d5p-3};
};

/// x = 2^power · (1 + fraction) with 1 + fraction in [√½, √2), of a positive normal x.
template <class V>
struct log_parts {
    V power;
    V fraction;
};

template <class V, class T = element_t<V>>
UNSPOOL_INLINE constexpr log_parts<V> split_log(V x) noexcept {
    V const m = mantissa(x);
    V const e = exponent(x);
    auto const upper = m > V(log_constants<T>::sqrt_2);
    return {select(upper, e + V(T(1)), e), select(upper, m * V(T(0.5)), m) - V(T(1))};
}

/// power·ln 2 + ln(1 + f), as FreeBSD's msun sums it: with s = f / (2 + f),
/// ln(1 + f) = f − (f²/2 − s·(f²/2 + R(s²))).
template <class V, class T = element_t<V>, class C = log_constants<T>>
UNSPOOL_INLINE constexpr V join_log(V power, V f) noexcept {
    V const s = f / (V(T(2)) + f);
    V const z = s * s;
    V const half_square = V(T(0.5)) * f * f;
    V const r = z * polynomial<C::tail>(z, z * z);
    V const low = fma(s, half_square + r, power * V(C::ln2_lo));
    return fma(power, V(C::ln2_hi), f - (half_square - low));
}

}  // namespace detail

/// The natural logarithm, of float, double and vectors of them.
///
/// Accuracy: at most 1 ULP for every argument, float and double (log_accuracy), denormal ones
/// included. −∞ at ±0, NaN below, +∞ at +∞, NaN for NaN.
template <class V, class T = element_t<V>, class C = detail::log_constants<T>>
UNSPOOL_INLINE constexpr V log(V x) noexcept {
    auto const small = x < V(std::numeric_limits<T>::min());
    auto const [power, fraction] = detail::split_log(x * select(small, V(C::lift), V(T(1))));
    V const y = detail::join_log(select(small, power - V(C::lift_exponent), power), fraction);
    V const finite =
        select(x > V(T(0)), y, select(x == V(T(0)), V(-format<T>::infinity), V(format<T>::nan)));
    return select(x == V(format<T>::infinity), x, finite);
}

/// log(1 + x) without the loss of 1 + x, of float, double and vectors of them.
///
/// Accuracy: at most 1.5 ULP for every argument, float and double (log1p_accuracy); the sign of
/// zero is kept. −∞ at −1, NaN below, +∞ at +∞, NaN for NaN.
template <class V, class T = element_t<V>>
UNSPOOL_INLINE constexpr V log1p(V x) noexcept {
    V const y = max(V(T(-1)), min(V(std::numeric_limits<T>::max()), x));
    V const one = V(T(1));
    V const u = one + y;
    // What the addition lost (Knuth), brought back into the fraction.
    V const v = u - one;
    V const lost = (one - (u - v)) + (y - v);
    auto const [power, rounded] = detail::split_log(max(V(std::numeric_limits<T>::min()), u));
    V const fraction = select(power == V(T(0)), y, rounded + lost * pow2(max(V(T(-64)), -power)));
    V const finite = copysign(detail::join_log(power, fraction), x);  // for −0
    V const result = select(x > V(T(-1)), finite,
                            select(x == V(T(-1)), V(-format<T>::infinity), V(format<T>::nan)));
    return select(x == V(format<T>::infinity), x, result);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
