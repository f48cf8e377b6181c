// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

/// Every tolerance of the tests, each with its reason. Errors are relative to the size of what was
/// added up, never to max(1, ...): gradients are often far smaller than 1.
namespace unspool_test::tolerance {

/// One operation or its derivative against a formula in the same type, in units in the last place:
/// at most 2 ULP of the elementary function, and one rounding for each factor beside it.
inline constexpr int operation_ulp = 4;

/// A derivative by a plan against the evaluator's, which rounds in another order: the rule's
/// factors, of which each may carry the error of a function, and sums over a shape's elements.
inline constexpr int derivative_ulp = 64;

/// An LSTM cell's value and gradient in constant evaluation, relative: some hundred operations of a
/// few ULP each, in double (2.2e-16), whose errors add up like a random walk.
inline constexpr double cell = 1e-13;

/// ⟨Jv, w⟩ = ⟨v, Jᵀw⟩, relative to the sum of the absolute products. Both sides evaluate the same
/// derivatives in another order: rounding alone, over thousands of terms.
template <std::floating_point T>
inline constexpr double adjoint_identity = std::same_as<T, double> ? 1e-12 : 1e-5;

/// Five-point differences in double, relative. The step of 1e-3 leaves h⁴/30 of the fifth
/// derivative (≈ 1e-13 for smooth functions of size 1) and 1e-13 of rounding; compositions of many
/// layers have larger fifth derivatives.
inline constexpr double differences = 1e-8;
inline constexpr double difference_step = 1e-3;
/// Of gradients, whose fifth derivative is a sixth one: 1e6 for three steps of a loop.
inline constexpr double gradient_difference_step = difference_step / 4;

/// Five-point differences of random graphs with the best of a few steps: compositions that are bent
/// as 1e3 leave no step at which both truncation and rounding are small. A wrong rule is wrong by
/// 1e-2 and more.
inline constexpr double random_differences = 1e-6;

/// Values inside a random graph have size 1, its derivatives may cancel to nothing: what is smaller
/// than this is compared as if it had this size, which leaves rounding at 1 (2e-16) out of account.
inline constexpr double random_floor = 1e-3;

/// The same numbers from PyTorch, Keras and JAX: other orders of summation and other elementary
/// functions, over up to 64 steps.
template <std::floating_point T>
inline constexpr double parity = std::same_as<T, double> ? 1e-10 : 1e-5;

/// Losses and gradient norms of the benchmarks' workloads against the peers' reference, in float
/// and over up to 2048 steps.
inline constexpr double workload = 1e-4;

/// The article's figures, which were computed in double by other means and are given in full.
inline constexpr double article = 1e-12;

/// A graph before and after a pass that may reassociate sums and move factors, relative to the
/// largest element of the result: rounding of a few hundred operations.
inline constexpr double pass = 1e-11;
/// What is left of the error of a computation in float by one in double in another order: 2^-29 and
/// a few roundings.
inline constexpr double double_to_float = 16 * 0x1p-29;
/// The error in float from which on a graph is chaos: it multiplies rounding, 6e-8, by 1e5.
inline constexpr double chaos = 1e-2;

/// Short compositions (softmax, variance, products of matrices) against formulas summed in another
/// order, relative to each element: some ten roundings. Elements that cancel to less than the floor
/// are as exact as their terms, which have size 1.
inline constexpr double language = 1e-13;
inline constexpr double language_floor = 1.0 / 32;

/// `gradient_error` of a right gradient: differences along whole directions.
inline constexpr double gradient_error = 1e-8;

}  // namespace unspool_test::tolerance

namespace unspool_test {

/// How many representable numbers lie between a and b; 0 for equal ones, NaN is far from
/// everything.
template <std::floating_point T>
std::int64_t ulp_distance(T a, T b) {
    if (a == b) return 0;
    if (!std::isfinite(a) || !std::isfinite(b)) {
        bool const both_nan = std::isnan(a) && std::isnan(b);
        return both_nan ? 0 : std::numeric_limits<std::int64_t>::max();
    }
    // The place of a number among all of its type, counted from zero.
    auto const place = [](T x) {
        using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        auto const magnitude = std::bit_cast<bits>(std::fabs(x));
        return std::signbit(x) ? -static_cast<std::int64_t>(magnitude)
                               : static_cast<std::int64_t>(magnitude);
    };
    std::int64_t const i = place(a);
    std::int64_t const j = place(b);
    bool const too_far = (i < 0) != (j < 0) && std::fabs(a) + std::fabs(b) > 1;
    return too_far ? std::numeric_limits<std::int64_t>::max() : i < j ? j - i : i - j;
}

/// |a − b| relative to the larger; 0 for equal ones.
inline double relative_error(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    double const error = std::fabs(a - b) / std::max(std::fabs(a), std::fabs(b));
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// Two inner products and what was added up for each: the error of ⟨Jv, w⟩ = ⟨v, Jᵀw⟩.
class product_sum {
public:
    void add(double a, double b) {
        sum_ += a * b;
        size_ += std::fabs(a * b);
    }
    double sum() const { return sum_; }
    double size() const { return size_; }
    /// `floor`: what the sums are at least set in relation to.
    friend double identity_error(product_sum const& a, product_sum const& b, double floor = 0) {
        double const size = std::max({a.size_, b.size_, floor});
        if (size == 0) return 0;
        double const error = std::fabs(a.sum_ - b.sum_) / size;
        return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }

private:
    double sum_ = 0;
    double size_ = 0;
};

/// The largest difference of two arrays relative to the largest element, or to `floor` if that is
/// larger; infinite if one of them is not finite where the other is.
template <class T>
double array_error(T const* a, T const* b, int n, double floor = 0) {
    double worst = 0;
    double size = floor;
    for (int i = 0; i < n; ++i) {
        double const x = static_cast<double>(a[i]);
        double const y = static_cast<double>(b[i]);
        if (x == y || (std::isnan(x) && std::isnan(y))) {
            if (std::isfinite(x)) size = std::max(size, std::fabs(x));
            continue;
        }
        double const apart = std::fabs(x - y);
        if (!(apart <= std::numeric_limits<double>::max()))
            return std::numeric_limits<double>::infinity();
        worst = std::max(worst, apart);
        size = std::max({size, std::fabs(x), std::fabs(y)});
    }
    return worst == 0 ? 0 : worst / size;
}

}  // namespace unspool_test
