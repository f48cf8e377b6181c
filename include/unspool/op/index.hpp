// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/checked_index.hpp>
#include <unspool/op/structure.hpp>

/// Rows chosen by indices that are known only at run time. Operand 0 holds the indices, whole
/// numbers in the element type, of any shape; it has no derivative.
///
///   infer(index_dims, x_dims, attr)   shape of the result
///   vjp(b, s, k, ct), jvp(b, s, v)    both linear in operand 1; each the transpose of the other
///   batch(b, s, x, has_axis, n)       the same behind a new leading axis of n
namespace unspool {
inline namespace v0 {
namespace op {

/// How the shapes of a table, of indices and of the rows that they name belong together.
struct indexed_rows {
    static constexpr shape rows(shape const& index, shape const& x) {
        shape s = index;
        for (int i = 1; i < x.rank; ++i) s.extent[s.rank++] = x.extent[i];
        return s;
    }
    static constexpr shape table(shape const& index, shape const& rows, int extent) {
        shape s = shape::of(extent);
        for (int i = index.rank; i < rows.rank; ++i) s.extent[s.rank++] = rows.extent[i];
        return s;
    }
};

/// One by one along the new axis: for batches of tables there is no single table to index.
template <class Op, class B>
constexpr ref batch_by_loop(B& b, site const& s, ref const* x, bool const* has_axis, int n) {
    scan_layout l;
    l.steps = n;
    l.outputs = 1;
    B body;
    list<ref> constants, inputs, constants_inside, inputs_inside;
    ref inside[2]{};
    for (int k = 0; k < 2; ++k) {
        shape const dims = has_axis[k] ? b.dims(x[k]).without_front() : b.dims(x[k]);
        inside[k] = body.argument(dims);
        (has_axis[k] ? inputs : constants).push_back(x[k]);
        (has_axis[k] ? inputs_inside : constants_inside).push_back(inside[k]);
    }
    l.constants = constants.size();
    l.inputs = inputs.size();
    body.arguments = constants_inside;
    body.arguments.append(inputs_inside);
    body.results.push_back(body.template indexed<Op>(inside[0], inside[1], s.dims.extent[0]));
    constants.append(inputs);
    return b.output(b.scan(l, constants, std::move(body)), 0);
}

/// y[i…] = x[index[i…]], rows of x along its first axis.
struct gather : indexed_rows {
    static constexpr char const* name = "gather";
    static constexpr family kind = family::indexing;

    static constexpr shape infer(shape const& index, shape const& x, int const*) {
        return rows(index, x);
    }
    template <class B>
    static constexpr ref vjp(B& b, site const& s, int, ref ct) {
        return b.scatter_add(s.x[0], ct, b.dims(s.x[1]).extent[0]);
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref const* v) {
        return b.gather(s.x[0], v[1]);
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref const* x, bool const* has_axis, int n) {
        return has_axis[1] ? batch_by_loop<gather>(b, s, x, has_axis, n) : b.gather(x[0], x[1]);
    }
};

/// y[r] = the sum of the rows x[i…] whose index[i…] is r, 0 where there is none. attr: the first
/// extent of y.
struct scatter_add : indexed_rows {
    static constexpr char const* name = "scatter_add";
    static constexpr family kind = family::indexing;

    static constexpr shape infer(shape const& index, shape const& x, int const* attr) {
        return table(index, x, attr[0]);
    }
    template <class B>
    static constexpr ref vjp(B& b, site const& s, int, ref ct) {
        return b.gather(s.x[0], ct);
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref const* v) {
        return b.scatter_add(s.x[0], v[1], s.dims.extent[0]);
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref const* x, bool const* has_axis, int n) {
        return batch_by_loop<scatter_add>(b, s, x, has_axis, n);
    }
};

template <class T>
constexpr void evaluate_gather(evaluation<T> const& e) {
    int const indices = e.x_dims[0].size();
    int const row = e.dims.size() / indices;
    for (int i = 0; i < indices; ++i) {
        T const* from = e.x[1] + checked_index(e.x[0][i], e.x_dims[1].extent[0]) * row;
        T* to = e.y + i * row;
        for (int k = 0; k < row; ++k) to[k] = from[k];
    }
}
template <class T>
constexpr void evaluate_scatter_add(evaluation<T> const& e) {
    int const indices = e.x_dims[0].size();
    int const row = e.x_dims[1].size() / indices;
    int const size = e.dims.size();
    for (int i = 0; i < size; ++i) e.y[i] = T(0);
    for (int i = 0; i < indices; ++i) {
        T const* from = e.x[1] + i * row;
        T* to = e.y + checked_index(e.x[0][i], e.dims.extent[0]) * row;
        for (int k = 0; k < row; ++k) to[k] += from[k];
    }
}

}  // namespace op
}  // namespace v0
}  // namespace unspool
