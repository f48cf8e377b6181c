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
struct exp_constants;

template <>
struct exp_constants<float> {
    static constexpr float highest = 0x1.62e42ep+6f;  ///< the last argument with a finite result
    static constexpr float lowest = -104;             ///< below, the result rounds to 0
    static constexpr float log2_e = 0x1.715476p+0f;
    /// ln 2 in two parts; n·ln2_hi is exact.
    static constexpr float ln2_hi = 0x1.62e4p-1f;
    static constexpr float ln2_lo = 0x1.7f7d1cp-20f;
    /// Minimax for (eʳ − 1 − r) / r² on |r| ≤ ln 2 / 2: 2^-28 of eʳ.
    static constexpr float tail[] = {0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.555858p-5f, 0x1.123de2p-7f,
                                     0x1.6ac784p-10f};
};

template <>
struct exp_constants<double> {
    static constexpr double highest = 0x1.62e42fefa39efp+9;
    static constexpr double lowest = -746;
    static constexpr double log2_e = 0x1.71547652b82fep+0;
    static constexpr double ln2_hi = 0x1.62e42fefa3p-1;
    static constexpr double ln2_lo = 0x1.3de6af278ece6p-42;
    /// As above: 2^-57.
    static constexpr double tail[] = {
        0x1.000000000000ap-1,  0x1.55555555554fap-3,  0x1.555555555087cp-5,  0x1.1111111127be9p-7,
        0x1.6c16c1842a12ap-10, 0x1.a01a012a56c57p-13, 0x1.a0199a0c64accp-16, 0x1.71df2553faa5dp-19,
        0x1.28ad72ce6abccp-22, 0x1.ad7f6ca77715fp-26};
};

/// eˣ = 2^power · (1 + fraction).
template <class V>
struct exp_parts {
    V power;
    V fraction;
};

/// For lowest ≤ x ≤ highest, or NaN, which comes out in the fraction.
template <class V, class T = element_t<V>, class C = exp_constants<T>>
UNSPOOL_INLINE constexpr exp_parts<V> split_exp(V x) noexcept {
    V const n = fma(x, V(C::log2_e), V(format<T>::shifter)) - V(format<T>::shifter);
    V const r = fnma(n, V(C::ln2_lo), fnma(n, V(C::ln2_hi), x));
    V const r2 = r * r;
    return {n, fma(r2, polynomial<C::tail>(r, r2), r)};
}

/// eˣ = 2^power · (1 + high + low).
template <class V>
struct close_exp_parts {
    V power;
    V high;
    V low;
};

/// The same for two operations more: what rounding x − n·ln 2 loses stays out of the fraction. It
/// takes x as a sum whose first part is all but x.
template <class V, class... Rest, class T = element_t<V>, class C = exp_constants<T>>
UNSPOOL_INLINE constexpr close_exp_parts<V> split_exp_closely(V x, Rest... rest) noexcept {
    V const n = fma(x, V(C::log2_e), V(format<T>::shifter)) - V(format<T>::shifter);
    V const high = fnma(n, V(C::ln2_hi), x);  // exact
    V const low = ((n * V(-C::ln2_lo)) + ... + rest);
    V const r = high + low;
    V const r2 = r * r;
    return {n, high, fma(r2, polynomial<C::tail>(r, r2), low)};
}

}  // namespace detail

/// The exponential function, of float, double and vectors of them.
///
/// Accuracy: at most 1 ULP for every argument, float and double (exp_accuracy). Results below the
/// smallest normal number are denormal, or 0 from −104 (float) and −746 (double) on. Above
/// ln(max), infinity; NaN for NaN.
template <class V, class T = element_t<V>, class C = detail::exp_constants<T>>
UNSPOOL_INLINE constexpr V exp(V x) noexcept {
    // This order of operands lets NaN through.
    V const clamped = max(V(C::lowest), min(V(C::highest), x));
    auto const [power, high, low] = detail::split_exp_closely(clamped);
    V const result = ldexp(V(T(1)) + (high + low), power);
    return select(x > V(C::highest), V(format<T>::infinity), result);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
