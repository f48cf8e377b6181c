// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/arithmetic.hpp>

/// Comparisons give 1 where they hold and 0 elsewhere, in the element type; their derivative is
/// zero. `select` and the rules of min, max, relu and abs are built on them.
namespace unspool {
inline namespace v0 {
namespace op {

struct comparison : elementwise<2> {
    static constexpr bool differentiable = false;
};

struct less : comparison {
    static constexpr char const* name = "less";
    template <class V>
    static constexpr V value(V a, V b) {
        using math::select;
        return select(a < b, V(1), V(0));
    }
};

struct less_equal : comparison {
    static constexpr char const* name = "less_equal";
    template <class V>
    static constexpr V value(V a, V b) {
        using math::select;
        return select(a <= b, V(1), V(0));
    }
};

struct equal : comparison {
    static constexpr char const* name = "equal";
    template <class V>
    static constexpr V value(V a, V b) {
        using math::select;
        return select(a == b, V(1), V(0));
    }
};

/// select(c, a, b): a where c is not 0, b elsewhere. The derivative goes to the branch taken only,
/// as a choice and not as a product, so that an infinite or NaN one not taken never leaks.
struct select : elementwise<3> {
    static constexpr char const* name = "select";
    static constexpr bool scales = false;
    template <class V>
    static constexpr V value(V c, V a, V b) {
        using math::select;
        return select(c == V(0), b, a);
    }
    template <int K, class S>
    static constexpr S derivative(S v, S c, S, S, S) {
        static_assert(K == 1 || K == 2, "the condition has no derivative");
        if constexpr (K == 1) return v.template apply<select>(c, v, 0.0);
        else return v.template apply<select>(c, 0.0, v);
    }
};

/// Where v flows for the operand that is chosen: all of it if `chosen` holds strictly, half at
/// ties.
template <class S>
constexpr S share(S v, S larger, S smaller) {
    S at_tie = v.template apply<select>(v.template apply<equal>(larger, smaller), 0.5 * v, 0.0);
    return v.template apply<select>(v.template apply<less>(smaller, larger), v, at_tie);
}

/// The larger operand; NaN if either is. Ties share the derivative equally, as in JAX.
struct maximum : elementwise<2> {
    static constexpr char const* name = "maximum";
    static constexpr bool scales = false;
    template <class V>
    static constexpr V value(V a, V b) {
        using math::select;
        return select(a < b, b, select(b == b, a, b));
    }
    template <int K, class S>
    static constexpr S derivative(S v, S a, S b, S) {
        if constexpr (K == 0) return share(v, a, b);
        else return share(v, b, a);
    }
};

/// The smaller operand; NaN if either is. Ties share the derivative equally, as in JAX.
struct minimum : elementwise<2> {
    static constexpr char const* name = "minimum";
    static constexpr bool scales = false;
    template <class V>
    static constexpr V value(V a, V b) {
        using math::select;
        return select(b < a, b, select(b == b, a, b));
    }
    template <int K, class S>
    static constexpr S derivative(S v, S a, S b, S) {
        if constexpr (K == 0) return share(v, b, a);
        else return share(v, a, b);
    }
};

/// max(x, 0), with derivative 0 at 0.
struct relu : elementwise<1> {
    static constexpr char const* name = "relu";
    static constexpr bool scales = false;
    template <class V>
    static constexpr V value(V a) {
        using math::select;
        return select(a < V(0), V(0), a);
    }
    template <int, class S>
    static constexpr S derivative(S v, S a, S) {
        return v.template apply<select>(v.template apply<less>(0.0, a), v, 0.0);
    }
};

/// |x|, with derivative 0 at 0.
struct absolute : elementwise<1> {
    static constexpr char const* name = "absolute";
    static constexpr bool scales = false;
    template <class V>
    static constexpr V value(V a) {
        using math::abs;
        return abs(a);
    }
    template <int, class S>
    static constexpr S derivative(S v, S a, S) {
        S below = v.template apply<select>(v.template apply<less>(a, 0.0), -v, 0.0);
        return v.template apply<select>(v.template apply<less>(0.0, a), v, below);
    }
};

}  // namespace op
}  // namespace v0
}  // namespace unspool
