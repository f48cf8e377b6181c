// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/exp.hpp>
#include <unspool/math/scalar.hpp>

namespace unspool {
inline namespace v0 {
namespace math {

/// eˣ − 1 without the loss of the subtraction, of float, double and vectors of them.
///
/// Accuracy: at most 1.5 ULP for every argument, float and double (expm1_accuracy), so also
/// relative to small results; the sign of zero is kept. At least −1; above ln(max), infinity; NaN
/// for NaN.
template <class V, class T = element_t<V>, class C = detail::exp_constants<T>>
UNSPOOL_INLINE constexpr V expm1(V x) noexcept {
    // From −40 on the result rounds to −1. This order of operands lets NaN through.
    V const clamped = max(V(T(-40)), min(V(C::highest), x));
    auto const [power, high, low] = detail::split_exp_closely(clamped);
    // 2ⁿ(1 + p) − 1 = 2·(2ⁿ⁻¹·p + (2ⁿ⁻¹ − ½)): 2ⁿ itself may overflow.
    V const scale = pow2(power - V(T(1)));
    V const half = fma(scale, low, fma(scale, high, scale - V(T(0.5))));
    V const result = copysign(select(power == V(T(0)), high + low, half + half), x);
    return select(x > V(C::highest), V(format<T>::infinity), result);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
