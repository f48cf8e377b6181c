// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/scalar.hpp>

namespace unspool {
inline namespace v0 {
namespace math {

/// The nearest integer, ties to even, of float, double and vectors of them; exact.
///
/// The sign of zero is kept; ±∞ at ±∞, NaN for NaN.
template <class V, class T = element_t<V>>
UNSPOOL_INLINE constexpr V round(V x) noexcept {
    V const whole = V(format<T>::unit_ulp);  // from here on every number is an integer
    V const y = abs(x);
    return select(y < whole, copysign((y + whole) - whole, x), x);
}

/// The largest integer that is not above x, of float, double and vectors of them; exact.
///
/// The sign of zero is kept; ±∞ at ±∞, NaN for NaN.
template <class V, class T = element_t<V>>
UNSPOOL_INLINE constexpr V floor(V x) noexcept {
    V const nearest = round(x);
    return select(nearest > x, nearest - V(T(1)), nearest);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
