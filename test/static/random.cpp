// SPDX-License-Identifier: BSL-1.0
// The generator in constants: known answers, exact values, prefixes and streams.
#include <unspool/nn/random.hpp>

#include <limits>
#include <span>
#include <type_traits>

namespace us = unspool;

// Random123's kat_vectors, "philox4x32 10".
static_assert(us::philox_4x32({{0, 0, 0, 0}}, 0) ==
              us::random_block{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
static_assert(us::philox_4x32({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
                              0xffffffff'ffffffff) ==
              us::random_block{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
static_assert(us::philox_4x32({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                              0x299f31d0'a4093822) ==
              us::random_block{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});

// A second implementation (Python's integers) gives the same uniform numbers; its normal ones, by
// mpmath's erfinv, differ by at most 3 ULP, so the bits below are this library's own.
static_assert(us::uniform<double, 4>(7) ==
              us::tensor<double, 4>{0x1.8013f3b9e8c0fp-1, 0x1.5edac821d3ab8p-4,
                                    0x1.972f7826d05d1p-1, 0x1.ea6bdd4c57f5fp-1});
static_assert(us::uniform<float, 4>(7) ==
              us::tensor<float, 4>{0x1.e8c0f4p-1, 0x1.8013f2p-1, 0x1.d3abap-4, 0x1.5edacp-4});
static_assert(us::normal<double, 4>(7) ==
              us::tensor<double, 4>{-0x1.1b4c6af4d398dp-3, -0x1.ecaa35ba7812bp-1,
                                    0x1.8deff2a49a0a5p-2, 0x1.08f71d1c4a79cp-1});
static_assert(us::normal<float, 4>(7) ==
              us::tensor<float, 4>{0x1.f9f56p-1, -0x1.1b4c6ap-3, -0x1.7ae784p-1, -0x1.ecaa36p-1});

// What the README writes, and a size that must stay within the default limits.
inline constexpr auto xs = us::normal<double, 10, 1, 8>(7);
static_assert(std::is_same_v<decltype(xs), us::tensor<double, 10, 1, 8> const>);
inline constexpr auto many = us::normal<double, 2000>(7);
inline constexpr auto many_floats = us::normal<float, 2000>(7);
static_assert(noexcept(us::normal<double, 2000>(7)));

template <class A, class B>
constexpr bool begins_with(A const& longer, B const& shorter) {
    for (int k = 0; k < shorter.size(); ++k)
        if (longer[k] != shorter[k]) return false;
    return true;
}
static_assert(begins_with(many, xs));
static_assert(begins_with(many, us::normal<double, 3>(7)));
static_assert(begins_with(many_floats, us::normal<float, 5>(7)));
static_assert(us::normal<double, 2000>(8) != many);
static_assert(us::normal<double, 4>(7 + (1ull << 32)) != us::normal<double, 4>(7));

// In place, through either door.
static_assert([] {
    us::tensor<double, 10, 1, 8> x;
    us::fill_normal(x, 7);
    double raw[80]{};
    us::fill_normal(std::span{raw}, 7);
    return x == xs && begins_with(x, us::normal<double, 80>(7)) && raw[79] == xs[79];
}());
static_assert([] {
    us::tensor<float, 7> x;
    us::fill_uniform(x, 7, -2, 2);
    return x == us::uniform<float, 7>(7, -2, 2);
}());
static_assert([] {
    us::fill_uniform(std::span<float>{}, 7);  // nothing is fine
    return true;
}());

// The affine forms are exact here, and bounds hold: lo is possible, hi is not.
static_assert([] {
    auto const u = us::uniform<double, 200>(3);
    auto const v = us::uniform<double, 200>(3, -4, 4);
    auto const z = us::normal<double, 200>(3);
    auto const y = us::normal<double, 200>(3, 0, 0.25);
    for (int k = 0; k < 200; ++k)
        if (v[k] != 8 * u[k] - 4 || y[k] != z[k] / 4 || u[k] < 0 || u[k] >= 1) return false;
    return true;
}());
inline constexpr float one_up = 1 + std::numeric_limits<float>::epsilon();
static_assert([] {
    for (float x : us::uniform<float, 100>(3, 1, one_up))
        if (x != 1) return false;
    return true;
}());

// Streams of one seed share nothing; the block number uses all its bits.
static_assert([] {
    us::random_stream const s{7, 0, us::random_purpose::other};
    us::random_stream const t{7, 1, us::random_purpose::other};
    us::random_stream const u{7, 0, us::random_purpose::normal};
    return s.block(0) != t.block(0) && s.block(0) != u.block(0) && s.block(0) != s.block(1) &&
           s.block(0) != s.block(std::uint64_t{1} << 32) && s.block(5) == s.block(5);
}());

// The quantile: odd, centred, and the textbook's values.
static_assert(us::normal_quantile(0) == 0);
static_assert(us::normal_quantile(0.475) == -us::normal_quantile(-0.475));
static_assert(us::normal_quantile(0.475) > 1.959963984540053 &&
              us::normal_quantile(0.475) < 1.959963984540056);
static_assert(us::normal_quantile(0.5 - 0x1p-53) > 8.20953615160138 &&
              us::normal_quantile(0.5 - 0x1p-53) < 8.20953615160139);
