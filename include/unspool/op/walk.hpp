// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/rule.hpp>

namespace unspool {
inline namespace v0 {
namespace op {

/// How the axes of a view run over its operand: axis i of the view is axis `from[i]` of the operand
/// (`none`: the operand lacks it, each index sees the same element), from index `start[axis]` of
/// the operand on. Bit i of `reversed`: from there on backwards.
struct axes {
    int from[max_rank] = {};
    int start[max_rank] = {};
    int reversed = 0;

    constexpr int offset(shape const& x, int const* x_step) const {
        int k = 0;
        for (int i = 0; i < x.rank; ++i) k += start[i] * x_step[i];
        return k;
    }
    constexpr int step(int axis, int const* x_step) const {
        if (from[axis] == none) return 0;
        return (reversed >> axis & 1) != 0 ? -x_step[from[axis]] : x_step[from[axis]];
    }
};

/// Calls `row(k, j, n)` for each run of n consecutive elements k… of a row-major walk over `dims`,
/// j being the offset that the strides `step` give its first element. Rows are what keeps constant
/// evaluation cheap: the caller's loop over one row is flat.
template <class Row>
constexpr void walk(shape const& dims, int const* step, int offset, Row row) {
    int const inner = dims.rank == 0 ? 1 : dims.extent[dims.rank - 1];
    int const rows = dims.size() / inner;
    int index[max_rank] = {};
    for (int r = 0; r < rows; ++r) {
        row(r * inner, offset, inner);
        for (int i = dims.rank - 2; i >= 0; --i) {
            offset += step[i];
            if (++index[i] < dims.extent[i]) break;
            offset -= step[i] * dims.extent[i];
            index[i] = 0;
        }
    }
}

/// The step of the last axis, which `walk` leaves to its caller.
constexpr int inner_step(shape const& dims, int const* step) {
    return dims.rank == 0 ? 0 : step[dims.rank - 1];
}

}  // namespace op
}  // namespace v0
}  // namespace unspool
