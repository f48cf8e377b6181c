// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/scalar.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

/// @file
/// Arguments of sin and cos modulo a quarter turn.

namespace unspool {
inline namespace v0 {
namespace math::detail {

/// x ≡ turns·π/2 + hi + lo, |hi| ≤ π/4 (a little more where turns was rounded the other way).
template <class V>
struct reduced_angle {
    V hi;
    V lo;
    V turns;  ///< an integer, modulo 4 or not
};

/// Up to here n·quarter_turn[i] below is exact: n < 2^20.
inline constexpr double reduction_limit = 1.6e6;

/// π/2 in pieces of 33 bits, and the rest.
inline constexpr double quarter_turn[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                                          0x1.b839a252049c1p-104};

/// a − b exactly, as hi + lo (Knuth). No product inside: contraction cannot touch it.
template <class W>
UNSPOOL_INLINE constexpr reduced_angle<W> subtract_exactly(W a, W b) noexcept {
    W const hi = a - b;
    W const t = hi - a;
    return {hi, (a - (hi - t)) - (b + t), W(0.0)};
}

/// For 0 ≤ x ≤ reduction_limit, in double. Relative error of hi + lo below 2^-70, also next to
/// multiples of π/2 (Cody and Waite's method; the pieces are FreeBSD's).
template <class W>
UNSPOOL_INLINE constexpr reduced_angle<W> reduce_moderate(W x) noexcept {
    constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
    constexpr double shifter = format<double>::shifter;
    W const n = fma(x, W(two_over_pi), W(shifter)) - W(shifter);
    auto const second = subtract_exactly(fnma(n, W(quarter_turn[0]), x), n * W(quarter_turn[1]));
    auto const third = subtract_exactly(second.hi, n * W(quarter_turn[2]));
    W const low = fnma(n, W(quarter_turn[3]), second.lo + third.lo);
    W const hi = third.hi + low;
    return {hi, (third.hi - hi) + low, n};
}

/// The bits of 2/π behind 64 zeros, in words of 32.
inline constexpr std::uint32_t two_over_pi_bits[] = {
    0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

/// For any finite x ≥ 2, by Payne and Hanek's method: of m·2ᵉ·(2/π) only the bits from the 2's on
/// matter, so a window of 192 bits of 2/π times the integer m gives the quadrant and more than 120
/// bits of the fraction, which is at least 2^-62.
__attribute__((noinline, cold)) constexpr reduced_angle<double> reduce_large(double x) noexcept {
    using bits = std::uint64_t;
    bits const representation = std::bit_cast<bits>(x);
    bits const m = (representation & format<double>::mantissa_mask) | (bits(1) << 52);
    int const e = int(representation >> 52) - 1075;
    // Bit k after the point has the weight 2^-k; those with k < e − 1 give multiples of 4.
    auto const first = static_cast<std::size_t>(e - 2 + 64);
    std::uint32_t window[6] = {};
    for (std::size_t i = 0; i < 6; ++i) {
        bits const pair =
            (bits(two_over_pi_bits[first / 32 + i]) << 32) | two_over_pi_bits[first / 32 + i + 1];
        window[i] = static_cast<std::uint32_t>(pair >> (32 - first % 32));
    }
    // product = m · window mod 2^192, most significant word first
    std::uint32_t product[6] = {};
    for (int half = 0; half < 2; ++half) {
        bits const factor = half == 0 ? m & 0xffff'ffff : m >> 32;
        bits carry = 0;
        for (int i = 5 - half; i >= 0; --i) {
            bits const sum = factor * window[i + half] + product[i] + carry;
            product[i] = static_cast<std::uint32_t>(sum);
            carry = sum >> 32;
        }
    }
    auto const word = [&](int i) { return (bits(product[i]) << 32) | product[i + 1]; };
    // Two bits of quadrant, then the fraction: 62, 64 and 64 bits. Round the quadrant to nearest.
    bits top = word(0);
    bits middle = word(2);
    bool const negative = (top >> 61 & 1) != 0;
    double const turns = double((top >> 62) + negative);
    if (negative) {
        top = ~top;
        middle = ~middle;
    }
    top &= ~bits(0) >> 2;
    constexpr bits low_half = 0x7fff'ffff;
    double const a = double(top >> 31) * 0x1p-31;
    double const b = double(top & low_half) * 0x1p-62;
    double const c = double(middle >> 11) * 0x1p-115;
    // fraction = hi + lo, then its product with π/2, hi's exactly (Dekker)
    double const head = a + b;
    double const hi = head + c;
    double const lo = ((b - (head - a)) + (c - (hi - head)));
    constexpr double pi_hi = 0x1.921fb54442d18p+0;
    constexpr double pi_lo = 0x1.1a62633145c07p-54;
    constexpr double pi_head = 0x1.921fb54p+0;
    constexpr double pi_tail = pi_hi - pi_head;
    double const hi_head = std::bit_cast<double>(std::bit_cast<bits>(hi) & ~bits(0x7ff'ffff));
    double const hi_tail = hi - hi_head;
    double const p = hi * pi_hi;
    double const error =
        ((hi_head * pi_head - p) + (hi_head * pi_tail + hi_tail * pi_head)) + hi_tail * pi_tail;
    double const low = error + (hi * pi_lo + lo * pi_hi);
    double const angle = p + low;
    double const rest = (p - angle) + low;
    return negative ? reduced_angle<double>{-angle, -rest, turns}
                    : reduced_angle<double>{angle, rest, turns};
}

}  // namespace math::detail
}  // namespace v0
}  // namespace unspool
