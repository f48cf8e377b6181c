// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/polynomial.hpp>
#include <unspool/math/scalar.hpp>

namespace unspool::inline v0::math {

namespace detail {

template <class T>
struct tanh_constants;

template <>
struct tanh_constants<float> {
    static constexpr float limit = 10;  ///< from 9.02 on the result rounds to 1
    static constexpr float twice_log2_e = 0x1.715476p+1f;
    /// ln 2 / 2 in two parts; n·hi is exact.
    static constexpr float half_ln2_hi = 0x1.62e4p-2f;
    static constexpr float half_ln2_lo = 0x1.7f7d1cp-21f;
    /// Minimax for ((e²ʳ − 1) / 2 − r) / r² on [0, ln 2 / 2], weighted for the relative error of
    /// e²ʳ − 1: 2^-31.
    static constexpr float tail[] = {0x1.fffffep-1f, 0x1.5555c6p-1f, 0x1.5544fap-2f,
                                     0x1.12260ep-3f, 0x1.59cb86p-5f, 0x1.1a0318p-6f};
};

template <>
struct tanh_constants<double> {
    static constexpr double limit = 20;  ///< from 19.06 on the result rounds to 1
    static constexpr double twice_log2_e = 0x1.71547652b82fep+1;
    static constexpr double half_ln2_hi = 0x1.62e42fefa3p-2;
    static constexpr double half_ln2_lo = 0x1.3de6af278ece6p-43;
    /// As above: 2^-61.
    static constexpr double tail[] = {
        0x1.0000000000001p+0,  0x1.555555555540bp-1,  0x1.555555555e8f7p-2, 0x1.1111110f0450fp-3,
        0x1.6c16c1f324b70p-5,  0x1.a019ebd5bf946p-7,  0x1.a01c4d43f2dfdp-9, 0x1.71b53cc873cedp-11,
        0x1.29c4521a34e65p-13, 0x1.92fd2ce9b003ap-16, 0x1.8ebcc52b66938p-18};
};

}  // namespace detail

/// The hyperbolic tangent, of float, double and vectors of them.
///
/// Accuracy: at most 2 ULP for every argument, float and double (tanh_accuracy), so also relative
/// to small results. tanh(−x) = −tanh(x) to the bit, |tanh(x)| ≤ 1, the sign of zero is kept; ±1
/// at ±∞, NaN for NaN.
template <class V>
UNSPOOL_INLINE constexpr V tanh(V x) noexcept {
    using T = element_t<V>;
    using c = detail::tanh_constants<T>;
    // With m = (e^(2|x|) − 1) / 2, tanh|x| = m / (m + 1). Taking e^(2|x|) = 2ⁿ·e^(2r) with r ≥ 0
    // (n rounded down) makes m = 2ⁿ·p + (2ⁿ − 1) / 2 a sum of positive terms: nothing cancels.
    V const y = min(V(c::limit), abs(x));
    V const n =
        (fma(y, V(c::twice_log2_e), V(T(-0.5))) + V(format<T>::shifter)) - V(format<T>::shifter);
    V const r = fnma(n, V(c::half_ln2_lo), fnma(n, V(c::half_ln2_hi), y));
    V const r2 = r * r;
    V const p = fma(r2, polynomial<c::tail>(r, r2), r);
    V const scale = pow2(n);
    V const m = fma(scale, p, fma(scale, V(T(0.5)), V(T(-0.5))));
    return copysign(m / (m + V(T(1))), x);
}

}  // namespace unspool::inline v0::math
