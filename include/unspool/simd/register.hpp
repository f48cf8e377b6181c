// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/simd/arch.hpp>

#include <cstdint>

/// @file
/// What xsimd has no word for, on raw registers: partial loads and stores, fused multiply-add,
/// scaling by powers of two, halves of a register. One specialisation per element type and set.

#if UNSPOOL_SIMD_REGISTERS
namespace unspool {
inline namespace v0 {
namespace simd::detail {

/// Moves of the first n lanes without masks: lane by lane, each access behind a test of n.
template <class T, class Arch>
struct lanewise_memory {
    using reg_type = reg<T, Arch>;
    static constexpr int width = int(sizeof(reg_type) / sizeof(T));

    UNSPOOL_INLINE static reg_type load(T const* p, int n) noexcept {
        alignas(sizeof(reg_type)) T lanes[width] = {};
        for (int i = 0; i < width; ++i) {
            if (i < n) {
                lanes[i] = p[i];
            }
        }
        return batch<T, Arch>::load_aligned(lanes);
    }
    UNSPOOL_INLINE static void store(T* p, reg_type v, int n) noexcept {
        for (int i = 0; i < width; ++i) {
            if (i < n) {
                p[i] = v[i];
            }
        }
    }
};

template <class T, class Arch>
struct register_ops;

/// How reductions join two registers, whatever their size.
struct sum {
    template <class Reg>
    UNSPOOL_INLINE Reg operator()(Reg a, Reg b) const noexcept {
        return a + b;
    }
};
struct larger {
#if UNSPOOL_SIMD_SSE2
    UNSPOOL_INLINE __m128 operator()(__m128 a, __m128 b) const noexcept { return _mm_max_ps(a, b); }
    UNSPOOL_INLINE __m128d operator()(__m128d a, __m128d b) const noexcept {
        return _mm_max_pd(a, b);
    }
#endif
#if UNSPOOL_SIMD_AVX2
    UNSPOOL_INLINE __m256 operator()(__m256 a, __m256 b) const noexcept {
        return _mm256_max_ps(a, b);
    }
    UNSPOOL_INLINE __m256d operator()(__m256d a, __m256d b) const noexcept {
        return _mm256_max_pd(a, b);
    }
#endif
#if UNSPOOL_SIMD_NEON64
    UNSPOOL_INLINE float32x4_t operator()(float32x4_t a, float32x4_t b) const noexcept {
        return vmaxq_f32(a, b);
    }
    UNSPOOL_INLINE float64x2_t operator()(float64x2_t a, float64x2_t b) const noexcept {
        return vmaxq_f64(a, b);
    }
#endif
};

#if UNSPOOL_SIMD_SSE2
template <>
struct register_ops<float, sse2> {
    // By scalar moves of one and two lanes. A loop of conditional loads will not do: from its
    // masked form for AVX-512, g++ 12 makes a blend that reads the whole register from memory.
    UNSPOOL_INLINE static __m128 load(float const* p, int n) noexcept {
        if (n >= 4) return _mm_loadu_ps(p);
        if (n <= 0) return _mm_setzero_ps();
        if (n == 1) return _mm_load_ss(p);
        __m128 const two = _mm_loadl_pi(_mm_setzero_ps(), reinterpret_cast<__m64 const*>(p));
        return n == 2 ? two : _mm_movelh_ps(two, _mm_load_ss(p + 2));
    }
    UNSPOOL_INLINE static void store(float* p, __m128 v, int n) noexcept {
        if (n >= 4) return _mm_storeu_ps(p, v);
        if (n == 1) return _mm_store_ss(p, v);
        if (n >= 2) _mm_storel_pi(reinterpret_cast<__m64*>(p), v);
        if (n == 3) _mm_store_ss(p + 2, _mm_movehl_ps(v, v));
    }
    UNSPOOL_INLINE static __m128 fma(__m128 a, __m128 b, __m128 c) noexcept { return a * b + c; }
    UNSPOOL_INLINE static __m128 fnma(__m128 a, __m128 b, __m128 c) noexcept { return c - a * b; }
    template <int N>
    UNSPOOL_INLINE static __m128 shift_left(__m128 v) noexcept {
        return _mm_castsi128_ps(_mm_slli_epi32(_mm_castps_si128(v), N));
    }
    template <int N>
    UNSPOOL_INLINE static __m128 shift_right(__m128 v) noexcept {
        return _mm_castsi128_ps(_mm_srli_epi32(_mm_castps_si128(v), N));
    }
    UNSPOOL_INLINE static __m128d widen_low(__m128 v) noexcept { return _mm_cvtps_pd(v); }
    UNSPOOL_INLINE static __m128d widen_high(__m128 v) noexcept {
        return _mm_cvtps_pd(_mm_movehl_ps(v, v));
    }
    UNSPOOL_INLINE static __m128 narrow(__m128d low, __m128d high) noexcept {
        return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
    }
    template <class Op>
    UNSPOOL_INLINE static float reduce(__m128 v, Op op) noexcept {
        v = op(v, _mm_movehl_ps(v, v));
        v = op(v, _mm_shuffle_ps(v, v, 0x55));
        return _mm_cvtss_f32(v);
    }
};

template <>
struct register_ops<double, sse2> {
    UNSPOOL_INLINE static __m128d load(double const* p, int n) noexcept {
        if (n >= 2) return _mm_loadu_pd(p);
        return n == 1 ? _mm_load_sd(p) : _mm_setzero_pd();
    }
    UNSPOOL_INLINE static void store(double* p, __m128d v, int n) noexcept {
        if (n >= 2) return _mm_storeu_pd(p, v);
        if (n == 1) _mm_store_sd(p, v);
    }
    UNSPOOL_INLINE static __m128d fma(__m128d a, __m128d b, __m128d c) noexcept {
        return a * b + c;
    }
    UNSPOOL_INLINE static __m128d fnma(__m128d a, __m128d b, __m128d c) noexcept {
        return c - a * b;
    }
    template <int N>
    UNSPOOL_INLINE static __m128d shift_left(__m128d v) noexcept {
        return _mm_castsi128_pd(_mm_slli_epi64(_mm_castpd_si128(v), N));
    }
    template <int N>
    UNSPOOL_INLINE static __m128d shift_right(__m128d v) noexcept {
        return _mm_castsi128_pd(_mm_srli_epi64(_mm_castpd_si128(v), N));
    }
    template <class Op>
    UNSPOOL_INLINE static double reduce(__m128d v, Op op) noexcept {
        return _mm_cvtsd_f64(op(v, _mm_unpackhi_pd(v, v)));
    }
};
#endif

#if UNSPOOL_SIMD_AVX2
/// Eight set and eight clear lanes: the mask of the first n starts at 8 − n.
alignas(64) inline constexpr std::int32_t leading_lanes[16] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                                               0,  0,  0,  0,  0,  0,  0,  0};

template <>
struct register_ops<float, avx2> {
    UNSPOOL_INLINE static __m256i first(int n) noexcept {
        return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(leading_lanes + 8 - n));
    }
    UNSPOOL_INLINE static __m256 load(float const* p, int n) noexcept {
        return _mm256_maskload_ps(p, first(n));
    }
    UNSPOOL_INLINE static void store(float* p, __m256 v, int n) noexcept {
        _mm256_maskstore_ps(p, first(n), v);
    }
    UNSPOOL_INLINE static __m256 fma(__m256 a, __m256 b, __m256 c) noexcept {
        return _mm256_fmadd_ps(a, b, c);
    }
    UNSPOOL_INLINE static __m256 fnma(__m256 a, __m256 b, __m256 c) noexcept {
        return _mm256_fnmadd_ps(a, b, c);
    }
    template <int N>
    UNSPOOL_INLINE static __m256 shift_left(__m256 v) noexcept {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(v), N));
    }
    template <int N>
    UNSPOOL_INLINE static __m256 shift_right(__m256 v) noexcept {
        return _mm256_castsi256_ps(_mm256_srli_epi32(_mm256_castps_si256(v), N));
    }
    UNSPOOL_INLINE static __m256d widen_low(__m256 v) noexcept {
        return _mm256_cvtps_pd(_mm256_castps256_ps128(v));
    }
    UNSPOOL_INLINE static __m256d widen_high(__m256 v) noexcept {
        return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
    }
    UNSPOOL_INLINE static __m256 narrow(__m256d low, __m256d high) noexcept {
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)),
                                    _mm256_cvtpd_ps(high), 1);
    }
    template <class Op>
    UNSPOOL_INLINE static float reduce(__m256 v, Op op) noexcept {
        return register_ops<float, sse2>::reduce(
            op(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1)), op);
    }
};

