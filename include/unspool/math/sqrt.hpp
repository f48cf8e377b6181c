// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/scalar.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

namespace unspool {
inline namespace v0 {
namespace math {

namespace detail {

/// √x of a positive normal or denormal double, for constant evaluation.
constexpr double sqrt_in_constants(double x) noexcept {
    // Into [1, 4) by an even power of two, so that nothing below over- or underflows.
    double const lift = x < std::numeric_limits<double>::min() ? 0x1p54 : 1.0;
    double const e = exponent(x * lift);
    double const half = (fma(e, 0.5, -0.25) + format<double>::shifter) - format<double>::shifter;
    double const m = mantissa(x * lift) * pow2(e - 2 * half);
    double y = 0.41 * m + 0.62;
    y = 0.5 * (y + m / y);
    y = 0.5 * (y + m / y);
    y = 0.5 * (y + m / y);
    y = 0.5 * (y + m / y);
    // m − y² exactly (Dekker: y in two halves of 26 bits), which settles the last bit.
    double const head =
        std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) & ~std::uint64_t(0x7ff'ffff));
    double const tail = y - head;
    double const remainder = ((m - head * head) - 2 * head * tail) - tail * tail;
    y = y + 0.5 * remainder / y;
    return y * pow2(half) * (lift == 1.0 ? 1.0 : 0x1p-27);
}

}  // namespace detail

/// The square root, of float and double; vectors bring their own, a single instruction.
///
/// Accuracy: correctly rounded (sqrt_accuracy). The sign of zero is kept; NaN below zero, +∞ at
/// +∞, NaN for NaN.
template <std::floating_point T>
UNSPOOL_INLINE constexpr T sqrt(T x) noexcept {
    if (__builtin_is_constant_evaluated()) {
        if (!(x > T(0))) {
            return x == T(0) ? x : std::numeric_limits<T>::quiet_NaN();
        }
        if (x > std::numeric_limits<T>::max()) {
            return x;
        }
        // For float: 53 bits are enough that rounding twice is rounding once (Figueroa).
        return static_cast<T>(detail::sqrt_in_constants(static_cast<double>(x)));
    }
    if constexpr (sizeof(T) == sizeof(float)) {
        return __builtin_sqrtf(x);
    } else {
        return __builtin_sqrt(x);
    }
}
template <class V>
    requires(!std::floating_point<V>)
UNSPOOL_INLINE constexpr V sqrt(V x) noexcept {
    return sqrt(x);  // the vector's friend, which wins over this template
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
