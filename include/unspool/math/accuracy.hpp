// SPDX-License-Identifier: BSL-1.0
#pragma once

/// @file
/// The error bounds of the elementary functions: what their documentation states and what
/// test/unit/math_*.cpp and test/slow/math_exhaustive.cpp hold them to.
///
/// In units in the last place of the exact result (for a denormal result: of the smallest
/// denormal), over every argument unless a range is given; for every instruction set, in constant
/// evaluation, and with or without the compiler's own contraction of a·b + c.

namespace unspool {
inline namespace v0 {
namespace math {

/// Maximum error of one function, in ULP.
struct accuracy {
    double float_ulp;
    double double_ulp;
};

inline constexpr accuracy exp_accuracy{1.0, 1.0};
inline constexpr accuracy log_accuracy{1.0, 1.0};
inline constexpr accuracy log1p_accuracy{1.5, 1.5};
inline constexpr accuracy tanh_accuracy{2.0, 2.0};
inline constexpr accuracy sigmoid_accuracy{2.0, 2.0};
inline constexpr accuracy expm1_accuracy{1.5, 1.5};
inline constexpr accuracy erf_accuracy{1.5, 1.5};
inline constexpr accuracy atan_accuracy{2.0, 2.0};
inline constexpr accuracy sin_accuracy{1.0, 1.0};
inline constexpr accuracy cos_accuracy{1.0, 1.0};
inline constexpr accuracy pow_accuracy{1.0, 1.0};
/// Exact.
inline constexpr accuracy floor_accuracy{0.0, 0.0};
inline constexpr accuracy round_accuracy{0.0, 0.0};
/// Correctly rounded at run time; the bound is for double in constant evaluation.
inline constexpr accuracy sqrt_accuracy{0.5, 0.5};

}  // namespace math
}  // namespace v0
}  // namespace unspool