template <>
struct register_ops<double, avx2> {
    UNSPOOL_INLINE static __m256i first(int n) noexcept {
        return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(leading_lanes + 8 - 2 * n));
    }
    UNSPOOL_INLINE static __m256d load(double const* p, int n) noexcept {
        return _mm256_maskload_pd(p, first(n));
    }
    UNSPOOL_INLINE static void store(double* p, __m256d v, int n) noexcept {
        _mm256_maskstore_pd(p, first(n), v);
    }
    UNSPOOL_INLINE static __m256d fma(__m256d a, __m256d b, __m256d c) noexcept {
        return _mm256_fmadd_pd(a, b, c);
    }
    UNSPOOL_INLINE static __m256d fnma(__m256d a, __m256d b, __m256d c) noexcept {
        return _mm256_fnmadd_pd(a, b, c);
    }
    template <int N>
    UNSPOOL_INLINE static __m256d shift_left(__m256d v) noexcept {
        return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(v), N));
    }
    template <int N>
    UNSPOOL_INLINE static __m256d shift_right(__m256d v) noexcept {
        return _mm256_castsi256_pd(_mm256_srli_epi64(_mm256_castpd_si256(v), N));
    }
    template <class Op>
    UNSPOOL_INLINE static double reduce(__m256d v, Op op) noexcept {
        return register_ops<double, sse2>::reduce(
            op(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1)), op);
    }
};
#endif

