// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/math/sqrt.hpp>

#include <cstddef>

namespace unspool {
inline namespace v0 {

namespace detail {

/// ⟨a, b⟩ of n elements `stride` apart, in double, in an order that does not depend on the compiler
/// or the instruction set.
template <class T, class Stride>
constexpr double strided_dot(T const* a, T const* b, int n, Stride stride) noexcept {
    std::ptrdiff_t const s = stride;
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int const whole = n / 4 * 4;
    // One statement a turn: clang's constant evaluator counts statements.
    for (std::ptrdiff_t k = 0; k < whole * s; k += 4 * s)
        s0 += double(a[k]) * double(b[k]), s1 += double(a[k + s]) * double(b[k + s]),
            s2 += double(a[k + 2 * s]) * double(b[k + 2 * s]),
            s3 += double(a[k + 3 * s]) * double(b[k + 3 * s]);
    for (std::ptrdiff_t k = whole * s; k < n * s; k += s) s0 += double(a[k]) * double(b[k]);
    return (s0 + s2) + (s1 + s3);
}

/// a ← a − c·b.
template <class T, class Stride>
constexpr void strided_subtract(T* a, double c, T const* b, int n, Stride stride) noexcept {
    std::ptrdiff_t const s = stride;
    for (std::ptrdiff_t k = 0; k < n * s; k += s) a[k] = T(a[k] - c * b[k]);
}

}  // namespace detail

/// Makes `count` vectors of `length` ≥ count elements orthonormal in place: the Q of their QR
/// decomposition with a positive diagonal of R. Vector i begins at v + i·step, its elements are
/// `stride` apart.
///
/// Modified Gram–Schmidt, sums in double. A vector that loses half of its squared length is
/// projected once more ("twice is enough": Giraud, Langou and Rozložník, 2005), so that the result
/// is orthogonal to rounding also for square matrices. Cost: count²·length multiply-adds, twice
/// that if every vector needs the second pass.
template <class T, class Stride>
constexpr void orthonormalize(T* v, int count, int length, std::ptrdiff_t step,
                              Stride stride) noexcept {
    for (int i = 0; i < count; ++i) {
        T* const row = v + i * step;
        double square = detail::strided_dot(row, row, length, stride);
        for (int pass = 0; pass < 2; ++pass) {
            double const before = square;
            for (int j = 0; j < i; ++j) {
                T const* const other = v + j * step;
                double const c = detail::strided_dot(row, other, length, stride);
                detail::strided_subtract(row, c, other, length, stride);
            }
            square = detail::strided_dot(row, row, length, stride);
            if (2 * square >= before) break;
        }
        double const norm = math::sqrt(square);
        std::ptrdiff_t const s = stride;
        for (int k = 0; k < length; ++k) row[k * s] = T(row[k * s] / norm);
    }
}

}  // namespace v0
}  // namespace unspool
