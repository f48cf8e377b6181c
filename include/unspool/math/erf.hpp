// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/exp.hpp>
#include <unspool/math/polynomial.hpp>
#include <unspool/math/scalar.hpp>

namespace unspool {
inline namespace v0 {
namespace math {

namespace detail {

template <class T>
struct erf_constants;

template <>
struct erf_constants<float> {
    static constexpr float limit = 4;  ///< from 3.92 on the result rounds to 1
    /// Minimax for erf(y) / y − 1 in y², 0 ≤ y ≤ 1: 2^-29 of erf(y).
    static constexpr float near[] = {0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2cecp-4f,
                                     -0x1.b7f7ep-6f, 0x1.53fabep-8f,  -0x1.a39ff4p-11f,
                                     0x1.486f58p-14f};
    /// Minimax for ln(1 − erf(y)) in y, 1 ≤ y ≤ limit: 2^-29 of erf(y).
    static constexpr float far[] = {-0x1.661d9cp-12f, -0x1.2088dp+0f, -0x1.46bba2p-1f,
                                    -0x1.a64bbp-4f,   0x1.65b7fp-6f,  -0x1.822a4ap-9f,
                                    0x1.867ff6p-13f};
};

template <>
struct erf_constants<double> {
    static constexpr double limit = 5.95;  ///< from 5.92 on the result rounds to 1
    /// As above: 2^-56.
    static constexpr double near[] = {
        0x1.06eba8214db68p-3,   -0x1.812746b0379b2p-2,  0x1.ce2f21a0408d9p-4,
        -0x1.b82ce311ee3c3p-6,  0x1.565bccf7ea1cp-8,    -0x1.c02db015d2bfdp-11,
        0x1.f9a2b77270489p-14,  -0x1.f4ca22069a02fp-17, 0x1.b97e549dc4f25p-20,
        -0x1.5bfed6476b8a4p-23, 0x1.d6e650888b8dbp-27,  -0x1.ab1c98a96641ep-31};
    /// As above: 2^-56.
    static constexpr double far[] = {
        -0x1.10799ea67756cp-21, -0x1.20dd1f102d4ecp+0,  -0x1.45f62e3c7a1d8p-1,
        -0x1.a4abc307d6299p-4,  0x1.371dfd87a94bdp-6,   0x1.b02e28b3020f8p-12,
        -0x1.f6ad82594f7c6p-10, 0x1.94bbb9f8d2516p-11,  -0x1.1cff10ef21fdbp-13,
        -0x1.4ce1689722c67p-16, 0x1.7c13eb79d297ep-16,  -0x1.21146f50cb698p-17,
        0x1.1cfc0e22ebf05p-19,  -0x1.8e6fb9ad84d6dp-22, 0x1.8c402461a5c4bp-25,
        -0x1.0c89b0552ae84p-28, 0x1.be74289dc2b2dp-33,  -0x1.582913b8f2936p-38};
};

}  // namespace detail

/// The error function 2/√π ∫₀ˣ exp(−t²) dt, of float, double and vectors of them.
///
/// Accuracy: at most 1.5 ULP for every argument, float and double (erf_accuracy), so also relative
/// to small results. erf(−x) = −erf(x) to the bit, |erf(x)| ≤ 1, the sign of zero is kept; ±1 at
/// ±∞, NaN for NaN.
template <class V, class T = element_t<V>, class C = detail::erf_constants<T>>
UNSPOOL_INLINE constexpr V erf(V x) noexcept {
    V const one = V(T(1));
    // This order of operands lets NaN through.
    V const y = min(V(C::limit), abs(x));
    V const z = y * y;
    V const near = fma(y, polynomial<C::near>(z, z * z), y);
    // Beyond, 1 − 2ⁿ(1 + p), where all but the last rounding counts for less than erf's.
    auto const [power, fraction] = detail::split_exp(polynomial<C::far>(y, z));
    V const scale = pow2(power);
    V const far = fnma(scale, fraction, one - scale);
    return copysign(select(y < one, near, far), x);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
