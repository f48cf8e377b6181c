// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/scalar.hpp>
#include <unspool/simd/arch.hpp>
#include <unspool/simd/register.hpp>
#include <unspool/simd/scalar.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <utility>

/// @file
/// The one adaptor between the library and vector registers.

#if UNSPOOL_SIMD_REGISTERS
namespace unspool {
inline namespace v0 {
namespace simd {

/// One truth value per lane of vec<T, Arch>.
template <class T, class Arch>
struct mask {
    using batch = detail::batch_bool<T, Arch>;
    batch m;

    friend UNSPOOL_INLINE mask operator&(mask a, mask b) noexcept { return {a.m & b.m}; }
    friend UNSPOOL_INLINE mask operator|(mask a, mask b) noexcept { return {a.m | b.m}; }
    friend UNSPOOL_INLINE mask operator!(mask a) noexcept { return {!a.m}; }
    friend UNSPOOL_INLINE bool any(mask a) noexcept { return xsimd::any(a.m); }
    friend UNSPOOL_INLINE bool all(mask a) noexcept { return xsimd::all(a.m); }
};

/// A register of `width` elements of type T (float or double) of the instruction set Arch.
///
/// Lane i of every operation depends on lane i of its operands only, except in reductions, whose
/// order is fixed: lane i meets lane i + width/2, then the same on the half that is left.
template <class T, class Arch>
struct vec {
    static_assert(Arch::available, "unspool: the compiler's flags exclude this instruction set");

    using value_type = T;
    using arch = Arch;
    using mask_type = mask<T, Arch>;
    using batch = detail::batch<T, Arch>;
    using reg = typename batch::register_type;
    using ops = detail::register_ops<T, Arch>;
    static constexpr int width = int(sizeof(reg) / sizeof(T));

    reg r;

    vec() = default;
    UNSPOOL_INLINE vec(T x) noexcept : r(batch(x)) {}
    UNSPOOL_INLINE explicit vec(reg x) noexcept : r(x) {}

    UNSPOOL_INLINE static vec broadcast(T const* p) noexcept { return vec(*p); }
    UNSPOOL_INLINE static vec load(T const* p) noexcept { return vec(batch::load_unaligned(p)); }
    /// p is a multiple of the register's size.
    UNSPOOL_INLINE static vec load_aligned(T const* p) noexcept {
        return vec(batch::load_aligned(p));
    }
    /// The first n elements, 0 ≤ n ≤ width, and zero in the other lanes; touches no memory past n.
    UNSPOOL_INLINE static vec load(T const* p, int n) noexcept { return vec(ops::load(p, n)); }
    template <int N>
    UNSPOOL_INLINE static vec load(T const* p) noexcept {
        static_assert(N >= 0 && N <= width);
        if constexpr (N == width) {
            return load(p);
        } else {
            return load(p, N);
        }
    }
    /// Lane i is p[i * stride].
    UNSPOOL_INLINE static vec load_strided(T const* p, std::ptrdiff_t stride) noexcept {
        return [&]<int... I>(std::integer_sequence<int, I...>) UNSPOOL_INLINE_LAMBDA {
            return vec(reg{p[I * stride]...});
        }
        (std::make_integer_sequence<int, width>{});
    }

    UNSPOOL_INLINE void store(T* p) const noexcept { batch(r).store_unaligned(p); }
    UNSPOOL_INLINE void store_aligned(T* p) const noexcept { batch(r).store_aligned(p); }
    /// The first n lanes, 0 ≤ n ≤ width; touches no memory past n.
    UNSPOOL_INLINE void store(T* p, int n) const noexcept { ops::store(p, r, n); }
    template <int N>
    UNSPOOL_INLINE void store(T* p) const noexcept {
        static_assert(N >= 0 && N <= width);
        if constexpr (N == width) {
            store(p);
        } else {
            store(p, N);
        }
    }
    UNSPOOL_INLINE void store_strided(T* p, std::ptrdiff_t stride) const noexcept {
        [&]<int... I>(std::integer_sequence<int, I...>) UNSPOOL_INLINE_LAMBDA {
            ((p[I * stride] = r[I]), ...);
        }
        (std::make_integer_sequence<int, width>{});
    }
    UNSPOOL_INLINE T operator[](int lane) const noexcept { return r[lane]; }

    // The compilers' vector operators: the same instructions as xsimd's, without a call to inline.
    friend UNSPOOL_INLINE vec operator+(vec a, vec b) noexcept { return vec(a.r + b.r); }
    friend UNSPOOL_INLINE vec operator-(vec a, vec b) noexcept { return vec(a.r - b.r); }
    friend UNSPOOL_INLINE vec operator*(vec a, vec b) noexcept { return vec(a.r * b.r); }
    friend UNSPOOL_INLINE vec operator/(vec a, vec b) noexcept { return vec(a.r / b.r); }
    friend UNSPOOL_INLINE vec operator-(vec a) noexcept { return vec(-a.r); }
    UNSPOOL_INLINE vec& operator+=(vec b) noexcept { return *this = *this + b; }
    UNSPOOL_INLINE vec& operator-=(vec b) noexcept { return *this = *this - b; }
    UNSPOOL_INLINE vec& operator*=(vec b) noexcept { return *this = *this * b; }
    UNSPOOL_INLINE vec& operator/=(vec b) noexcept { return *this = *this / b; }

    friend UNSPOOL_INLINE mask_type operator<(vec a, vec b) noexcept {
        return {batch(a.r) < batch(b.r)};
    }
    friend UNSPOOL_INLINE mask_type operator<=(vec a, vec b) noexcept {
        return {batch(a.r) <= batch(b.r)};
    }
    friend UNSPOOL_INLINE mask_type operator>(vec a, vec b) noexcept { return b < a; }
    friend UNSPOOL_INLINE mask_type operator>=(vec a, vec b) noexcept { return b <= a; }
    friend UNSPOOL_INLINE mask_type operator==(vec a, vec b) noexcept {
        return {batch(a.r) == batch(b.r)};
    }
    /// xsimd 8.1's own is false for two NaNs on AVX and AVX-512.
    friend UNSPOOL_INLINE mask_type operator!=(vec a, vec b) noexcept { return !(a == b); }

    /// a·b + c, fused on AVX2, AVX-512 and NEON, two roundings on SSE2.
    friend UNSPOOL_INLINE vec fma(vec a, vec b, vec c) noexcept {
        return vec(ops::fma(a.r, b.r, c.r));
    }
    /// c − a·b, rounded like fma.
    friend UNSPOOL_INLINE vec fnma(vec a, vec b, vec c) noexcept {
        return vec(ops::fnma(a.r, b.r, c.r));
    }
    /// The smaller; b if either is NaN or both are zeros.
    friend UNSPOOL_INLINE vec min(vec a, vec b) noexcept {
        if constexpr (std::same_as<Arch,
                                   neon64>) {  // whose own returns the NaN and the lesser zero
            return select(a < b, a, b);
        } else {
            return vec(xsimd::min(batch(a.r), batch(b.r)));
        }
    }
    /// The larger; NaN and zeros as in min.
    friend UNSPOOL_INLINE vec max(vec a, vec b) noexcept {
        if constexpr (std::same_as<Arch, neon64>) {
            return select(a > b, a, b);
        } else {
            return vec(xsimd::max(batch(a.r), batch(b.r)));
        }
    }
    friend UNSPOOL_INLINE vec abs(vec a) noexcept { return vec(xsimd::abs(batch(a.r))); }
    friend UNSPOOL_INLINE vec sqrt(vec a) noexcept {
        if constexpr (requires { ops::sqrt(a.r); }) {
            return vec(ops::sqrt(a.r));
        } else {
            return vec(xsimd::sqrt(batch(a.r)));
        }
    }
    /// a where m holds, else b.
    friend UNSPOOL_INLINE vec select(mask_type m, vec a, vec b) noexcept {
        return vec(xsimd::select(m.m, batch(a.r), batch(b.r)));
    }
    /// The magnitude of x with the sign bit of s.
    friend UNSPOOL_INLINE vec copysign(vec x, vec s) noexcept {
        return vec(xsimd::abs(batch(x.r)) | (batch(s.r) & batch(T(-0.0))));
    }
    /// x without the lower half of its digits.
    friend UNSPOOL_INLINE vec head(vec x) noexcept {
        return vec(batch(x.r) & batch(std::bit_cast<T>(format::head_mask)));
    }
    /// 2^n for an integer n with a normal result.
    friend UNSPOOL_INLINE vec pow2(vec n) noexcept {
        if constexpr (requires { ops::scale(n.r, n.r); }) {
            return vec(ops::scale(vec(T(1)).r, n.r));
        } else {
            return vec(ops::template shift_left<format::mantissa_bits>(
                (n + vec(format::unit_ulp + format::bias)).r));
        }
    }
    /// x·2^n for an integer n, |n| ≤ 2·bias, rounded once also where the result is denormal.
    friend UNSPOOL_INLINE vec ldexp(vec x, vec n) noexcept {
        if constexpr (requires { ops::scale(x.r, n.r); }) {
            return vec(ops::scale(x.r, n.r));
        } else {
            vec const half = (n * vec(T(0.5)) + vec(format::shifter)) - vec(format::shifter);
            return x * pow2(half) * pow2(n - half);
        }
    }
    /// ⌊log₂ x⌋ of a positive normal x.
    friend UNSPOOL_INLINE vec exponent(vec x) noexcept {
        if constexpr (requires { ops::exponent(x.r); }) {
            return vec(ops::exponent(x.r));
        } else {
            batch const e = ops::template shift_right<format::mantissa_bits>(x.r);
            return vec(e | batch(format::unit_ulp)) - vec(format::unit_ulp + format::bias);
        }
    }
    /// x / 2^exponent(x), in [1, 2), of a positive normal x.
    friend UNSPOOL_INLINE vec mantissa(vec x) noexcept {
        if constexpr (requires { ops::mantissa(x.r); }) {
            return vec(ops::mantissa(x.r));
        } else {
            return vec((batch(x.r) & batch(std::bit_cast<T>(format::mantissa_mask))) | batch(T(1)));
        }
    }

    /// The entry of a table of 32 for each key, positive, by the last two bits of its exponent and
    /// the first three of its mantissa; exists where that is one instruction.
    friend UNSPOOL_INLINE vec lookup(vec key, T const (&table)[32]) noexcept requires
        requires(reg x) {
        ops::lookup(x, table);
    }
    { return vec(ops::lookup(key.r, table)); }
    /// A positive x without what comes after the first three digits of its mantissa.
    friend UNSPOOL_INLINE vec truncate_to_key(vec x) noexcept {
        return vec(batch(x.r) & batch(std::bit_cast<T>(format::key_mask)));
    }

    /// f of every lane.
    template <class F>
    friend vec map_lanes(vec x, F f) noexcept {
        alignas(sizeof(reg)) T lanes[width];
        x.store_aligned(lanes);
        for (T& lane : lanes) {
            lane = f(lane);
        }
        return load_aligned(lanes);
    }

    friend UNSPOOL_INLINE T reduce_add(vec a) noexcept { return ops::reduce(a.r, detail::sum{}); }
    /// The largest lane; unspecified when one is NaN.
    friend UNSPOOL_INLINE T reduce_max(vec a) noexcept {
        return ops::reduce(a.r, detail::larger{});
    }
    /// The smallest lane; unspecified when one is NaN.
    friend UNSPOOL_INLINE T reduce_min(vec a) noexcept { return -reduce_max(-a); }

private:
    using format = math::format<T>;
};

/// The lanes as doubles, lower half first.
template <class Arch>
UNSPOOL_INLINE std::array<vec<double, Arch>, 2> widen(vec<float, Arch> x) noexcept {
    using ops = detail::register_ops<float, Arch>;
    return {vec<double, Arch>(ops::widen_low(x.r)), vec<double, Arch>(ops::widen_high(x.r))};
}
/// The doubles rounded to floats, lower half first.
template <class Arch>
UNSPOOL_INLINE vec<float, Arch> narrow(std::array<vec<double, Arch>, 2> x) noexcept {
    return vec<float, Arch>(detail::register_ops<float, Arch>::narrow(x[0].r, x[1].r));
}

}  // namespace simd
}  // namespace v0
}  // namespace unspool
#endif
