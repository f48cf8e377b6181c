// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>
#include <unspool/math/exp.hpp>
#include <unspool/math/polynomial.hpp>
#include <unspool/math/scalar.hpp>

namespace unspool {
inline namespace v0 {
namespace math {

namespace detail {

template <class T>
struct tanh_constants;

template <>
struct tanh_constants<float> {
    static constexpr float limit = 10;  ///< from 9.02 on the result rounds to 1
    /// Minimax for (tanh y − y) / y³ in y², |y| ≤ 0.4: 2^-29 of tanh y.
    static constexpr float tail[] = {-0x1.55553ep-2f, 0x1.1105ecp-3f, -0x1.b6c5e2p-5f,
                                     0x1.330ee6p-6f};
};

template <>
struct tanh_constants<double> {
    static constexpr double limit = 20;  ///< from 19.06 on the result rounds to 1
    /// As above: 2^-59.
    static constexpr double tail[] = {
        -0x1.555555555553fp-2,  0x1.111111110e51ap-3,  -0x1.ba1ba1b661e1cp-5,
        0x1.664f474569d6ap-6,   -0x1.226df98416c4fp-7, 0x1.d6c6220a1c453p-9,
        -0x1.7cab343f4ebf9p-10, 0x1.2a9d9fdc4a6cep-11, -0x1.6e29b963451eap-13};
};

/// tanh on [0, 10] in 32 cells, whose width grows with the argument: the number of a cell is that
/// of y + shift as a key of `lookup`, which the shift makes one to one. The last is constant 1.
struct tanh_cells {
    static constexpr float shift = 0.6875f, limit = 10;
    /// Σ c[i]·uⁱ with u the distance from the cell's beginning, minimax for the relative error:
    /// 2^-24 of tanh y; y itself where y is tiny.
    static constexpr float c[5][32] = {
        {0x1.bad50ap-1f, 0x1.d4e6f4p-1f, 0x1.e56b7p-1f,  0x1.efb63cp-1f, 0x1.f60efcp-1f,
         0x1.f9f274p-1f, 0x1.fc51f6p-1f, 0x1.fdc3dp-1f,  0x1.fea4a8p-1f, 0x1.ff801cp-1f,
         0x1.ffd0fp-1f,  0x1.ffeebp-1f,  0x1.fff9a2p-1f, 0x1.fffda8p-1f, 0x1.ffff24p-1f,
         0x1.ffffaep-1f, 0x1.ffffe2p-1f, 0x1.fffffcp-1f, 0x1p+0f,        0,
         0x1.ff559ap-5f, 0x1.fd5992p-4f, 0x1.7b8ffap-3f, 0x1.f597eap-3f, 0x1.35f98ap-2f,
         0x1.a5729ep-2f, 0x1.05087p-1f,  0x1.3157ep-1f,  0x1.5788fep-1f, 0x1.77d838p-1f,
         0x1.92bfb4p-1f, 0x1.a8dbccp-1f},
        {0x1.01fc3ep-2f,  0x1.4a45dap-3f,  0x1.9e3b14p-4f,  0x1.00760ep-4f,   0x1.3b01fcp-5f,
         0x1.810556p-6f,  0x1.d53ec4p-7f,  0x1.1d81e2p-7f,  0x1.5ab7c6p-8f,   0x1.ff41d6p-10f,
         0x1.78554cp-11f, 0x1.139446p-12f, 0x1.91843cp-14f, 0x1.2cea1ep-15f,  0x1.8caf9p-17f,
         0x1.aad74ap-18f, 0x1.fd28cp-20f,  0x1.adb784p-23f, -0x1.038b88p-21f, 0x1p+0f,
         0x1.fe013ep-1f,  0x1.f81556p-1f,  0x1.ee695cp-1f,  0x1.e149d6p-1f,   0x1.d1156ep-1f,
         0x1.a9463ap-1f,  0x1.7aea2ep-1f,  0x1.49e6d6p-1f,  0x1.1980fcp-1f,   0x1.d836c8p-2f,
         0x1.866066p-2f,  0x1.3ee6cep-2f},
        {-0x1.be6d96p-3f,  -0x1.2e783p-3f,   -0x1.885528p-4f,  -0x1.f0449cp-5f,  -0x1.3427dcp-5f,
         -0x1.7acef4p-6f,  -0x1.d00b1ep-7f,  -0x1.1cd098p-7f,  -0x1.571c0ep-8f,  -0x1.fc28eep-10f,
         -0x1.75d0fp-11f,  -0x1.05805ap-12f, -0x1.58e638p-14f, -0x1.3416bcp-15f, 0x1.091422p-23f,
         -0x1.4dfc88p-16f, -0x1.36a95cp-19f, -0x1.1b758cp-25f, 0x1.5348bep-19f,  0x1.8ed8fap-18f,
         -0x1.fcc628p-5f,  -0x1.f5efdcp-4f,  -0x1.6dd4f6p-3f,  -0x1.d7c388p-3f,  -0x1.198bb2p-2f,
         -0x1.5e3bbep-2f,  -0x1.822dc6p-2f,  -0x1.898faep-2f,  -0x1.7a2aaap-2f,  -0x1.5af97ep-2f,
         -0x1.32f3eap-2f,  -0x1.08950ep-2f},
        {0x1.b02d44p-4f,  0x1.4d5abap-4f,  0x1.ccf1fp-5f,    0x1.316d5ep-5f,   0x1.7e998cp-6f,
         0x1.d47dbap-7f,  0x1.22e76p-7f,   0x1.7b3c5ap-8f,   0x1.a8d036p-9f,   0x1.3ef8ccp-10f,
         0x1.d35ea6p-12f, 0x1.010a2ep-13f, 0x1.f2f25ap-17f,  0x1.b47f38p-16f,  -0x1.1b1b7ap-15f,
         0x1.ac54c4p-15f, 0x1.fe2326p-20f, -0x1.92c572p-23f, -0x1.0fad9cp-18f, -0x1.55eccp-2f,
         -0x1.5271f4p-2f, -0x1.3dd374p-2f, -0x1.3102e8p-2f,  -0x1.040094p-2f,  -0x1.c32d64p-3f,
         -0x1.11bcfep-3f, -0x1.c9c466p-5f, 0x1.0a6b56p-6f,   0x1.203bd4p-4f,   0x1.98dcc8p-4f,
         0x1.b96fdap-4f,  0x1.c44b62p-4f},
        {-0x1.7fa898p-6f,  -0x1.95ec66p-6f,  -0x1.33c52ap-6f, -0x1.c2152p-7f,   -0x1.0eedf2p-7f,
         -0x1.34554ap-8f,  -0x1.8f906ep-9f,  -0x1.50b9e4p-9f, -0x1.1a0618p-10f, -0x1.b3a6eep-12f,
         -0x1.3beb8ep-13f, -0x1.d81628p-17f, 0x1.a0d33p-16f,  -0x1.7a17d2p-17f, 0x1.467568p-15f,
         -0x1.9a00bep-15f, -0x1.7e88cep-21f, 0x1.0b4d2ep-23f, 0x1.0ea0ecp-19f,  0x1.0591eap-6f,
         0x1.26d4fap-4f,   0x1.18a7bcp-4f,   0x1.8fe00cp-3f,  0x1.ef6a0cp-4f,   0x1.566cd2p-3f,
         0x1.41e516p-3f,   0x1.352e9ap-3f,   0x1.9d15dp-4f,   0x1.6bff7ep-5f,   0x1.cd21ccp-7f,
         0x1.8b21c4p-7f,   -0x1.23d1eap-7f}};
};

template <class V>
concept has_lookup = requires(V x, element_t<V> const (&table)[32]) {
    lookup(x, table);
};

/// For 0 ≤ y, or NaN: no division, and half the latency.
template <class V, class C = tanh_cells>
UNSPOOL_INLINE V tanh_by_cells(V y) noexcept {
    y = min(V(C::limit), y);
    V const key = y + V(C::shift);
    V const u = y - (truncate_to_key(key) - V(C::shift));
    V sum = fma(lookup(key, C::c[4]), u, lookup(key, C::c[3]));
    sum = fma(sum, u, lookup(key, C::c[2]));
    sum = fma(sum, u, lookup(key, C::c[1]));
    return fma(sum, u, lookup(key, C::c[0]));
}

}  // namespace detail

/// The hyperbolic tangent, of float, double and vectors of them.
///
/// Accuracy: at most 2 ULP for every argument, float and double (tanh_accuracy), so also relative
/// to small results. tanh(−x) = −tanh(x) to the bit, |tanh(x)| ≤ 1, the sign of zero is kept; ±1
/// at ±∞, NaN for NaN.
template <class V, class T = element_t<V>, class C = detail::tanh_constants<T>>
UNSPOOL_INLINE constexpr V tanh(V x) noexcept {
    if constexpr (detail::has_lookup<V>) return copysign(detail::tanh_by_cells(abs(x)), x);
    // This order of operands lets NaN through.
    V const y = min(V(C::limit), abs(x));
    // Near zero y + y³·P(y²): no other form keeps the relative error of small results.
    V const z = y * y;
    V const near = fma(y * z, polynomial<C::tail>(z, z * z), y);
    // Beyond, 1 − 2 / (1 + e²ʸ), with half the divisor in one rounding.
    auto const [power, fraction] = detail::split_exp(y + y);
    V const half_scale = pow2(power - V(T(1)));
    V const half_divisor = fma(half_scale, fraction, half_scale + V(T(0.5)));
    V const far = V(T(1)) - V(T(1)) / half_divisor;
    return copysign(select(y < V(T(0.4)), near, far), x);
}

}  // namespace math
}  // namespace v0
}  // namespace unspool
