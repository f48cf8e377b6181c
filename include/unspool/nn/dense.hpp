// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/product.hpp>
#include <unspool/nn/parameters.hpp>

/// @file
/// The dense layer with Keras' semantics, as an expression.

namespace unspool {
inline namespace v0 {

/// y = x·kernel + bias over the last axis of x, (…, Inputs) to (…, Outputs). Source: Keras' Dense.
template <class T, auto Inputs, auto Outputs, expression X>
constexpr auto dense(dense_params<traced<T>, Inputs, Outputs> const& layer, X const& x) {
    constexpr bool fits = X::rank > 0 && X::dims.extent[X::rank > 0 ? X::rank - 1 : 0] == Inputs;
    static_assert(
        fits, "unspool: the last axis of a dense layer's input has another width than the layer "
              "has inputs; both stand in dense<element, inputs, outputs, input>");
    if constexpr (fits) {
        return dot(x, layer.kernel) + layer.bias;
    } else {
        constexpr shape s = [] {
            shape r = X::dims;
            r.extent[r.rank > 0 ? r.rank - 1 : 0] = Outputs;
            return r;
        }();
        return detail::no_result<op::add, T, s>(fault::kind::told, x.scope);
    }
}

}  // namespace v0
}  // namespace unspool
