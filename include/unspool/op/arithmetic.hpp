// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/math/math.hpp>
#include <unspool/op/rule.hpp>

/// Elementwise operations. Each has
///
///   name                          as printed
///   arity                         number of operands, all of the result's shape
///   value(x...)                   its meaning, over numbers and SIMD vectors alike: also its
///   kernel derivative<K>(v, x..., y)     its derivative with respect to operand K, applied to v
///
/// The Jacobian of an elementwise operation is diagonal, so the same rule is its jvp (v a tangent)
/// and its vjp (v the cotangent). Its batch rule is the operation itself on larger shapes.
namespace unspool {
inline namespace v0 {
namespace op {

template <int Arity>
struct elementwise {
    static constexpr family kind = family::elementwise;
    static constexpr int arity = Arity;
    static constexpr bool transcendental = false;
    /// Whether the derivative multiplies or divides by something: by infinity or NaN, perhaps,
    /// where `select` did not take this value.
    static constexpr bool scales = true;
};

struct add : elementwise<2> {
    static constexpr char const* name = "add";
    static constexpr bool scales = false;
    template <class V>
    static constexpr V value(V a, V b) {
        return a + b;
    }
    template <int, class S>
    static constexpr S derivative(S v, S, S, S) {
        return v;
    }
};

struct subtract : elementwise<2> {
    static constexpr char const* name = "subtract";
    static constexpr bool scales = false;
    template <class V>
    static constexpr V value(V a, V b) {
        return a - b;
    }
    template <int K, class S>
    static constexpr S derivative(S v, S, S, S) {
        if constexpr (K == 0) return v;
        else return -v;
    }
};

struct multiply : elementwise<2> {
    static constexpr char const* name = "multiply";
    template <class V>
    static constexpr V value(V a, V b) {
        return a * b;
    }
    template <int K, class S>
    static constexpr S derivative(S v, S a, S b, S) {
        if constexpr (K == 0) return v * b;
        else return v * a;
    }
};

struct divide : elementwise<2> {
    static constexpr char const* name = "divide";
    template <class V>
    static constexpr V value(V a, V b) {
        return a / b;
    }
    template <int K, class S>
    static constexpr S derivative(S v, S, S b, S y) {
        if constexpr (K == 0) return v / b;
        else return -(v * y) / b;
    }
};

struct negate : elementwise<1> {
    static constexpr char const* name = "negate";
    static constexpr bool scales = false;
    template <class V>
    static constexpr V value(V a) {
        return -a;
    }
    template <int, class S>
    static constexpr S derivative(S v, S, S) {
        return -v;
    }
};

/// The identity, with a derivative that is zero by definition.
struct stop_gradient : elementwise<1> {
    static constexpr char const* name = "stop_gradient";
    static constexpr bool differentiable = false;
    template <class V>
    static constexpr V value(V a) {
        return a;
    }
};

template <class B>
constexpr symbol<B> operator-(symbol<B> a) {
    return a.template apply<negate>(a);
}
template <class B>
constexpr symbol<B> operator+(symbol<B> a, symbol<B> b) {
    return a.template apply<add>(a, b);
}
template <class B>
constexpr symbol<B> operator-(symbol<B> a, symbol<B> b) {
    return a.template apply<subtract>(a, b);
}
template <class B>
constexpr symbol<B> operator-(double a, symbol<B> b) {
    return b.template apply<subtract>(a, b);
}
template <class B>
constexpr symbol<B> operator+(double a, symbol<B> b) {
    return b.template apply<add>(a, b);
}
template <class B>
constexpr symbol<B> operator*(symbol<B> a, symbol<B> b) {
    return a.template apply<multiply>(a, b);
}
template <class B>
constexpr symbol<B> operator*(double a, symbol<B> b) {
    return b.template apply<multiply>(a, b);
}
template <class B>
constexpr symbol<B> operator/(symbol<B> a, symbol<B> b) {
    return a.template apply<divide>(a, b);
}

}  // namespace op
}  // namespace v0
}  // namespace unspool
