// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/tensor.hpp>
#include <unspool/nn/normal_quantile.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

/// @file
/// Random numbers without a state: element k of a stream is a function of the seed, the stream and
/// k. The same on every platform, compiler and instruction set and in constant evaluation, bit for
/// bit (with the library's -ffp-contract=off), and a longer fill begins with the shorter one.

namespace unspool {
inline namespace v0 {

/// 128 bits in four words.
struct random_block {
    std::uint32_t word[4];

    friend constexpr bool operator==(random_block const&, random_block const&) = default;
};

/// Philox-4x32 with ten rounds: the block of random bits that belongs to a counter under a key.
/// Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011;
/// agrees with the known answers of their Random123 library.
constexpr random_block philox_4x32(random_block counter, std::uint64_t key) noexcept {
    std::uint32_t c0 = counter.word[0];
    std::uint32_t c1 = counter.word[1];
    std::uint32_t c2 = counter.word[2];
    std::uint32_t c3 = counter.word[3];
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        std::uint64_t const a = std::uint64_t{0xD2511F53} * c0;
        std::uint64_t const b = std::uint64_t{0xCD9E8D57} * c2;
        c0 = static_cast<std::uint32_t>(b >> 32) ^ c1 ^ k0;
        c2 = static_cast<std::uint32_t>(a >> 32) ^ c3 ^ k1;
        c1 = static_cast<std::uint32_t>(b);
        c3 = static_cast<std::uint32_t>(a);
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    return {{c0, c1, c2, c3}};
}

/// What a stream is for; streams of one seed and different purposes share no numbers.
enum class random_purpose : std::uint32_t { uniform, normal, initial, other };

/// One sequence of random numbers of 2^66 words. Two streams that differ in any member are
/// independent. Copying one and drawing again repeats the numbers: there is no state.
///
/// A float takes one word, a double two. Cost of an element in steps of clang's constant evaluator:
/// 62 (uniform) and 85 (normal) for doubles, 35 and 58 for floats.
struct random_stream {
    std::uint64_t seed = 0;
    std::uint32_t index = 0;
    random_purpose purpose = random_purpose::other;

    /// The block of words 4·number … 4·number + 3.
    constexpr random_block block(std::uint64_t number) const noexcept {
        return philox_4x32(
            {{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), index,
              static_cast<std::uint32_t>(purpose)}},
            seed);
    }

    /// Fills out[0 … n) from the uniform distribution on [lo, hi), lo < hi: lo + (hi − lo)·u with u
    /// a multiple of 2^-24 (float) or 2^-53 (double) below 1. What rounds to hi becomes lo.
    template <std::floating_point T>
    constexpr void uniform(T* out, std::size_t n, std::type_identity_t<T> lo,
                           std::type_identity_t<T> hi) const noexcept {
        T const width = hi - lo;
        fill(out, n, [=](std::uint64_t bits) {
            T const x = lo + width * unit<T>(bits);
            return x < hi ? x : lo;
        });
    }

    /// Fills out[0 … n) from the normal distribution by inversion of its distribution function:
    /// mean + stddev·z, |z| < 6.4 (float, from 32 bits) or 8.3 (double, from 52). z is within
    /// 1e-15 relative of the exact quantile before it is rounded to T.
    template <std::floating_point T>
    constexpr void normal(T* out, std::size_t n, std::type_identity_t<T> mean,
                          std::type_identity_t<T> stddev) const noexcept {
        fill(out, n, [=](std::uint64_t bits) {
            return mean + stddev * static_cast<T>(normal_quantile(centred<T>(bits)));
        });
    }

private:
    /// In [0, 1), exact.
    template <class T>
    static constexpr T unit(std::uint64_t bits) noexcept {
        if constexpr (sizeof(T) == sizeof(float)) {
            return static_cast<T>(static_cast<std::int32_t>(bits >> 8)) * T(0x1p-24);
        } else {
            return static_cast<T>(static_cast<std::int64_t>(bits >> 11)) * T(0x1p-53);
        }
    }
    /// An odd multiple of 2^-33 (float) or 2^-53 (double) in (−½, ½), exact: the probability below
    /// the quantile, less ½. Symmetric about zero, and never 0 or ±½.
    template <class T>
    static constexpr double centred(std::uint64_t bits) noexcept {
        if constexpr (sizeof(T) == sizeof(float)) {
            return static_cast<double>(2 * static_cast<std::int64_t>(bits) - 0xFFFF'FFFF) * 0x1p-33;
        } else {
            return static_cast<double>(2 * static_cast<std::int64_t>(bits >> 12) -
                                       0xF'FFFF'FFFF'FFFF) *
                   0x1p-53;
        }
    }
    template <class T, class Map>
    constexpr void fill(T* out, std::size_t n, Map map) const noexcept {
        static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                      "unspool: random numbers are float or double");
        std::size_t k = 0;
        for (std::uint64_t number = 0; k < n; ++number) {
            random_block const b = block(number);
            if constexpr (std::is_same_v<T, float>) {
                for (int i = 0; i < 4 && k < n; ++i) out[k++] = map(b.word[i]);
            } else {
                for (int i = 0; i < 4 && k < n; i += 2)
                    out[k++] = map(std::uint64_t{b.word[i + 1]} << 32 | b.word[i]);
            }
        }
    }
};

/// Fills x, of any size, with the uniform distribution on [lo, hi). Allocates nothing.
template <std::floating_point T, std::size_t Extent>
constexpr void fill_uniform(std::span<T, Extent> x, std::uint64_t seed,
                            std::type_identity_t<T> lo = 0,
                            std::type_identity_t<T> hi = 1) noexcept {
    random_stream{seed, 0, random_purpose::uniform}.uniform(x.data(), x.size(), lo, hi);
}
template <std::floating_point T, std::size_t... N>
constexpr void fill_uniform(tensor<T, N...>& x, std::uint64_t seed, std::type_identity_t<T> lo = 0,
                            std::type_identity_t<T> hi = 1) noexcept {
    fill_uniform(std::span<T>{x.data(), static_cast<std::size_t>(x.size())}, seed, lo, hi);
}

/// Fills x, of any size, with the normal distribution. Allocates nothing.
template <std::floating_point T, std::size_t Extent>
constexpr void fill_normal(std::span<T, Extent> x, std::uint64_t seed,
                           std::type_identity_t<T> mean = 0,
                           std::type_identity_t<T> stddev = 1) noexcept {
    random_stream{seed, 0, random_purpose::normal}.normal(x.data(), x.size(), mean, stddev);
}
template <std::floating_point T, std::size_t... N>
constexpr void fill_normal(tensor<T, N...>& x, std::uint64_t seed, std::type_identity_t<T> mean = 0,
                           std::type_identity_t<T> stddev = 1) noexcept {
    fill_normal(std::span<T>{x.data(), static_cast<std::size_t>(x.size())}, seed, mean, stddev);
}

/// A tensor of shape N... from the uniform distribution on [lo, hi): `uniform<float, 3, 4>(seed)`.
/// Of at most 64 KiB; fill_uniform fills larger ones in place, with the same numbers.
template <std::floating_point T, std::size_t... N>
constexpr tensor<T, N...> uniform(std::uint64_t seed, std::type_identity_t<T> lo = 0,
                                  std::type_identity_t<T> hi = 1) noexcept {
    static_assert(
        sizeof(tensor<T, N...>) <= 64 * 1024,
        "unspool: uniform returns at most 64 KiB by value; fill_uniform(x, seed) works in "
        "place for tensors of any size");
    tensor<T, N...> x;
    fill_uniform(x, seed, lo, hi);
    return x;
}

/// A tensor of shape N... from the normal distribution: `normal<double, 10, 1, 8>(seed)`.
/// Of at most 64 KiB; fill_normal fills larger ones in place, with the same numbers.
template <std::floating_point T, std::size_t... N>
constexpr tensor<T, N...> normal(std::uint64_t seed, std::type_identity_t<T> mean = 0,
                                 std::type_identity_t<T> stddev = 1) noexcept {
    static_assert(sizeof(tensor<T, N...>) <= 64 * 1024,
                  "unspool: normal returns at most 64 KiB by value; fill_normal(x, seed) works in "
                  "place for tensors of any size");
    tensor<T, N...> x;
    fill_normal(x, seed, mean, stddev);
    return x;
}

}  // namespace v0
}  // namespace unspool
