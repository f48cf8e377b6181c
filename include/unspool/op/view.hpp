// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/walk.hpp>

/// Views: the elements of one operand under other indices. Their meaning is index arithmetic, which
/// evaluation walks and the plan composes, so that most of them cost nothing at run time.
///
///   name, kind
///   infer(x_dims, attr, attrs)    shape of the result
///   view(x_dims, attr)            which axis of the operand each axis of the result runs over
///   vjp(b, s, ct), jvp(b, s, v)   both linear; each the transpose of the other
///   batch(b, s, n)                the same view behind a new leading axis of n on the operand
namespace unspool {
inline namespace v0 {
namespace op {

/// attr: one entry per axis of the operand, the result axis it becomes (increasing), then the
/// extents of the result.
struct broadcast {
    static constexpr char const* name = "broadcast";
    static constexpr family kind = family::view;

    static constexpr shape infer(shape const& x, int const* attr, int attrs) {
        shape s;
        s.rank = attrs - x.rank;
        for (int i = 0; i < s.rank; ++i) s.extent[i] = attr[x.rank + i];
        return s;
    }
    static constexpr axes view(shape const& x, int const* attr) {
        axes v;
        for (int i = 0; i < max_rank; ++i) v.from[i] = none;
        for (int i = 0; i < x.rank; ++i) v.from[attr[i]] = i;
        return v;
    }
    /// x̄ = Σ ȳ over the axes that the operand lacks.
    template <class B>
    static constexpr ref vjp(B& b, site const& s, ref ct) {
        list<int> added;
        int const x_rank = s.attrs - s.dims.rank;
        for (int i = 0, next = 0; i < s.dims.rank; ++i) {
            if (next < x_rank && s.attr[next] == i) ++next;
            else added.push_back(i);
        }
        return b.sum(ct, added);
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref v) {
        return b.broadcast(v, list<int>(s.attr, s.attrs - s.dims.rank), s.dims);
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref x, int n) {
        list<int> to{0};
        for (int i = 0; i < s.attrs - s.dims.rank; ++i) to.push_back(s.attr[i] + 1);
        return b.broadcast(x, to, s.dims.with_front(n));
    }
};

/// attr: the extents of the result. Row-major order is kept.
struct reshape {
    static constexpr char const* name = "reshape";
    static constexpr family kind = family::view;

    static constexpr shape infer(shape const&, int const* attr, int attrs) {
        shape s;
        s.rank = attrs;
        for (int i = 0; i < attrs; ++i) s.extent[i] = attr[i];
        return s;
    }
    template <class B>
    static constexpr ref vjp(B& b, site const& s, ref ct) {
        return b.reshape(ct, b.dims(s.x[0]));
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref v) {
        return b.reshape(v, s.dims);
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref x, int n) {
        return b.reshape(x, s.dims.with_front(n));
    }
};

/// attr: axis i of the result is axis attr[i] of the operand.
struct transpose {
    static constexpr char const* name = "transpose";
    static constexpr family kind = family::view;

    static constexpr shape infer(shape const& x, int const* attr, int attrs) {
        shape s;
        s.rank = attrs;
        for (int i = 0; i < attrs; ++i) s.extent[i] = x.extent[attr[i]];
        return s;
    }
    static constexpr axes view(shape const& x, int const* attr) {
        axes v;
        for (int i = 0; i < x.rank; ++i) v.from[i] = attr[i];
        return v;
    }
    template <class B>
    static constexpr ref vjp(B& b, site const& s, ref ct) {
        list<int> inverse(s.attrs, 0);
        for (int i = 0; i < s.attrs; ++i) inverse[s.attr[i]] = i;
        return b.transpose(ct, inverse);
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref v) {
        return b.transpose(v, list<int>(s.attr, s.attrs));
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref x, int) {
        list<int> order{0};
        for (int i = 0; i < s.attrs; ++i) order.push_back(s.attr[i] + 1);
        return b.transpose(x, order);
    }
};

/// attr: the first index on each axis, then the extents of the result.
struct slice {
    static constexpr char const* name = "slice";
    static constexpr family kind = family::view;

    static constexpr shape infer(shape const& x, int const* attr, int) {
        shape s;
        s.rank = x.rank;
        for (int i = 0; i < x.rank; ++i) s.extent[i] = attr[x.rank + i];
        return s;
    }
    static constexpr axes view(shape const& x, int const* attr) {
        axes v;
        for (int i = 0; i < x.rank; ++i) {
            v.from[i] = i;
            v.start[i] = attr[i];
        }
        return v;
    }
    /// x̄ is ȳ where the slice was, 0 elsewhere.
    template <class B>
    static constexpr ref vjp(B& b, site const& s, ref ct) {
        return b.pad(ct, list<int>(s.attr, s.dims.rank), b.dims(s.x[0]));
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref v) {
        return b.slice(v, list<int>(s.attr, s.dims.rank), s.dims);
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref x, int n) {
        list<int> start{0};
        for (int i = 0; i < s.dims.rank; ++i) start.push_back(s.attr[i]);
        return b.slice(x, start, s.dims.with_front(n));
    }
};

/// Some axes from their last element to their first. attr: for each axis, 1 if it is one of them.
struct reverse {
    static constexpr char const* name = "reverse";
    static constexpr family kind = family::view;

    static constexpr shape infer(shape const& x, int const*, int) { return x; }
    static constexpr axes view(shape const& x, int const* attr) {
        axes v;
        for (int i = 0; i < x.rank; ++i) {
            v.from[i] = i;
            v.start[i] = attr[i] != 0 ? x.extent[i] - 1 : 0;
            v.reversed |= attr[i] << i;
        }
        return v;
    }
    /// Its own inverse, and its own transpose.
    template <class B>
    static constexpr ref vjp(B& b, site const& s, ref ct) {
        return b.reverse(ct, list<int>(s.attr, s.attrs));
    }
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref v) {
        return vjp(b, s, v);
    }
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref x, int) {
        list<int> flags{0};
        flags.append(list<int>(s.attr, s.attrs));
        return b.reverse(x, flags);
    }
};

}  // namespace op
}  // namespace v0
}  // namespace unspool
