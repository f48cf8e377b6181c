// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/arithmetic.hpp>

/// Functions that are constant but for jumps; their derivative is zero, at the jumps by definition.
namespace unspool {
inline namespace v0 {
namespace op {

struct step_function : elementwise<1> {
    static constexpr bool differentiable = false;
};

/// The largest integer that is not above x.
struct floor : step_function {
    static constexpr char const* name = "floor";
    template <class V>
    static constexpr V value(V x) {
        return math::floor(x);
    }
};

/// The nearest integer, ties to even.
struct round : step_function {
    static constexpr char const* name = "round";
    template <class V>
    static constexpr V value(V x) {
        return math::round(x);
    }
};

/// -1, 0 or 1; zero and NaN are themselves.
struct sign : step_function {
    static constexpr char const* name = "sign";
    template <class V>
    static constexpr V value(V x) {
        using math::select;
        return select(x < V(0), V(-1), select(x > V(0), V(1), x));
    }
};

}  // namespace op
}  // namespace v0
}  // namespace unspool
