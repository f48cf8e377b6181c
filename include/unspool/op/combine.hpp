// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/walk.hpp>

/// Operations whose result is put together from copies of their operands.
namespace unspool {
inline namespace v0 {
namespace op {

/// Zeros with the operand placed inside. attr: where the operand's first element goes on each axis,
/// then the extents of the result.
struct pad {
    static constexpr char const* name = "pad";
    static constexpr family kind = family::combine;

    static constexpr shape infer(shape const* x, int, int const* attr, int) {
        shape s;
        s.rank = x[0].rank;
        for (int i = 0; i < s.rank; ++i) s.extent[i] = attr[s.rank + i];
        return s;
    }
    /// Where operand k lies in the result.
    static constexpr void place(shape const*, int, int const* attr, shape const& dims, int* start) {
        for (int i = 0; i < dims.rank; ++i) start[i] = attr[i];
    }
    template <class B>
    static constexpr ref vjp(B& b, site const& s, int, ref ct) {
        return b.slice(ct, list<int>(s.attr, s.dims.rank), b.dims(s.x[0]));
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref const* v) {
        return b.pad(v[0], list<int>(s.attr, s.dims.rank), s.dims);
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref const* x, int n) {
        list<int> start{0};
        for (int i = 0; i < s.dims.rank; ++i) start.push_back(s.attr[i]);
        return b.pad(x[0], start, s.dims.with_front(n));
    }
};

/// The operands one after the other along an axis. attr: the axis.
struct concatenate {
    static constexpr char const* name = "concatenate";
    static constexpr family kind = family::combine;

    static constexpr shape infer(shape const* x, int count, int const* attr, int) {
        shape s = x[0];
        for (int k = 1; k < count; ++k) s.extent[attr[0]] += x[k].extent[attr[0]];
        return s;
    }
    static constexpr void place(shape const* x, int k, int const* attr, shape const& dims,
                                int* start) {
        for (int i = 0; i < dims.rank; ++i) start[i] = 0;
        for (int j = 0; j < k; ++j) start[attr[0]] += x[j].extent[attr[0]];
    }
    /// x̄_k = the slice of ȳ where operand k lies.
    template <class B>
    static constexpr ref vjp(B& b, site const& s, int k, ref ct) {
        list<int> start(s.dims.rank, 0);
        for (int j = 0; j < k; ++j) start[s.attr[0]] += b.dims(s.x[j]).extent[s.attr[0]];
        return b.slice(ct, start, b.dims(s.x[k]));
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref const* v) {
        return b.concatenate(list<ref>(v, s.count), s.attr[0]);
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref const* x, int) {
        return b.concatenate(list<ref>(x, s.count), s.attr[0] + 1);
    }
};

/// What hands its operand on.
struct unchanged {
    static constexpr family kind = family::combine;

    static constexpr shape infer(shape const* x, int, int const*, int) { return x[0]; }
    static constexpr void place(shape const*, int, int const*, shape const&, int*) {}
    template <class B>
    static constexpr ref vjp(B&, site const&, int, ref ct) {
        return ct;
    }
    template <class B>
    static constexpr ref jvp(B&, site const&, ref const* v) {
        return v[0];
    }
};

/// The operand itself, laid out row-major: a view made an array, where a kernel wants one.
struct contiguous : unchanged {
    static constexpr char const* name = "contiguous";
    template <class B>
    static constexpr ref batch(B& b, site const&, ref const* x, int) {
        return b.contiguous(x[0]);
    }
};

/// The operand itself under a name, for `inspection`. attr: the name's characters. Copying a graph,
/// as every pass does, leaves it out, so that no program computes it.
struct inspect : unchanged {
    static constexpr char const* name = "inspect";
    template <class B>
    static constexpr ref batch(B&, site const&, ref const* x, int) {
        return x[0];
    }
};

/// Evaluation of all: zeros, then each operand in its place.
template <class Op, class T>
constexpr void evaluate_combine(evaluation<T> const& e) {
    strides const y_step(e.dims);
    int const size = e.dims.size();
    for (int i = 0; i < size; ++i) e.y[i] = T(0);
    for (int k = 0; k < e.count; ++k) {
        int start[max_rank] = {};
        Op::place(e.x_dims, k, e.attr, e.dims, start);
        int offset = 0;
        for (int i = 0; i < e.dims.rank; ++i) offset += start[i] * y_step.step[i];
        T const* x = e.x[k];
        T* y = e.y;
        walk(e.x_dims[k], y_step.step, offset, [x, y](int from, int to, int n) {
            for (int i = 0; i < n; ++i) y[to + i] = x[from + i];
        });
    }
}

}  // namespace op
}  // namespace v0
}  // namespace unspool
