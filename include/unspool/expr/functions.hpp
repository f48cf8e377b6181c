// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/operators.hpp>

/// Elementwise functions composed of others. Names, and derivatives at kinks, are NumPy's and
/// JAX's.
namespace unspool {
inline namespace v0 {

/// The smallest integer that is not below x; its derivative is 0.
constexpr auto ceil(expression auto const& x) { return -floor(-x); }
/// x without its fraction; its derivative is 0.
constexpr auto trunc(expression auto const& x) { return select(x < 0, ceil(x), floor(x)); }

/// x to the power of n by multiplications, in an order that does not depend on x: for |n| ≤ 16,
/// within |n| ULP; larger ones as for other numbers.
template <expression X>
constexpr auto pow(X const& x, int n) {
    using result = as_traced<X>;
    if (n < -16 || n > 16) return result(pow(x, static_cast<double>(n)));
    result power;
    power.fill = 1;
    result factor = x;
    for (int rest = n < 0 ? -n : n; rest != 0; rest /= 2) {
        if (rest % 2 != 0) power = power * factor;
        if (rest > 1) factor = square(factor);
    }
    return n < 0 ? result(1 / power) : power;
}

/// 1 / x.
constexpr auto reciprocal(expression auto const& x) { return 1 / x; }
/// 1 / √x.
constexpr auto rsqrt(expression auto const& x) { return 1 / sqrt(x); }
/// The tangent of an angle in radians, within 4 ULP.
constexpr auto tan(expression auto const& x) { return sin(x) / cos(x); }
/// The hyperbolic sine, within 4 ULP; infinite where eˣ is, from ln(max) on.
constexpr auto sinh(expression auto const& x) { return 0.5 * (expm1(x) - expm1(-x)); }
/// The hyperbolic cosine, within 4 ULP; infinite where eˣ is, from ln(max) on.
constexpr auto cosh(expression auto const& x) { return 0.5 * (exp(x) + exp(-x)); }

/// min(max(x, low), high); at a bound half of the derivative is x's and half the bound's.
template <operand X, operand Low, operand High>
    requires(expression<X> || expression<Low>)
constexpr auto clamp(X const& x, Low const& low, High const& high) {
    return minimum(maximum(x, low), high);
}

/// `select` under NumPy's name: a where c is not 0, b elsewhere. c may be a comparison, an argument
/// of truth values, or a `tensor<bool, N...>`, a constant.
template <operand C, operand A, operand B>
    requires(expression<C> || expression<A> || expression<B>)
constexpr auto where(C const& c, A const& a, B const& b) { return select(c, a, b); }

/// 1 where x is 0 and 0 elsewhere.
constexpr auto logical_not(expression auto const& x) { return x == 0; }
/// 1 where neither a nor b is 0, and 0 elsewhere.
template <class A, class B>
    requires operands<A, B>
constexpr auto logical_and(A const& a, B const& b) { return select(a, b, 0) != 0; }
/// 1 where a or b is not 0, and 0 elsewhere.
template <class A, class B>
    requires operands<A, B>
constexpr auto logical_or(A const& a, B const& b) { return select(a, 1, b) != 0; }

/// x where it is not negative, slope·x elsewhere.
constexpr auto leaky_relu(expression auto const& x, double slope = 0.01) {
    return select(x >= 0, x, slope * x);
}
/// x where it is positive, alpha·(eˣ − 1) elsewhere.
constexpr auto elu(expression auto const& x, double alpha = 1) {
    return select(x > 0, x, alpha * expm1(x));
}
/// x·sigmoid(x), also called swish.
constexpr auto silu(expression auto const& x) { return x * sigmoid(x); }
/// x·Φ(x) with the normal distribution Φ. Below −1 its accuracy is absolute, 2 ULP of x.
constexpr auto gelu(expression auto const& x) {
    constexpr double sqrt_half = 0x1.6a09e667f3bcdp-1;
    return 0.5 * x * (1 + erf(sqrt_half * x));
}
/// The approximation x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2 of gelu, within 5·10⁻⁴ of it.
constexpr auto gelu_tanh(expression auto const& x) {
    constexpr double twice_sqrt_two_over_pi = 0x1.9884533d43651p+0;
    return x * sigmoid(twice_sqrt_two_over_pi * x * (1 + 0.044715 * square(x)));
}
/// The piecewise linear clamp(x + 3, 0, 6) / 6.
constexpr auto hard_sigmoid(expression auto const& x) { return clamp(x + 3, 0, 6) / 6; }

}  // namespace v0
}  // namespace unspool
