// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/compare.hpp>
#include <unspool/op/walk.hpp>

/// Reductions. attr: the axes, increasing, which the result lacks.
///
///   identity<T>, fold(acc, x)     how elements come together
///   vjp(b, s, ct), jvp(b, s, v)   derivative rules
///   batch(b, s, x, n)             the same reduction behind a new leading axis
namespace unspool {
inline namespace v0 {
namespace op {

constexpr bool has_axis(int const* attr, int attrs, int axis) {
    for (int i = 0; i < attrs; ++i)
        if (attr[i] == axis) return true;
    return false;
}

struct reduction {
    static constexpr family kind = family::reduction;

    static constexpr shape infer(shape const& x, int const* attr, int attrs) {
        shape s;
        for (int i = 0; i < x.rank; ++i)
            if (!has_axis(attr, attrs, i)) s.extent[s.rank++] = x.extent[i];
        return s;
    }
    /// The axes of the operand that the result keeps: what broadcasts the result back.
    static constexpr list<int> kept(shape const& x, int const* attr, int attrs) {
        list<int> axes;
        for (int i = 0; i < x.rank; ++i)
            if (!has_axis(attr, attrs, i)) axes.push_back(i);
        return axes;
    }
    static constexpr list<int> behind_front(site const& s) {
        list<int> axes;
        for (int i = 0; i < s.attrs; ++i) axes.push_back(s.attr[i] + 1);
        return axes;
    }
};

struct sum : reduction {
    static constexpr char const* name = "sum";
    template <class V>
    static constexpr V fold(V acc, V x) {
        return acc + x;
    }
    /// x̄ = ȳ broadcast over the axes summed.
    template <class B>
    static constexpr ref vjp(B& b, site const& s, ref ct) {
        shape const x = b.dims(s.x[0]);
        return b.broadcast(ct, kept(x, s.attr, s.attrs), x);
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref v) {
        return b.sum(v, list<int>(s.attr, s.attrs));
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref x, int) {
        return b.sum(x, behind_front(s));
    }
};

/// The largest element. Ties share the derivative equally, as in JAX.
struct reduce_max : reduction {
    static constexpr char const* name = "max";
    template <class V>
    static constexpr V fold(V acc, V x) {
        return maximum::value(acc, x);
    }
    /// The weight of each element in the derivative: 1 / (number of ties) at the maximum, else 0.
    template <class B>
    static constexpr ref weight(B& b, site const& s) {
        shape const x = b.dims(s.x[0]);
        list<int> const keep = kept(x, s.attr, s.attrs);
        ref const at = b.template apply<equal>(s.x[0], b.broadcast(s.y, keep, x));
        ref const ties = b.sum(at, list<int>(s.attr, s.attrs));
        return b.template apply<divide>(at, b.broadcast(ties, keep, x));
    }
    template <class B>
    static constexpr ref vjp(B& b, site const& s, ref ct) {
        shape const x = b.dims(s.x[0]);
        ref const wide = b.broadcast(ct, kept(x, s.attr, s.attrs), x);
        return b.template apply<multiply>(weight(b, s), wide);
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref v) {
        return b.sum(b.template apply<multiply>(weight(b, s), v), list<int>(s.attr, s.attrs));
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref x, int) {
        return b.template reduce<reduce_max>(x, behind_front(s));
    }
};

/// y = the operand folded over its reduced axes, in row-major order.
template <class Op, class T>
constexpr void evaluate_reduction(evaluation<T> const& e) {
    shape const& x_dims = e.x_dims[0];
    strides const y_step(e.dims);
    int step[max_rank] = {};
    for (int i = 0, kept = 0; i < x_dims.rank; ++i)
        step[i] = has_axis(e.attr, e.attrs, i) ? 0 : y_step.step[kept++];
    int const size = e.dims.size();
    list<int> seen(size, 0);
    int const inner = inner_step(x_dims, step);
    T const* x = e.x[0];
    T* y = e.y;
    walk(x_dims, step, 0, [&](int from, int to, int n) {
        for (int i = 0; i < n; ++i, to += inner) {
            y[to] = seen[to] ? Op::fold(y[to], x[from + i]) : x[from + i];
            seen[to] = 1;
        }
    });
}

}  // namespace op
}  // namespace v0
}  // namespace unspool
