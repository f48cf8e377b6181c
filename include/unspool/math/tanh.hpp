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
struct tanh_constants;

template <>
struct tanh_constants<float> {
    static constexpr float limit = 10;  ///< from 9.02 on the result rounds to 1
    /// Minimax for (tanh y − y) / y³ in y², |y| ≤ 0.4: 2^-29 of tanh y.
    static constexpr float tail[] = {-0x1.55553ep-2f, 0x1.1105ecp-3f, -0x1.b6c5e2p-5f,
                                     0x1.330ee6p-6f};
};

template <>
struct tanh_constants<double> {
    static constexpr double limit = 20;  ///< from 19.06 on the result rounds to 1
    /// As above: 2^-59.
    static constexpr double tail[] = {
        -0x1.555555555553fp-2,  0x1.111111110e51ap-3,  -0x1.ba1ba1b661e1cp-5,
        0x1.664f474569d6ap-6,   -0x1.226df98416c4fp-7, 0x1.d6c6220a1c453p-9,
        -0x1.7cab343f4ebf9p-10, 0x1.2a9d9fdc4a6cep-11, -0x1.6e29b963451eap-13};
};

}  // namespace detail

/// The hyperbolic tangent, of float, double and vectors of them.
///
/// Accuracy: at most 2 ULP for every argument, float and double (tanh_accuracy), so also relative
/// to small results. tanh(−x) = −tanh(x) to the bit, |tanh(x)| ≤ 1, the sign of zero is kept; ±1
/// at ±∞, NaN for NaN.
template <class V, class T = element_t<V>, class C = detail::tanh_constants<T>>
UNSPOOL_INLINE constexpr V tanh(V x) noexcept {
    // This order of operands lets NaN through.
    V const y = min(V(C::limit), abs(x));
    // Near zero y + y³·P(y²): no other form keeps the relative error of small results.
    V const z = y * y;
    V const near = fma(y * z, polynomial<C::tail>(z, z * z), y);
    // Beyond, 1 − 2 / (1 + e²ʸ), with half the divisor in one rounding.
    auto const [power, fraction] = detail::split_exp(y + y);
    V const half_scale = pow2(power - V(T(1)));
    V const half_divisor = fma(half_scale, fraction, half_scale + V(T(0.5)));
    V const far = V(T(1)) - V(T(1)) / half_divisor;
    return copysign(select(y < V(T(0.4)), near, far), x);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
