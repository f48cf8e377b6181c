// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/list.hpp>
#include <unspool/core/shape.hpp>

namespace unspool {
inline namespace v0 {

/// A value of the graph under construction, by the index of its node.
using ref = int;
/// "No value": a cotangent or tangent that is zero by structure.
inline constexpr ref none = -1;

namespace op {

/// What an operation is to the passes.
enum class family {
    source,       ///< arguments and constants: no operands
    elementwise,  ///< result and operands share one shape; the Jacobian is diagonal
    view,         ///< the elements of one operand, seen under another shape or order
    combine,      ///< pad, concatenate: elements are copied, not computed
    reduction,
    product,
    indexing,  ///< rows chosen by the values of operand 0, which has no derivative
    loop,      ///< scan and its outputs: handled by the passes, not by rules
};

/// One use of an operation, as its derivative and batch rules see it: the attributes, and the
/// operands and the result as values of the graph under construction.
struct site {
    shape dims;                 ///< shape of the result
    int const* attr = nullptr;  ///< integer attributes; each operation says what they mean
    int attrs = 0;
    double value = 0;  ///< of a constant
    ref const* x = nullptr;
    int count = 0;
    ref y = none;
};

/// What a structural operation is evaluated with: plain pointers and shapes, so that one flat loop
/// serves constant evaluation and the interpreter.
template <class T>
struct evaluation {
    shape dims;
    int const* attr = nullptr;
    int attrs = 0;
    T const* const* x = nullptr;
    shape const* x_dims = nullptr;
    int count = 0;
    T* y = nullptr;
};

/// Row-major strides of a shape, in elements.
struct strides {
    int step[max_rank] = {};
    constexpr explicit strides(shape const& s) {
        int n = 1;
        for (int i = s.rank - 1; i >= 0; --i) {
            step[i] = n;
            n *= s.extent[i];
        }
    }
};

/// An elementwise derivative rule is written as a formula over symbols: `v * (1 - y * y)`.
/// `Builder` is the graph under construction.
template <class Builder>
struct symbol {
    Builder* graph = nullptr;
    ref id = none;

    template <class Op, class... X>
    constexpr symbol apply(X... operands) const {
        return {graph, graph->template apply<Op>(lift(operands).id...)};
    }
    constexpr symbol lift(symbol x) const { return x; }
    constexpr symbol lift(double c) const { return {graph, graph->constant(c, graph->dims(id))}; }
};

}  // namespace op
}  // namespace v0
}  // namespace unspool
