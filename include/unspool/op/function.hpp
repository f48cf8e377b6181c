// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/compare.hpp>

/// Elementary functions. They are atoms of differentiation: each derivative is a formula over the
/// function's own result where there is one, so that a reverse sweep evaluates no transcendental,
/// and never goes through the arithmetic that computes the value.
namespace unspool {
inline namespace v0 {
namespace op {

struct transcendental_function : elementwise<1> {
    static constexpr bool transcendental = true;
};

struct exp : transcendental_function {
    static constexpr char const* name = "exp";
    template <class V>
    static constexpr V value(V x) {
        return math::exp(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S, S y) {
        return v * y;
    }
};

struct log : transcendental_function {
    static constexpr char const* name = "log";
    template <class V>
    static constexpr V value(V x) {
        return math::log(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S x, S) {
        return v / x;
    }
};

/// log(1 + x), accurate near 0.
struct log1p : transcendental_function {
    static constexpr char const* name = "log1p";
    template <class V>
    static constexpr V value(V x) {
        return math::log1p(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S x, S) {
        return v / (1.0 + x);
    }
};

/// exp(x) - 1, accurate near 0.
struct expm1 : transcendental_function {
    static constexpr char const* name = "expm1";
    template <class V>
    static constexpr V value(V x) {
        return math::expm1(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S, S y) {
        return v * (1.0 + y);
    }
};

struct tanh : transcendental_function {
    static constexpr char const* name = "tanh";
    template <class V>
    static constexpr V value(V x) {
        return math::tanh(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S, S y) {
        return v * (1.0 - y * y);
    }
};

/// The logistic function 1 / (1 + exp(-x)).
struct sigmoid : transcendental_function {
    static constexpr char const* name = "sigmoid";
    template <class V>
    static constexpr V value(V x) {
        return math::sigmoid(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S, S y) {
        return v * (y * (1.0 - y));
    }
};

// [softplus]
/// log(1 + exp(x)), also where exp(x) overflows.
struct softplus : transcendental_function {
    static constexpr char const* name = "softplus";
    template <class V>
    static constexpr V value(V x) {  // numbers and SIMD vectors alike
        using math::abs, math::max;
        return max(V(0), x) + math::log1p(math::exp(-abs(x)));
    }
    template <int, class S>
    static constexpr S derivative(S v, S x, S) {  // v times the derivative: jvp and vjp in one
        return v * v.template apply<sigmoid>(x);
    }
};
// [/softplus]

/// The error function.
struct erf : transcendental_function {
    static constexpr char const* name = "erf";
    template <class V>
    static constexpr V value(V x) {
        return math::erf(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S x, S) {
        constexpr double two_over_sqrt_pi = 0x1.20dd750429b6dp+0;
        return v * (two_over_sqrt_pi * v.template apply<exp>(-(x * x)));
    }
};

/// The arc tangent.
struct atan : transcendental_function {
    static constexpr char const* name = "atan";
    template <class V>
    static constexpr V value(V x) {
        return math::atan(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S x, S) {
        return v / (1.0 + x * x);
    }
};

struct cos;

struct sin : transcendental_function {
    static constexpr char const* name = "sin";
    template <class V>
    static constexpr V value(V x) {
        return math::sin(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S x, S) {
        return v * v.template apply<cos>(x);
    }
};

struct cos : transcendental_function {
    static constexpr char const* name = "cos";
    template <class V>
    static constexpr V value(V x) {
        return math::cos(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S x, S) {
        return -(v * v.template apply<sin>(x));
    }
};

/// x to the power of y. The derivative with respect to x is 0 where y is, as in PyTorch, and that
/// with respect to y is 0 where x is and y > 0, as in JAX: neither is 0·∞.
struct pow : elementwise<2> {
    static constexpr char const* name = "pow";
    static constexpr bool transcendental = true;
    template <class V>
    static constexpr V value(V x, V y) {
        return math::pow(x, y);
    }
    template <int K, class S>
    static constexpr S derivative(S v, S x, S y, S z) {
        if constexpr (K == 0) {
            S const slope = y * v.template apply<pow>(x, -1.0 + y);
            S const constant = v.template apply<equal>(y, 0.0);
            return v * v.template apply<select>(constant, 0.0, slope);
        } else {
            S const is_zero = v.template apply<equal>(x, 0.0);
            return v * (z * v.template apply<log>(v.template apply<select>(is_zero, 1.0, x)));
        }
    }
};

/// The square root. Its derivative at 0 is infinite, as in JAX.
struct sqrt : elementwise<1> {
    static constexpr char const* name = "sqrt";
    template <class V>
    static constexpr V value(V x) {
        using math::sqrt;
        return sqrt(x);
    }
    template <int, class S>
    static constexpr S derivative(S v, S, S y) {
        return 0.5 * v / y;
    }
};

/// x * x.
struct square : elementwise<1> {
    static constexpr char const* name = "square";
    template <class V>
    static constexpr V value(V x) {
        return x * x;
    }
    template <int, class S>
    static constexpr S derivative(S v, S x, S) {
        return v * (2.0 * x);
    }
};

}  // namespace op
}  // namespace v0
}  // namespace unspool
