// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/polynomial.hpp>
#include <unspool/math/reduction.hpp>
#include <unspool/math/scalar.hpp>

#include <cstddef>
#include <limits>

namespace unspool {
inline namespace v0 {
namespace math {

namespace detail {

template <class T>
struct sin_constants;

template <>
struct sin_constants<float> {
    /// Minimax for (sin r − r) / r³ in r², |r| ≤ π/4: 2^-28 of the sine.
    static constexpr float sin_tail[] = {-0x1.555546p-3f, 0x1.11077cp-7f, -0x1.9955aep-13f};
    /// Minimax for (cos r − 1 + r²/2) / r⁴ in r²: 2^-33 of the cosine.
    static constexpr float cos_tail[] = {0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f};
};

template <>
struct sin_constants<double> {
    /// As above: 2^-58.
    static constexpr double sin_tail[] = {-0x1.5555555555549p-3,  0x1.111111110f89cp-7,
                                          -0x1.a01a019c141b1p-13, 0x1.71de3578ed933p-19,
                                          -0x1.ae5e66a4a51cep-26, 0x1.5d930157f2b68p-33};
    /// As above: 2^-64.
    static constexpr double cos_tail[] = {0x1.555555555554bp-5,  -0x1.6c16c16c1500dp-10,
                                          0x1.a01a019c8dd1bp-16, -0x1.27e4f7f04fde8p-22,
                                          0x1.1ee9dacb49565p-29, -0x1.8fa5ec5c92a2fp-37};
};

/// In the element type of the argument; angles of float are reduced in double.
template <class V>
UNSPOOL_INLINE constexpr reduced_angle<V> reduce(V x) noexcept {
    if constexpr (sizeof(element_t<V>) == sizeof(double)) {
        return reduce_moderate(x);
    } else {
        auto hi = widen(x);
        auto turns = hi;
        for (std::size_t i = 0; i < hi.size(); ++i) {
            auto const angle = reduce_moderate(hi[i]);
            hi[i] = angle.hi;
            turns[i] = angle.turns;
        }
        V const rounded = narrow(hi);
        auto lo = widen(rounded);
        for (std::size_t i = 0; i < hi.size(); ++i) {
            lo[i] = hi[i] - lo[i];
        }
        return {rounded, narrow(lo), narrow(turns)};
    }
}

/// sin(angle.hi + angle.lo + angle.turns·π/2).
template <class V, class T = element_t<V>, class C = sin_constants<T>>
UNSPOOL_INLINE constexpr V sine(reduced_angle<V> angle) noexcept {
    V const one = V(T(1));
    V const z = angle.hi * angle.hi;
    V const z2 = z * z;
    V const half_z = V(T(0.5)) * z;
    V const w = one - half_z;
    V const sin = angle.hi + fma(angle.hi * z, polynomial<C::sin_tail>(z, z2), angle.lo * w);
    V const cos =
        w + (((one - w) - half_z) + fnma(angle.hi, angle.lo, z2 * polynomial<C::cos_tail>(z, z2)));
    // turns mod 4, by rounding turns/4 down
    V const shifter = V(format<T>::shifter);
    V const round = (fma(angle.turns, V(T(0.25)), V(T(-0.375))) + shifter) - shifter;
    V const quadrant = fnma(V(T(4)), round, angle.turns);
    auto const odd = (quadrant == one) | (quadrant == V(T(3)));
    V const magnitude = select(odd, cos, sin);
    return select(quadrant >= V(T(2)), -magnitude, magnitude);
}

/// sine of an argument beyond reduction_limit plus a number of quarter turns; 0 for smaller ones.
template <class T>
constexpr T sine_of_large(T x, double turns) noexcept {
    if (!(x > T(reduction_limit))) {
        return T(0);
    }
    if (x > std::numeric_limits<T>::max()) {
        return std::numeric_limits<T>::quiet_NaN();
    }
    auto const angle = reduce_large(static_cast<double>(x));
    T const hi = static_cast<T>(angle.hi);
    T const lo = static_cast<T>((angle.hi - static_cast<double>(hi)) + angle.lo);
    return sine(reduced_angle<T>{hi, lo, static_cast<T>(angle.turns + turns)});
}

/// sin(|x| + turns·π/2).
template <class V, class T = element_t<V>>
UNSPOOL_INLINE constexpr V sine_of_abs(V x, element_t<V> turns) noexcept {
    V const y = abs(x);
    V const limit = V(T(reduction_limit));
    reduced_angle<V> angle = reduce(min(limit, y));
    angle.turns = angle.turns + V(turns);
    V result = sine(angle);
    auto const large = y > limit;
    if (any(large)) [[unlikely]] {
        result = select(
            large,
            map_lanes(y,
                      [turns](T lane) { return sine_of_large(lane, static_cast<double>(turns)); }),
            result);
    }
    return result;
}

}  // namespace detail

/// The sine of an angle in radians, of float, double and vectors of them.
///
/// Accuracy: at most 1 ULP for every argument, float and double (sin_accuracy), also next to
/// multiples of π. sin(−x) = −sin(x) to the bit; NaN at ±∞ and for NaN. Lanes beyond ±1.6·10⁶ are
/// reduced one by one and cost a hundred times as much.
template <class V, class T = element_t<V>>
UNSPOOL_INLINE constexpr V sin(V x) noexcept {
    return detail::sine_of_abs(x, T(0)) * copysign(V(T(1)), x);
}

/// The cosine of an angle in radians, of float, double and vectors of them.
///
/// Accuracy: at most 1 ULP for every argument, float and double (cos_accuracy), also next to odd
/// multiples of π/2. cos(−x) = cos(x) to the bit; NaN at ±∞ and for NaN. Large arguments as in sin.
template <class V>
UNSPOOL_INLINE constexpr V cos(V x) noexcept {
    return detail::sine_of_abs(x, element_t<V>(1));
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
