// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/indexing.hpp>

/// Convolutions over time.
namespace unspool {
inline namespace v0 {

/// Where a convolution sees zeros beyond its input: before it, so that no output sees a later
/// input; on both sides, so that there are as many outputs as inputs (per stride), the odd one
/// behind; or nowhere.
enum padding { causal, same, valid };

namespace detail {

/// The extents of a convolution over time, by Keras' rules.
struct convolution {
    int before = 0;
    int after = 0;
    int outputs = 0;
};
constexpr convolution convolution_of(padding p, int steps, int taps, int stride, int dilation) {
    int const reach = (taps - 1) * dilation;  // from the first tap to the last
    convolution c;
    if (p == causal) c.before = reach;
    if (p == same) {
        int const wanted = (steps + stride - 1) / stride;
        int const missing = (wanted - 1) * stride + reach + 1 - steps;
        c.before = missing > 0 ? missing / 2 : 0;
        c.after = missing > 0 ? missing - c.before : 0;
    }
    int const room = c.before + steps + c.after - reach;
    c.outputs = room > 0 ? (room - 1) / stride + 1 : 0;
    return c;
}

/// All windows of `taps` elements, `dilation` apart, of x (n, T, inputs): (n, outputs, taps,
/// inputs). As many nodes for any number of taps: x is repeated, and rows that are `dilation`
/// longer than x begin so much later each in their copy.
constexpr ref sliding_windows(graph& g, ref x, int taps, int dilation, int stride, int outputs) {
    shape const dims = g.dims(x);
    int const n = dims.extent[0];
    int const time = dims.extent[1];
    int const inputs = dims.extent[2];
    int const row = taps == 1 ? time : time + dilation;
    int const copies = (taps * row + time - 1) / time;
    ref const repeated = g.reshape(g.broadcast(x, {0, 2, 3}, shape::of(n, copies, time, inputs)),
                                   shape::of(n, copies * time, inputs));
    ref const rows = g.reshape(g.slice(repeated, {0, 0, 0}, shape::of(n, taps * row, inputs)),
                               shape::of(n, taps, row, inputs));
    return g.transpose(strided(g, rows, 2, 0, stride, outputs), {0, 2, 1, 3});
}

}  // namespace detail

/// Convolution over time as in Keras' Conv1D (a correlation: no tap is reversed). x has shape (T,
/// inputs) or (batch, T, inputs), the kernel (taps, inputs, units); the result (T′, units) or
/// (batch, T′, units), T′ = ⌈T / Stride⌉ unless `valid`. One product of the kernel and all windows
/// of x, which takes memory for taps·T·inputs elements; compile time does not depend on the taps.
template <padding Padding = valid, int Stride = 1, int Dilation = 1, expression X,
          expression Kernel>
constexpr auto conv1d(X const& x, Kernel const& kernel) {
    using T = element_t<X>;
    constexpr bool one_element = detail::has_element<T, Kernel>;
    static_assert(one_element, "unspool: a convolution mixes float and double; use one element "
                               "type; the operands stand in conv1d<…, tensor, tensor>");
    constexpr bool ranks = (X::rank == 2 || X::rank == 3) && Kernel::rank == 3;
    static_assert(ranks, "unspool: conv1d takes an input (T, inputs) or (batch, T, inputs) and a "
                         "kernel (taps, inputs, units); both stand in conv1d<…, tensor, tensor>");
    constexpr bool channels =
        !ranks || X::dims.extent[ranks ? X::rank - 1 : 0] == Kernel::dims.extent[ranks ? 1 : 0];
    static_assert(channels, "unspool: the input and the kernel of a convolution have different "
                            "numbers of channels; both stand in conv1d<…, tensor, tensor>");
    constexpr bool steps = Stride > 0 && Dilation > 0;
    static_assert(steps, "unspool: the stride and the dilation of a convolution are at least 1");
    constexpr int time = ranks ? X::dims.extent[X::rank - 2] : 1;
    constexpr int taps = ranks ? Kernel::dims.extent[0] : 1;
    constexpr int inputs = ranks ? Kernel::dims.extent[1] : 1;
    constexpr int units = ranks ? Kernel::dims.extent[2] : 1;
    constexpr auto c =
        detail::convolution_of(Padding, time, taps, steps ? Stride : 1, steps ? Dilation : 1);
    static_assert(c.outputs > 0, "unspool: the kernel of a convolution reaches further than its "
                                 "input; both stand in conv1d<…, tensor, tensor>");
    constexpr shape s = [&] {
        shape r = X::dims;
        if (!ranks || c.outputs == 0) return r;
        r.extent[r.rank - 2] = c.outputs;
        r.extent[r.rank - 1] = units;
        return r;
    }();
    trace_scope* scope = detail::scope_of(x, kernel);
    if constexpr (!one_element || !ranks || !channels || !steps || c.outputs == 0) {
        return detail::no_result<op::dot, T, s>(fault::kind::told, scope);
    } else {
        if (scope == nullptr)
            return detail::no_result<op::dot, T, s>(fault::kind::constants, scope);
        graph& g = scope->g;
        constexpr int batch = X::count / (time * inputs);
        ref const padded =
            g.pad(g.reshape(x.in(*scope), shape::of(batch, time, inputs)), {0, c.before, 0},
                  shape::of(batch, c.before + time + c.after, inputs));
        ref const windows = detail::sliding_windows(g, padded, taps, Dilation, Stride, c.outputs);
        ref const rows = g.reshape(windows, shape::of(s.size() / units, taps * inputs));
        ref const columns = g.reshape(kernel.in(*scope), shape::of(taps * inputs, units));
        traced_tensor<T, s> result;
        result.scope = scope;
        result.id = g.reshape(g.dot(rows, columns), s);
        return traced_expr<op::dot, T, s>(result);
    }
}

}  // namespace v0
}  // namespace unspool
