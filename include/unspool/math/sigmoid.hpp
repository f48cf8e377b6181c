// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/exp.hpp>
#include <unspool/math/scalar.hpp>

namespace unspool {
inline namespace v0 {
namespace math {

namespace detail {

/// From here on the result rounds to 1.
template <class T>
inline constexpr T sigmoid_ceiling = sizeof(T) == sizeof(float) ? T(18) : T(40);

}  // namespace detail

/// The logistic function 1 / (1 + e⁻ˣ), of float, double and vectors of them.
///
/// Accuracy: at most 2 ULP for every argument, float and double (sigmoid_accuracy), so also in the
/// lower tail down to denormal results. Within [0, 1]; 0 at −∞, 1 at +∞, NaN for NaN.
template <class V, class T = element_t<V>, class C = detail::exp_constants<T>>
UNSPOOL_INLINE constexpr V sigmoid(V x) noexcept {
    // With e⁻ˣ = 2ⁿ(1 + p) the result is 2⁻ⁿ / (2⁻ⁿ + 1 + p): its numerator is exact, also where
    // it is denormal, and e⁻ˣ itself is never rounded. This order of operands lets NaN through.
    V const clamped = min(V(detail::sigmoid_ceiling<T>), max(V(C::lowest), x));
    // split_exp(−x) with signs where they cost nothing: minus_n is −n.
    V const minus_n = fma(clamped, V(C::log2_e), V(format<T>::shifter)) - V(format<T>::shifter);
    V const r = fma(minus_n, V(C::ln2_lo), fma(minus_n, V(C::ln2_hi), -clamped));
    V const r2 = r * r;
    V const fraction = fma(r2, polynomial<C::tail>(r, r2), r);
    V const scale = ldexp(V(T(1)), minus_n);
    // The sum 2⁻ⁿ + 1 + p with one rounding that counts: what exceeds a half of 2⁻ⁿ joins the 1,
    // exactly; the rest joins p.
    V const half = V(T(0.5));
    return scale / (max(V(T(1)), scale + half) + (min(half, scale) + fraction));
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
