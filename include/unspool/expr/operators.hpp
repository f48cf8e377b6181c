// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/broadcast.hpp>

/// The elementwise part of the language. Shapes broadcast as in NumPy; numbers and plain tensors
/// may stand on either side of an expression.
namespace unspool {
inline namespace v0 {
namespace detail {

/// The elementwise operation on expressions whose shapes are known to fit, or not to.
template <class Op, class T, bool Fits, class... X>
constexpr auto elementwise_of(X const&... x) {
    constexpr shape s = common_shape<X...>();
    traced_tensor<T, s> result;
    trace_scope* scope = scope_of(x...);
    if (!Fits) {
        return no_result<Op, T, s>(fault::kind::told, scope);
    } else if (scope != nullptr) {
        ref const ids[] = {stretch(scope->g, x.in(*scope), s)...};
        result.scope = scope;
        result.id = scope->g.elementwise(op::code<Op>, ids, Op::arity);
    } else if (((x.table != nullptr) || ...)) {
        return no_result<Op, T, s>(fault::kind::constants, nullptr);
    } else {
        result.fill = Op::value(x.fill...);
        ((result.id = x.id < none ? x.id : result.id), ...);
    }
    return traced_expr<Op, T, s>(result);
}

/// Applies an elementwise operation to operands of which at least one is an expression.
template <class Op, class... X>
constexpr auto elementwise(X const&... operands) {
    using T = typename common_element<X...>::type;
    static_assert((has_element<T, X> && ...),
                  "unspool: an expression mixes float and double; use one element type; the "
                  "operation and its operands stand in elementwise<op, …>");
    constexpr bool fits = broadcast_together<X...>();
    static_assert(fits,
                  "unspool: the shapes of an elementwise operation do not broadcast; it and its "
                  "operands stand in elementwise<op, …>");
    return elementwise_of<Op, T, fits>(as_expression<T>(operands)...);
}

}  // namespace detail

template <class A, class B>
concept operands = operand<A> && operand<B> &&(expression<A> || expression<B>);

template <expression X>
constexpr auto operator-(X const& x) {
    return detail::elementwise<op::negate>(x);
}
template <class A, class B>
    requires operands<A, B>
constexpr auto operator+(A const& a, B const& b) { return detail::elementwise<op::add>(a, b); }
template <class A, class B>
    requires operands<A, B>
constexpr auto operator-(A const& a, B const& b) { return detail::elementwise<op::subtract>(a, b); }
template <class A, class B>
    requires operands<A, B>
constexpr auto operator*(A const& a, B const& b) { return detail::elementwise<op::multiply>(a, b); }
template <class A, class B>
    requires operands<A, B>
constexpr auto operator/(A const& a, B const& b) { return detail::elementwise<op::divide>(a, b); }
template <class X, class B>
    requires expression<X> && operand<B>
constexpr X& operator+=(X& x, B const& b) { return x = x + b; }
template <class X, class B>
    requires expression<X> && operand<B>
constexpr X& operator-=(X& x, B const& b) { return x = x - b; }
template <class X, class B>
    requires expression<X> && operand<B>
constexpr X& operator*=(X& x, B const& b) { return x = x * b; }

/// Comparisons give 1 where they hold and 0 elsewhere, in the element type.
template <class A, class B>
    requires operands<A, B>
constexpr auto operator<(A const& a, B const& b) { return detail::elementwise<op::less>(a, b); }
template <class A, class B>
    requires operands<A, B>
constexpr auto operator<=(A const& a, B const& b) {
    return detail::elementwise<op::less_equal>(a, b);
}
template <class A, class B>
    requires operands<A, B>
constexpr auto operator>(A const& a, B const& b) { return detail::elementwise<op::less>(b, a); }
template <class A, class B>
    requires operands<A, B>
constexpr auto operator>=(A const& a, B const& b) {
    return detail::elementwise<op::less_equal>(b, a);
}
template <class A, class B>
    requires operands<A, B>
constexpr auto operator==(A const& a, B const& b) { return detail::elementwise<op::equal>(a, b); }
template <class A, class B>
    requires operands<A, B>
constexpr auto operator!=(A const& a, B const& b) { return 1 - (a == b); }

/// e to the power of x.
constexpr auto exp(expression auto const& x) { return detail::elementwise<op::exp>(x); }
/// The natural logarithm.
constexpr auto log(expression auto const& x) { return detail::elementwise<op::log>(x); }
/// exp(x) - 1, accurate near 0.
constexpr auto expm1(expression auto const& x) { return detail::elementwise<op::expm1>(x); }
/// log(1 + x), accurate near 0.
constexpr auto log1p(expression auto const& x) { return detail::elementwise<op::log1p>(x); }
/// The square root; its derivative at 0 is infinite.
constexpr auto sqrt(expression auto const& x) { return detail::elementwise<op::sqrt>(x); }
/// The hyperbolic tangent.
constexpr auto tanh(expression auto const& x) { return detail::elementwise<op::tanh>(x); }
/// The logistic function 1 / (1 + exp(-x)).
constexpr auto sigmoid(expression auto const& x) { return detail::elementwise<op::sigmoid>(x); }
/// log(1 + exp(x)), also where exp(x) overflows.
constexpr auto softplus(expression auto const& x) { return detail::elementwise<op::softplus>(x); }
/// The error function 2/√π ∫₀ˣ exp(−t²) dt.
constexpr auto erf(expression auto const& x) { return detail::elementwise<op::erf>(x); }
/// max(x, 0), with derivative 0 at 0.
constexpr auto relu(expression auto const& x) { return detail::elementwise<op::relu>(x); }
/// The absolute value, with derivative 0 at 0.
constexpr auto abs(expression auto const& x) { return detail::elementwise<op::absolute>(x); }
/// x * x.
constexpr auto square(expression auto const& x) { return detail::elementwise<op::square>(x); }
constexpr auto sin(expression auto const& x) { return detail::elementwise<op::sin>(x); }
constexpr auto cos(expression auto const& x) { return detail::elementwise<op::cos>(x); }
/// The arc tangent in radians.
constexpr auto atan(expression auto const& x) { return detail::elementwise<op::atan>(x); }

/// The largest integer that is not above x; its derivative is 0.
constexpr auto floor(expression auto const& x) { return detail::elementwise<op::floor>(x); }
/// The nearest integer, ties to even as in NumPy; its derivative is 0.
constexpr auto round(expression auto const& x) { return detail::elementwise<op::round>(x); }
/// -1, 0 or 1, NaN for NaN; its derivative is 0.
constexpr auto sign(expression auto const& x) { return detail::elementwise<op::sign>(x); }

/// x, through which no derivative flows.
constexpr auto stop_gradient(expression auto const& x) {
    return detail::elementwise<op::stop_gradient>(x);
}

/// The larger of two operands, elementwise; ties share the derivative equally.
template <class A, class B>
    requires operands<A, B>
constexpr auto maximum(A const& a, B const& b) { return detail::elementwise<op::maximum>(a, b); }
/// The smaller of two operands, elementwise; ties share the derivative equally.
template <class A, class B>
    requires operands<A, B>
constexpr auto minimum(A const& a, B const& b) { return detail::elementwise<op::minimum>(a, b); }
/// a to the power of b, elementwise; NaN where a < 0 and b is no integer, and otherwise C's special
/// cases. The derivative with respect to b is 0 where a is 0 and b > 0.
template <class A, class B>
    requires operands<A, B>
constexpr auto pow(A const& a, B const& b) { return detail::elementwise<op::pow>(a, b); }
/// a where c is not 0, b elsewhere. A NaN or an infinity in the branch not taken leaks neither into
/// the value nor into the derivative.
template <operand C, operand A, operand B>
    requires(expression<C> || expression<A> || expression<B>)
constexpr auto select(C const& c, A const& a, B const& b) {
    return detail::elementwise<op::select>(c, a, b);
}

}  // namespace v0
}  // namespace unspool
