// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/scalar.hpp>
#include <unspool/math/sqrt.hpp>
#include <unspool/simd/arch.hpp>

#include <array>
#include <cstddef>

/// @file
/// vec<T, scalar>: one element with the interface of a vector, usable in constant evaluation.

namespace unspool {
inline namespace v0 {
namespace simd {

template <class T, class Arch>
struct vec;
template <class T, class Arch>
struct mask;

template <class T>
struct mask<T, scalar> {
    bool m;

    friend UNSPOOL_INLINE constexpr mask operator&(mask a, mask b) noexcept { return {a.m && b.m}; }
    friend UNSPOOL_INLINE constexpr mask operator|(mask a, mask b) noexcept { return {a.m || b.m}; }
    friend UNSPOOL_INLINE constexpr mask operator!(mask a) noexcept { return {!a.m}; }
    friend UNSPOOL_INLINE constexpr bool any(mask a) noexcept { return a.m; }
    friend UNSPOOL_INLINE constexpr bool all(mask a) noexcept { return a.m; }
};

template <class T>
struct vec<T, scalar> {
    using value_type = T;
    using arch = scalar;
    using mask_type = mask<T, scalar>;
    static constexpr int width = 1;

    T r;

    vec() = default;
    UNSPOOL_INLINE constexpr vec(T x) noexcept : r(x) {}

    UNSPOOL_INLINE static constexpr vec broadcast(T const* p) noexcept { return *p; }
    UNSPOOL_INLINE static constexpr vec load(T const* p) noexcept { return *p; }
    UNSPOOL_INLINE static constexpr vec load_aligned(T const* p) noexcept { return *p; }
    UNSPOOL_INLINE static constexpr vec load(T const* p, int n) noexcept {
        return n > 0 ? *p : T(0);
    }
    template <int N>
    UNSPOOL_INLINE static constexpr vec load(T const* p) noexcept {
        return load(p, N);
    }
    UNSPOOL_INLINE static constexpr vec load_strided(T const* p, std::ptrdiff_t) noexcept {
        return *p;
    }
    UNSPOOL_INLINE constexpr void store(T* p) const noexcept { *p = r; }
    UNSPOOL_INLINE constexpr void store_aligned(T* p) const noexcept { *p = r; }
    UNSPOOL_INLINE constexpr void store(T* p, int n) const noexcept {
        if (n > 0) {
            *p = r;
        }
    }
    template <int N>
    UNSPOOL_INLINE constexpr void store(T* p) const noexcept {
        store(p, N);
    }
    UNSPOOL_INLINE constexpr void store_strided(T* p, std::ptrdiff_t) const noexcept { *p = r; }
    UNSPOOL_INLINE constexpr T operator[](int) const noexcept { return r; }

    friend UNSPOOL_INLINE constexpr vec operator+(vec a, vec b) noexcept { return a.r + b.r; }
    friend UNSPOOL_INLINE constexpr vec operator-(vec a, vec b) noexcept { return a.r - b.r; }
    friend UNSPOOL_INLINE constexpr vec operator*(vec a, vec b) noexcept { return a.r * b.r; }
    friend UNSPOOL_INLINE constexpr vec operator/(vec a, vec b) noexcept { return a.r / b.r; }
    friend UNSPOOL_INLINE constexpr vec operator-(vec a) noexcept { return -a.r; }
    UNSPOOL_INLINE constexpr vec& operator+=(vec b) noexcept { return *this = *this + b; }
    UNSPOOL_INLINE constexpr vec& operator-=(vec b) noexcept { return *this = *this - b; }
    UNSPOOL_INLINE constexpr vec& operator*=(vec b) noexcept { return *this = *this * b; }
    UNSPOOL_INLINE constexpr vec& operator/=(vec b) noexcept { return *this = *this / b; }

    friend UNSPOOL_INLINE constexpr mask_type operator<(vec a, vec b) noexcept {
        return {a.r < b.r};
    }
    friend UNSPOOL_INLINE constexpr mask_type operator<=(vec a, vec b) noexcept {
        return {a.r <= b.r};
    }
    friend UNSPOOL_INLINE constexpr mask_type operator>(vec a, vec b) noexcept {
        return {a.r > b.r};
    }
    friend UNSPOOL_INLINE constexpr mask_type operator>=(vec a, vec b) noexcept {
        return {a.r >= b.r};
    }
    friend UNSPOOL_INLINE constexpr mask_type operator==(vec a, vec b) noexcept {
        return {a.r == b.r};
    }
    friend UNSPOOL_INLINE constexpr mask_type operator!=(vec a, vec b) noexcept {
        return {a.r != b.r};
    }

    friend UNSPOOL_INLINE constexpr vec fma(vec a, vec b, vec c) noexcept {
        return math::fma(a.r, b.r, c.r);
    }
    friend UNSPOOL_INLINE constexpr vec fnma(vec a, vec b, vec c) noexcept {
        return math::fnma(a.r, b.r, c.r);
    }
    friend UNSPOOL_INLINE constexpr vec min(vec a, vec b) noexcept { return math::min(a.r, b.r); }
    friend UNSPOOL_INLINE constexpr vec max(vec a, vec b) noexcept { return math::max(a.r, b.r); }
    friend UNSPOOL_INLINE constexpr vec abs(vec a) noexcept { return math::abs(a.r); }
    friend UNSPOOL_INLINE constexpr vec sqrt(vec a) noexcept { return math::sqrt(a.r); }
    friend UNSPOOL_INLINE constexpr vec select(mask_type m, vec a, vec b) noexcept {
        return m.m ? a : b;
    }
    friend UNSPOOL_INLINE constexpr vec copysign(vec x, vec s) noexcept {
        return math::copysign(x.r, s.r);
    }
    friend UNSPOOL_INLINE constexpr vec head(vec x) noexcept { return math::head(x.r); }
    friend UNSPOOL_INLINE constexpr vec pow2(vec n) noexcept { return math::pow2(n.r); }
    friend UNSPOOL_INLINE constexpr vec ldexp(vec x, vec n) noexcept {
        return math::ldexp(x.r, n.r);
    }
    friend UNSPOOL_INLINE constexpr vec exponent(vec x) noexcept { return math::exponent(x.r); }
    friend UNSPOOL_INLINE constexpr vec mantissa(vec x) noexcept { return math::mantissa(x.r); }
    template <class F>
    friend UNSPOOL_INLINE constexpr vec map_lanes(vec x, F f) noexcept {
        return f(x.r);
    }
    friend UNSPOOL_INLINE constexpr T reduce_add(vec a) noexcept { return a.r; }
    friend UNSPOOL_INLINE constexpr T reduce_max(vec a) noexcept { return a.r; }
    friend UNSPOOL_INLINE constexpr T reduce_min(vec a) noexcept { return a.r; }
};

UNSPOOL_INLINE constexpr std::array<vec<double, scalar>, 1> widen(vec<float, scalar> x) noexcept {
    return {static_cast<double>(x.r)};
}
UNSPOOL_INLINE constexpr vec<float, scalar> narrow(std::array<vec<double, scalar>, 1> x) noexcept {
    return static_cast<float>(x[0].r);
}

}  // namespace simd
}  // namespace v0
}  // namespace unspool
