// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/config.hpp>

#include <concepts>
#include <cstddef>

/// @file
/// The sizes, strides and epilogue of a product as one type, so that a kernel's symbol stays short.

namespace unspool {
inline namespace v0 {
namespace kernel {

/// As the addend's row stride: there is no addend.
inline constexpr int none = -1;

/// C[M,N] = A[M,K] · B[K,N] + D[M,N], all strides in elements.
///
/// * A(m,k) stands at a[m * ARow + k * ACol]; so A and its transpose are the same kernel.
/// * B(k,n) stands at b[k * BRow + n * BCol]; BCol == 1 is the fast form, BRow == 1 the transposed
///   one; a kernel with packed B ignores both.
/// * C(m,n) stands at c[m * CRow + n].
/// * D(m,n) stands at d[m * DRow + n]; DRow == 0 repeats one row (a bias), DRow == none leaves D
///   out. D may be C itself with DRow == CRow, which accumulates.
///
/// Groups > 1 says that the N columns are that many groups of N / Groups (an LSTM's gates) and that
/// a tile shall hold the same columns of every group side by side, for an epilogue that needs them
/// together. It must divide N.
template <int M, int N, int K, int ARow, int ACol, int BRow, int BCol, int CRow, int DRow = none,
          int Groups = 1>
struct product_shape {
    static_assert(M >= 1 && N >= 1 && K >= 1 && Groups >= 1 && N % Groups == 0);
    static constexpr int m = M, n = N, k = K;
    static constexpr int a_row = ARow, a_col = ACol;
    static constexpr int b_row = BRow, b_col = BCol;
    static constexpr int c_row = CRow, d_row = DRow;
    static constexpr int groups = Groups;
};

/// The number of lanes of a vector that count, as a type; the others hold zeros or rubbish.
template <int Count>
struct lanes {
    static constexpr int value = Count;
    constexpr operator int() const noexcept { return Count; }
};

/// The epilogue that stores the product unchanged.
///
/// An epilogue is called once per vector of results as `epilogue(acc, m, n, lanes<L>{})`: element
/// (m, n + i) is lane i < L of acc. It returns the vector that goes to C, or void when it has
/// stored what it wanted itself (C is then not written, and may be null). A column product (N == 1)
/// runs its lanes along m instead: element (m + i, 0).
///
/// An epilogue with a member `row(acc, m, n, lanes<L>{})` gets one vector of every group at once,
/// as `vec (&acc)[Groups]`, may change them, and returns bool: whether they go to C. acc[g] holds
/// columns g * (N / Groups) + n + i. One that never lets anything go to C says `static constexpr
/// bool leaves_c = true`; C may be null then, too.
///
/// `static constexpr bool light = true` says that it is a few instructions and may be repeated for
/// every vector of a tile; otherwise it stands in a loop over the tile's rows.
struct keep {
    static constexpr bool light = true;
    template <class Vec, class Lanes>
    UNSPOOL_INLINE Vec operator()(Vec acc, int, int, Lanes) const noexcept {
        return acc;
    }
};

namespace detail {
template <class Epilogue>
inline constexpr bool light = false;
template <class Epilogue>
    requires(Epilogue::light)
inline constexpr bool light<Epilogue> = true;

/// Whether C is the kernel's until the epilogue has been called for it.
template <class Epilogue, class Vec>
inline constexpr bool returns_vector = requires(Epilogue& e, Vec v) {
    { e(v, 0, 0, lanes<1>{}) } -> std::same_as<Vec>;
};

/// c + by, or c untouched if the epilogue stores elsewhere: c may be null then.
template <class Epilogue, class Vec, class T>
UNSPOOL_INLINE T* advance_c(T* c, std::ptrdiff_t by) {
    if constexpr (
        requires { requires Epilogue::leaves_c; } ||
        requires(Epilogue & e, Vec v) {
            { e(v, 0, 0, lanes<1>{}) } -> std::same_as<void>;
        }) {
        return c;
    } else {
        return c + by;
    }
}
}  // namespace detail

}  // namespace kernel
}  // namespace v0
}  // namespace unspool
