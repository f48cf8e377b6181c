// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>

/// @file
/// The vocabulary in which the elementary functions are written, for float and double.
/// simd::vec brings the same names for vectors, found by argument-dependent lookup.
///
/// Clang's evaluator charges a step per statement (a `using` is one) and two per call, and
/// 1,048,576 are all that a constant may cost. So bodies are flat, names come from template
/// parameters, and std::bit_cast and std::is_constant_evaluated, which are calls, give way to
/// their builtins.

namespace unspool {
inline namespace v0 {
namespace math {

/// Element type of an arithmetic type: itself for float and double, value_type for vectors.
template <class V>
struct element {
    using type = typename V::value_type;
};
template <std::floating_point T>
struct element<T> {
    using type = T;
};
template <class V>
using element_t = typename element<V>::type;

/// The layout of an element type and the integers that shift between value and bits.
template <class T>
struct format;
template <>
struct format<float> {
    using bits = std::uint32_t;
    static constexpr float infinity = std::numeric_limits<float>::infinity();
    static constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    static constexpr int mantissa_bits = 23;
    static constexpr bits mantissa_mask = 0x007f'ffff;
    static constexpr bits sign_mask = 0x8000'0000;
    static constexpr bits head_mask = 0xffff'f000;
    static constexpr bits key_mask = 0xfff0'0000;  ///< all but three digits of the mantissa
    static constexpr bits one = 0x3f80'0000;
    static constexpr float bias = 127;
    /// Added to an integer below 2^22, leaves it in the low bits; added to any number of that size
    /// and subtracted again, rounds it to the nearest integer (ties to even).
    static constexpr float shifter = 0x1.8p23f;
    /// 2^mantissa_bits: an integer added to it stands in the low bits without a sign.
    static constexpr float unit_ulp = 0x1p23f;
};
template <>
struct format<double> {
    using bits = std::uint64_t;
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    static constexpr int mantissa_bits = 52;
    static constexpr bits mantissa_mask = 0x000f'ffff'ffff'ffff;
    static constexpr bits sign_mask = 0x8000'0000'0000'0000;
    static constexpr bits head_mask = 0xffff'ffff'f800'0000;
    static constexpr bits key_mask = 0xfffe'0000'0000'0000;
    static constexpr bits one = 0x3ff0'0000'0000'0000;
    static constexpr double bias = 1023;
    static constexpr double shifter = 0x1.8p52;
    static constexpr double unit_ulp = 0x1p52;
};

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define UNSPOOL_MATH_FUSED(fused, rounded_twice) \
    (__builtin_is_constant_evaluated() ? (rounded_twice) : (fused))
#else
#define UNSPOOL_MATH_FUSED(fused, rounded_twice) (rounded_twice)
#endif

/// a·b + c: fused at run time where the instruction set has it, two roundings otherwise and in
/// constant evaluation (clang 16 and 19 cannot evaluate __builtin_fma).
UNSPOOL_INLINE constexpr float fma(float a, float b, float c) noexcept {
    return UNSPOOL_MATH_FUSED(__builtin_fmaf(a, b, c), a * b + c);
}
UNSPOOL_INLINE constexpr double fma(double a, double b, double c) noexcept {
    return UNSPOOL_MATH_FUSED(__builtin_fma(a, b, c), a * b + c);
}

/// c − a·b, rounded like fma.
UNSPOOL_INLINE constexpr float fnma(float a, float b, float c) noexcept {
    return UNSPOOL_MATH_FUSED(__builtin_fmaf(-a, b, c), c - a * b);
}
UNSPOOL_INLINE constexpr double fnma(double a, double b, double c) noexcept {
    return UNSPOOL_MATH_FUSED(__builtin_fma(-a, b, c), c - a * b);
}

#undef UNSPOOL_MATH_FUSED

/// The smaller; b if either is NaN (as x86's min does).
template <std::floating_point T>
UNSPOOL_INLINE constexpr T min(T a, T b) noexcept {
    return a < b ? a : b;
}

/// The larger; b if either is NaN.
template <std::floating_point T>
UNSPOOL_INLINE constexpr T max(T a, T b) noexcept {
    return a > b ? a : b;
}

template <std::floating_point T>
UNSPOOL_INLINE constexpr T select(bool condition, T a, T b) noexcept {
    return condition ? a : b;
}

template <std::floating_point T, class F = format<T>, class Bits = typename F::bits>
UNSPOOL_INLINE constexpr T abs(T x) noexcept {
    return __builtin_bit_cast(T, __builtin_bit_cast(Bits, x) & ~F::sign_mask);
}

/// The magnitude of x with the sign bit of s.
template <std::floating_point T, class F = format<T>, class Bits = typename F::bits>
UNSPOOL_INLINE constexpr T copysign(T x, T s) noexcept {
    return __builtin_bit_cast(T, (__builtin_bit_cast(Bits, x) & ~F::sign_mask) |
                                     (__builtin_bit_cast(Bits, s) & F::sign_mask));
}

/// x without the lower half of its digits: products of two heads are exact, and x − head(x) is.
template <std::floating_point T, class F = format<T>, class Bits = typename F::bits>
UNSPOOL_INLINE constexpr T head(T x) noexcept {
    return __builtin_bit_cast(T, __builtin_bit_cast(Bits, x) & F::head_mask);
}

/// 2^n for an integer n with a normal result.
template <std::floating_point T, class F = format<T>, class Bits = typename F::bits>
UNSPOOL_INLINE constexpr T pow2(T n) noexcept {
    return __builtin_bit_cast(T, __builtin_bit_cast(Bits, n + (F::unit_ulp + F::bias))
                                     << F::mantissa_bits);
}

/// x·2^n for an integer n with |n| ≤ 2·bias: rounded once, also where the result is denormal.
template <std::floating_point T, class F = format<T>, class Bits = typename F::bits>
UNSPOOL_INLINE constexpr T ldexp(T x, T n) noexcept {
    T const half = (n * T(0.5) + F::shifter) - F::shifter;
    return x *
           __builtin_bit_cast(T, __builtin_bit_cast(Bits, half + (F::unit_ulp + F::bias))
                                     << F::mantissa_bits) *
           __builtin_bit_cast(T, __builtin_bit_cast(Bits, (n - half) + (F::unit_ulp + F::bias))
                                     << F::mantissa_bits);
}

/// ⌊log₂ x⌋ of a positive normal x.
template <std::floating_point T, class F = format<T>, class Bits = typename F::bits>
UNSPOOL_INLINE constexpr T exponent(T x) noexcept {
    return __builtin_bit_cast(T, (__builtin_bit_cast(Bits, x) >> F::mantissa_bits) |
                                     __builtin_bit_cast(Bits, F::unit_ulp)) -
           (F::unit_ulp + F::bias);
}

/// x / 2^exponent(x), in [1, 2), of a positive normal x.
template <std::floating_point T, class F = format<T>, class Bits = typename F::bits>
UNSPOOL_INLINE constexpr T mantissa(T x) noexcept {
    return __builtin_bit_cast(T, (__builtin_bit_cast(Bits, x) & F::mantissa_mask) | F::one);
}

UNSPOOL_INLINE constexpr bool any(bool condition) noexcept { return condition; }

/// Applies a function of one element to every lane.
template <std::floating_point T, class F>
UNSPOOL_INLINE constexpr T map_lanes(T x, F f) noexcept {
    return f(x);
}

/// The value as doubles: one here, as many vectors as it takes of a vector of float.
UNSPOOL_INLINE constexpr std::array<double, 1> widen(float x) noexcept {
    return {static_cast<double>(x)};
}
UNSPOOL_INLINE constexpr float narrow(std::array<double, 1> x) noexcept {
    return static_cast<float>(x[0]);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
