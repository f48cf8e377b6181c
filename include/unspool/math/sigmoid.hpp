// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/exp.hpp>
#include <unspool/math/scalar.hpp>

namespace unspool::inline v0::math {

/// The logistic function 1 / (1 + e⁻ˣ), of float, double and vectors of them.
///
/// Accuracy: at most 2 ULP for every argument, float and double (sigmoid_accuracy), so also in the
/// lower tail down to denormal results. Within [0, 1]; 0 at −∞, 1 at +∞, NaN for NaN.
template <class V>
UNSPOOL_INLINE constexpr V sigmoid(V x) noexcept {
    using T = element_t<V>;
    // e ≤ 1 keeps both ends accurate: 1 / (1 + e) above zero, e / (1 + e) below, one division.
    V const minus_abs = max(V(detail::exp_constants<T>::lowest), -abs(x));
    auto const [power, fraction] = detail::split_exp(minus_abs);
    V const e = ldexp(V(T(1)) + fraction, power);
    return select(x < V(T(0)), e, V(T(1))) / (V(T(1)) + e);
}

}  // namespace unspool::inline v0::math
