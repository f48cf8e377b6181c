// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/polynomial.hpp>
#include <unspool/math/scalar.hpp>

namespace unspool {
inline namespace v0 {
namespace math {

namespace detail {

template <class T>
struct atan_constants;

template <>
struct atan_constants<float> {
    /// π/2 in two parts.
    static constexpr float quarter_hi = 0x1.921fb6p+0f;
    static constexpr float quarter_lo = -0x1.777a5cp-25f;
    /// Minimax for (atan z − z) / z³ in z², |z| ≤ tan(π/8): 2^-30 of atan z.
    static constexpr float tail[] = {-0x1.55554ap-2f, 0x1.9991dep-3f, -0x1.23b93ep-3f,
                                     0x1.b21e24p-4f, -0x1.f2c5e2p-5f};
};

template <>
struct atan_constants<double> {
    static constexpr double quarter_hi = 0x1.921fb54442d18p+0;
    static constexpr double quarter_lo = 0x1.1a62633145c07p-54;
    /// As above: 2^-59.
    static constexpr double tail[] = {
        -0x1.555555555553cp-2, 0x1.9999999995685p-3, -0x1.24924922a257cp-3, 0x1.c71c70e1f75ddp-4,
        -0x1.745cf86b99a4fp-4, 0x1.3b1111910c5c8p-4, -0x1.10eb65777289ep-4, 0x1.df0abb732e559p-5,
        -0x1.9cbec10c10dc1p-5, 0x1.37a41f97a219dp-5, -0x1.25004647fa7dep-6};
};

}  // namespace detail

/// The arc tangent in radians, of float, double and vectors of them.
///
/// Accuracy: at most 2 ULP for every argument, float and double (atan_accuracy), so also relative
/// to small results. atan(−x) = −atan(x) to the bit, the sign of zero is kept; ±π/2 at ±∞, NaN for
/// NaN.
template <class V, class T = element_t<V>, class C = detail::atan_constants<T>>
UNSPOOL_INLINE constexpr V atan(V x) noexcept {
    V const one = V(T(1));
    V const y = abs(x);
    // y itself, (y − 1) / (y + 1) after an eighth of a turn, −1 / y after a quarter.
    auto const low = y <= V(T(0.41421357));
    auto const high = y > V(T(2.4142135));
    V const numerator = select(low, y, select(high, -one, y - one));
    V const denominator = select(low, one, select(high, y, y + one));
    V const quarters = select(low, V(T(0)), select(high, one, V(T(0.5))));
    V const z = numerator / denominator;
    V const z2 = z * z;
    V const tail = fma(z * z2, polynomial<C::tail>(z2, z2 * z2), quarters * V(C::quarter_lo));
    return copysign(fma(quarters, V(C::quarter_hi), z + tail), x);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