#if UNSPOOL_SIMD_AVX512
template <>
struct register_ops<float, avx512> {
    UNSPOOL_INLINE static __mmask16 first(int n) noexcept {
        return static_cast<__mmask16>((1u << n) - 1u);
    }
    UNSPOOL_INLINE static __m512 load(float const* p, int n) noexcept {
        return _mm512_maskz_loadu_ps(first(n), p);
    }
    UNSPOOL_INLINE static void store(float* p, __m512 v, int n) noexcept {
        _mm512_mask_storeu_ps(p, first(n), v);
    }
    UNSPOOL_INLINE static __m512 fma(__m512 a, __m512 b, __m512 c) noexcept {
        return _mm512_fmadd_ps(a, b, c);
    }
    UNSPOOL_INLINE static __m512 fnma(__m512 a, __m512 b, __m512 c) noexcept {
        return _mm512_fnmadd_ps(a, b, c);
    }
    UNSPOOL_INLINE static __m512 scale(__m512 x, __m512 n) noexcept {
        return _mm512_scalef_ps(x, n);
    }
    /// Entries of a table of 32, by the last two bits of the exponent and the first three of the
    /// mantissa of `key`.
    UNSPOOL_INLINE static __m512 lookup(__m512 key, float const* table) noexcept {
        __m512i const number = _mm512_srli_epi32(_mm512_castps_si512(key), 20);
        return _mm512_permutex2var_ps(_mm512_loadu_ps(table), number, _mm512_loadu_ps(table + 16));
    }
    UNSPOOL_INLINE static __m512 exponent(__m512 x) noexcept { return _mm512_getexp_ps(x); }
    UNSPOOL_INLINE static __m512 mantissa(__m512 x) noexcept {
        return _mm512_getmant_ps(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src);
    }
    UNSPOOL_INLINE static __m512d widen_low(__m512 v) noexcept {
        return _mm512_cvtps_pd(_mm512_castps512_ps256(v));
    }
    UNSPOOL_INLINE static __m512d widen_high(__m512 v) noexcept {
        return _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1));
    }
    UNSPOOL_INLINE static __m512 narrow(__m512d low, __m512d high) noexcept {
        return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)),
                                  _mm512_cvtpd_ps(high), 1);
    }
    template <class Op>
    UNSPOOL_INLINE static float reduce(__m512 v, Op op) noexcept {
        return register_ops<float, avx2>::reduce(
            op(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1)), op);
    }
};

