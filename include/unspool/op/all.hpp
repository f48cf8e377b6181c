// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/arithmetic.hpp>
#include <unspool/op/combine.hpp>
#include <unspool/op/compare.hpp>
#include <unspool/op/function.hpp>
#include <unspool/op/index.hpp>
#include <unspool/op/product.hpp>
#include <unspool/op/reduce.hpp>
#include <unspool/op/rounding.hpp>
#include <unspool/op/structure.hpp>
#include <unspool/op/view.hpp>

#include <tuple>
#include <type_traits>

namespace unspool {
inline namespace v0 {
namespace op {

template <class... Op>
struct operation_set {
    static constexpr int count = sizeof...(Op);
};

/// Every operation of the graph; a node's code is the position here. A new operation is one struct
/// in the header of its family and one word in this list.
using all = operation_set<argument, constant, literal, scan, output, broadcast, reshape, transpose,
                          reverse, slice, pad, concatenate, contiguous, inspect, gather,
                          scatter_add, sum, reduce_max, dot, stop_gradient, add, subtract, multiply,
                          divide, negate, less, less_equal, equal, select, maximum, minimum, relu,
                          absolute, exp, log, log1p, tanh, sigmoid, sin, cos, sqrt, square, expm1,
                          erf, atan, softplus, floor, round, sign, pow>;

template <class Op, class... Ops>
constexpr int position(operation_set<Ops...>) {
    int found = -1;
    int i = 0;
    ((std::is_same_v<Op, Ops> ? (found = i++) : i++), ...);
    return found;
}

template <class Set>
struct indexed;
template <class... Ops>
struct indexed<operation_set<Ops...>> {
    template <int I>
    using at = std::tuple_element_t<I, std::tuple<Ops...>>;
};
/// The operation of a code.
template <int Code>
using at_code = typename indexed<all>::template at<Code>;

/// The code of an operation in a node.
template <class Op>
inline constexpr int code = position<Op>(all{});

/// A table over all operations, indexed by code: `table<Make>[code]` is `Make<Op>::value`.
template <template <class> class Make, class Set = all>
inline constexpr bool table = false;
template <template <class> class Make, class First, class... Rest>
inline constexpr auto table<Make, operation_set<First, Rest...>> = [] {
    struct {
        decltype(Make<First>::value) entry[1 + sizeof...(Rest)];
        constexpr auto operator[](int i) const { return entry[i]; }
    } t{{Make<First>::value, Make<Rest>::value...}};
    return t;
}();

template <class Op>
struct name_of {
    static constexpr char const* value = Op::name;
};
template <class Op>
struct family_of {
    static constexpr family value = Op::kind;
};
template <class Op>
struct is_transcendental {
    static constexpr bool value = [] {
        if constexpr (Op::kind == family::elementwise) return Op::transcendental;
        else return false;
    }();
};
template <class Op>
struct scales_cotangent {
    static constexpr bool value = [] {
        if constexpr (Op::kind == family::elementwise) return Op::scales;
        else return false;
    }();
};
template <class Op>
concept never_differentiable = requires {
    requires !Op::differentiable;
};
/// The first operand that has a derivative: the condition of a select and indices have none.
template <class Op>
struct first_differentiable {
    static constexpr int value = std::is_same_v<Op, select> || Op::kind == family::indexing ? 1 : 0;
};
template <class Op>
struct is_differentiable {
    static constexpr bool value = !never_differentiable<Op>;
};

}  // namespace op
}  // namespace v0
}  // namespace unspool
