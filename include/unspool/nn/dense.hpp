// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/product.hpp>
#include <unspool/nn/parameters.hpp>

/// @file
/// The dense layer with Keras' semantics, as an expression.

namespace unspool::inline v0 {

/// y = x·kernel + bias over the last axis of x, (…, Inputs) to (…, Outputs). Source: Keras' Dense.
template <class T, auto Inputs, auto Outputs, expression X>
constexpr auto dense(dense_params<traced<T>, Inputs, Outputs> const& layer, X const& x) {
    return dot(x, layer.kernel) + layer.bias;
}

}  // namespace unspool::inline v0