template <>
struct register_ops<double, avx512> {
    UNSPOOL_INLINE static __mmask8 first(int n) noexcept {
        return static_cast<__mmask8>((1u << n) - 1u);
    }
    UNSPOOL_INLINE static __m512d load(double const* p, int n) noexcept {
        return _mm512_maskz_loadu_pd(first(n), p);
    }
    UNSPOOL_INLINE static void store(double* p, __m512d v, int n) noexcept {
        _mm512_mask_storeu_pd(p, first(n), v);
    }
    UNSPOOL_INLINE static __m512d fma(__m512d a, __m512d b, __m512d c) noexcept {
        return _mm512_fmadd_pd(a, b, c);
    }
    UNSPOOL_INLINE static __m512d fnma(__m512d a, __m512d b, __m512d c) noexcept {
        return _mm512_fnmadd_pd(a, b, c);
    }
    UNSPOOL_INLINE static __m512d scale(__m512d x, __m512d n) noexcept {
        return _mm512_scalef_pd(x, n);
    }
    UNSPOOL_INLINE static __m512d exponent(__m512d x) noexcept { return _mm512_getexp_pd(x); }
    UNSPOOL_INLINE static __m512d mantissa(__m512d x) noexcept {
        return _mm512_getmant_pd(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src);
    }
    template <class Op>
    UNSPOOL_INLINE static double reduce(__m512d v, Op op) noexcept {
        return register_ops<double, avx2>::reduce(
            op(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd(v, 1)), op);
    }
};
#endif

#if UNSPOOL_SIMD_NEON64
template <>
struct register_ops<float, neon64> : lanewise_memory<float, neon64> {
    UNSPOOL_INLINE static float32x4_t fma(float32x4_t a, float32x4_t b, float32x4_t c) noexcept {
        return vfmaq_f32(c, a, b);
    }
    UNSPOOL_INLINE static float32x4_t fnma(float32x4_t a, float32x4_t b, float32x4_t c) noexcept {
        return vfmsq_f32(c, a, b);
    }
    /// xsimd 8.1's own multiplies by an estimate and is off by an ulp.
    UNSPOOL_INLINE static float32x4_t sqrt(float32x4_t v) noexcept { return vsqrtq_f32(v); }
    template <int N>
    UNSPOOL_INLINE static float32x4_t shift_left(float32x4_t v) noexcept {
        return vreinterpretq_f32_u32(vshlq_n_u32(vreinterpretq_u32_f32(v), N));
    }
    template <int N>
    UNSPOOL_INLINE static float32x4_t shift_right(float32x4_t v) noexcept {
        return vreinterpretq_f32_u32(vshrq_n_u32(vreinterpretq_u32_f32(v), N));
    }
    UNSPOOL_INLINE static float64x2_t widen_low(float32x4_t v) noexcept {
        return vcvt_f64_f32(vget_low_f32(v));
    }
    UNSPOOL_INLINE static float64x2_t widen_high(float32x4_t v) noexcept {
        return vcvt_high_f64_f32(v);
    }
    UNSPOOL_INLINE static float32x4_t narrow(float64x2_t low, float64x2_t high) noexcept {
        return vcvt_high_f32_f64(vcvt_f32_f64(low), high);
    }
    template <class Op>
    UNSPOOL_INLINE static float reduce(float32x4_t v, Op op) noexcept {
        v = op(v, vextq_f32(v, v, 2));
        v = op(v, vextq_f32(v, v, 1));
        return vgetq_lane_f32(v, 0);
    }
};

template <>
struct register_ops<double, neon64> : lanewise_memory<double, neon64> {
    UNSPOOL_INLINE static float64x2_t fma(float64x2_t a, float64x2_t b, float64x2_t c) noexcept {
        return vfmaq_f64(c, a, b);
    }
    UNSPOOL_INLINE static float64x2_t fnma(float64x2_t a, float64x2_t b, float64x2_t c) noexcept {
        return vfmsq_f64(c, a, b);
    }
    template <int N>
    UNSPOOL_INLINE static float64x2_t shift_left(float64x2_t v) noexcept {
        return vreinterpretq_f64_u64(vshlq_n_u64(vreinterpretq_u64_f64(v), N));
    }
    template <int N>
    UNSPOOL_INLINE static float64x2_t shift_right(float64x2_t v) noexcept {
        return vreinterpretq_f64_u64(vshrq_n_u64(vreinterpretq_u64_f64(v), N));
    }
    template <class Op>
    UNSPOOL_INLINE static double reduce(float64x2_t v, Op op) noexcept {
        return vgetq_lane_f64(op(v, vextq_f64(v, v, 1)), 0);
    }
};
#endif

}  // namespace simd::detail
}  // namespace v0
}  // namespace unspool
#endif
