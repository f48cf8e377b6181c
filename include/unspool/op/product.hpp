// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/walk.hpp>

namespace unspool {
inline namespace v0 {
namespace op {

/// The matrix product of the last two axes, C = A·B (+ D, if there is a third operand, of C's
/// shape), A and B transposed first if their attributes say so. attr: {A transposed, B transposed}.
/// Axes before the last two are a batch, equal in all.
struct dot {
    static constexpr char const* name = "dot";
    static constexpr family kind = family::product;

    static constexpr int rows(shape const& a, int const* attr) {
        return a.extent[a.rank - (attr[0] ? 1 : 2)];
    }
    static constexpr int inner(shape const& a, int const* attr) {
        return a.extent[a.rank - (attr[0] ? 2 : 1)];
    }
    static constexpr int columns(shape const& b, int const* attr) {
        return b.extent[b.rank - (attr[1] ? 2 : 1)];
    }
    static constexpr shape infer(shape const& a, shape const& b, int const* attr) {
        shape s = a;
        s.extent[s.rank - 2] = rows(a, attr);
        s.extent[s.rank - 1] = columns(b, attr);
        return s;
    }
    /// With A' and B' the operands as multiplied: Ā' = C̄·B'ᵀ, B̄' = A'ᵀ·C̄, D̄ = C̄.
    template <class B>
    static constexpr ref vjp(B& b, site const& s, int k, ref ct) {
        if (k == 2) return ct;
        bool const ta = s.attr[0] != 0;
        bool const tb = s.attr[1] != 0;
        if (k == 0) return ta ? b.dot(s.x[1], ct, tb, true) : b.dot(ct, s.x[1], false, !tb);
        return tb ? b.dot(ct, s.x[0], true, ta) : b.dot(s.x[0], ct, !ta, false);
    }
    /// Ċ = Ȧ·B + A·Ḃ + Ḋ; v[k] is `none` for an operand without a tangent.
    template <class B>
    static constexpr ref jvp(B& b, site const& s, ref const* v) {
        bool const ta = s.attr[0] != 0;
        bool const tb = s.attr[1] != 0;
        ref const left = v[0] == none ? none : b.dot(v[0], s.x[1], ta, tb);
        ref const right = v[1] == none ? none : b.dot(s.x[0], v[1], ta, tb);
        return b.add(b.add(left, right), s.count > 2 ? v[2] : none);
    }
    /// Rows of a batched left operand join into one tall matrix; otherwise both get the new axis.
    template <class B>
    static constexpr ref batch(B& b, site const& s, ref const* x, bool const* batched, int n) {
        shape const left = b.dims(x[0]);
        auto wide = [&](int k) { return batched[k] ? x[k] : b.behind_front(x[k], n); };
        if (batched[0] && !batched[1] && left.rank == 3 && !s.attr[0]) {
            ref const tall = b.reshape(x[0], shape::of(n * left.extent[1], left.extent[2]));
            ref const y = b.reshape(b.dot(tall, x[1], false, s.attr[1] != 0), s.dims.with_front(n));
            return s.count > 2 ? b.add(y, wide(2)) : y;
        }
        return b.dot(wide(0), wide(1), s.attr[0] != 0, s.attr[1] != 0,
                     s.count > 2 ? wide(2) : none);
    }
};

/// Row by row, as outer-product updates: flat inner loops over contiguous memory where B is not
/// transposed.
template <class T>
constexpr void evaluate_dot(evaluation<T> const& e) {
    int const m_size = dot::rows(e.x_dims[0], e.attr);
    int const k_size = dot::inner(e.x_dims[0], e.attr);
    int const n_size = dot::columns(e.x_dims[1], e.attr);
    int const batches = e.dims.size() / (m_size * n_size);
    int const a_row = e.attr[0] ? 1 : k_size;
    int const a_col = e.attr[0] ? m_size : 1;
    int const b_row = e.attr[1] ? 1 : n_size;
    int const b_col = e.attr[1] ? k_size : 1;
    for (int z = 0; z < batches; ++z) {
        for (int m = 0; m < m_size; ++m) {
            T* y = e.y + (z * m_size + m) * n_size;
            T const* addend = e.count > 2 ? e.x[2] + (z * m_size + m) * n_size : nullptr;
            for (int n = 0; n < n_size; ++n) y[n] = addend == nullptr ? T(0) : addend[n];
            T const* a = e.x[0] + (z * m_size * k_size + m * a_row);
            T const* b = e.x[1] + z * k_size * n_size;
            int k = 0;
            // Four at a time: fewer stores, which are what constant evaluation pays for.
            for (; k + 4 <= k_size; k += 4) {
                T const a0 = a[k * a_col], a1 = a[(k + 1) * a_col];
                T const a2 = a[(k + 2) * a_col], a3 = a[(k + 3) * a_col];
                for (int n = 0; n < n_size; ++n) {
                    T const* p = b + (k * b_row + n * b_col);
                    y[n] += a0 * p[0] + a1 * p[b_row] + a2 * p[2 * b_row] + a3 * p[3 * b_row];
                }
            }
            for (; k < k_size; ++k)
                for (int n = 0; n < n_size; ++n) y[n] += a[k * a_col] * b[k * b_row + n * b_col];
        }
    }
}

}  // namespace op
}  // namespace v0
}  // namespace unspool
