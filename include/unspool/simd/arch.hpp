// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>

/// @file
/// Instruction sets as types. The tag stands in the type of every vector and every kernel, so that
/// objects compiled for different sets can be linked without mixing their code.

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define UNSPOOL_SIMD_AVX512 1
#else
#define UNSPOOL_SIMD_AVX512 0
#endif
#if defined(__AVX2__) && defined(__FMA__)
#define UNSPOOL_SIMD_AVX2 1
#else
#define UNSPOOL_SIMD_AVX2 0
#endif
#if defined(__SSE2__)
#define UNSPOOL_SIMD_SSE2 1
#else
#define UNSPOOL_SIMD_SSE2 0
#endif
#if defined(__aarch64__) && defined(__ARM_NEON)
#define UNSPOOL_SIMD_NEON64 1
#else
#define UNSPOOL_SIMD_NEON64 0
#endif
/// Whether there is any but the scalar one; where there is none, xsimd need not know the machine.
#define UNSPOOL_SIMD_REGISTERS (UNSPOOL_SIMD_SSE2 || UNSPOOL_SIMD_NEON64)

#if UNSPOOL_SIMD_REGISTERS
// g++ 12 at -march=x86-64-v4 calls the undefined vectors of <immintrin.h> and xsimd "used
// uninitialized" (GCC bug 105593, seen with 12.2). Drop this when a build without it is silent.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <xsimd/xsimd.hpp>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif

namespace unspool {
inline namespace v0 {
namespace simd {

// Each set says how many vector registers it has and their size; scalar code counts as doubles.

/// One element at a time; the only set that works in constant evaluation.
struct scalar {
    static constexpr char const* name = "scalar";
    static constexpr int registers = 16, bytes = 8;
    static constexpr bool available = true;
};
struct sse2 {
    static constexpr char const* name = "sse2";
    static constexpr int registers = 16, bytes = 16;
    static constexpr bool available = UNSPOOL_SIMD_SSE2;
};
/// AVX2 with FMA: x86-64-v3.
struct avx2 {
    static constexpr char const* name = "avx2";
    static constexpr int registers = 16, bytes = 32;
    static constexpr bool available = UNSPOOL_SIMD_AVX2;
};
/// AVX-512 F, DQ, BW and VL: x86-64-v4.
struct avx512 {
    static constexpr char const* name = "avx512";
    static constexpr int registers = 32, bytes = 64;
    static constexpr bool available = UNSPOOL_SIMD_AVX512;
};
struct neon64 {
    static constexpr char const* name = "neon64";
    static constexpr int registers = 32, bytes = 16;
    static constexpr bool available = UNSPOOL_SIMD_NEON64;
};

/// The best set that the compiler's flags allow.
#if UNSPOOL_SIMD_AVX512
using native = avx512;
#elif UNSPOOL_SIMD_AVX2
using native = avx2;
#elif UNSPOOL_SIMD_SSE2
using native = sse2;
#elif UNSPOOL_SIMD_NEON64
using native = neon64;
#else
using native = scalar;
#endif

namespace detail {

/// The xsimd architecture behind a tag.
template <class Arch>
struct backend;
#if UNSPOOL_SIMD_AVX512
template <>
struct backend<avx512> {
    using type = xsimd::avx512bw;
};
#endif
#if UNSPOOL_SIMD_AVX2
template <>
struct backend<avx2> {
    using type = xsimd::fma3<xsimd::avx2>;
};
#endif
#if UNSPOOL_SIMD_SSE2
template <>
struct backend<sse2> {
    using type = xsimd::sse2;
};
#endif
#if UNSPOOL_SIMD_NEON64
template <>
struct backend<neon64> {
    using type = xsimd::neon64;
};
#endif

#if UNSPOOL_SIMD_REGISTERS
template <class T, class Arch>
using batch = xsimd::batch<T, typename backend<Arch>::type>;
template <class T, class Arch>
using batch_bool = xsimd::batch_bool<T, typename backend<Arch>::type>;
template <class T, class Arch>
using reg = typename batch<T, Arch>::register_type;
#endif

}  // namespace detail

/// Asks for the cache line at p. Locality as in __builtin_prefetch: 3 keeps it close.
template <int Locality = 3>
UNSPOOL_INLINE void prefetch(void const* p) noexcept {
    __builtin_prefetch(p, 0, Locality);
}

/// The same for a line that will be written.
template <int Locality = 3>
UNSPOOL_INLINE void prefetch_write(void const* p) noexcept {
    __builtin_prefetch(p, 1, Locality);
}

}  // namespace simd
}  // namespace v0
}  // namespace unspool
