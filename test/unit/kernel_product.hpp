// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "kernel_guard.hpp"

#include <unspool/kernel/product.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <vector>

/// @file
/// Every form of a product against three loops in double, between forbidden pages.

namespace kernel_test {

namespace us = unspool;
using us::kernel::none;
using us::kernel::product_shape;

/// How far the last element of a strided matrix reaches.
constexpr int reach(int rows, int row, int cols, int col) {
    return (rows - 1) * row + (cols - 1) * col + 1;
}

/// Doubles and adds a number of the element's own: notices wrong m, n or lanes. Lanes run along m
/// in a column product.
template <bool Column, bool Light>
struct numbering {
    static constexpr bool light = Light;
    template <class Vec, class Lanes>
    Vec operator()(Vec acc, int m, int n, Lanes l) const {
        using T = typename Vec::value_type;
        T lane[Vec::width] = {};
        for (int i = 0; i < l; ++i)
            lane[i] = T(0.25 * (Column ? m + i : m) - 0.125 * (Column ? n : n + i));
        return acc * Vec(T(2)) + Vec::load(lane);
    }
};

/// Stores by itself to another place, transposed.
template <class T, bool Column>
struct elsewhere {
    T* to;
    int row;
    template <class Vec, class Lanes>
    void operator()(Vec acc, int m, int n, Lanes l) const {
        T lane[Vec::width];
        acc.store(lane);
        for (int i = 0; i < l; ++i) to[Column ? n * row + m + i : (n + i) * row + m] = lane[i];
    }
};

/// Takes all groups of a row: subtracts the sum of the groups from each, so that a wrong column
/// shows, and leaves the result to the kernel (or not).
template <int Groups, bool Keep>
struct less_sum {
    int* rows;
    template <class Vec, class Lanes>
    bool row(Vec (&acc)[Groups], int, int, Lanes) const {
        ++*rows;
        Vec sum = acc[0];
        for (int g = 1; g < Groups; ++g) sum = sum + acc[g];
        for (int g = 0; g < Groups; ++g) acc[g] = acc[g] - sum;
        return Keep;
    }
};

template <class T, class Shape>
struct problem {
    using S = Shape;
    static constexpr int size_a = reach(S::m, S::a_row, S::k, S::a_col);
    static constexpr int size_b = reach(S::k, S::b_row, S::n, S::b_col);
    static constexpr int size_c = reach(S::m, S::c_row, S::n, 1);
    static constexpr int size_d = S::d_row == none ? 1 : reach(S::m, S::d_row, S::n, 1);
    guarded<T> a, b, c, d;
    explicit problem(bool at_end)
        : a(size_a, at_end), b(size_b, at_end), c(size_c, at_end), d(size_d, at_end) {
        fill(a, 1);
        fill(b, 2);
        fill(c, 3);
        fill(d, 4);
    }
    double exact(int m, int n, double& scale, T const* addend) {
        double sum = 0;
        scale = 0;
        for (int k = 0; k < S::k; ++k) {
            double const x =
                double(a[m * S::a_row + k * S::a_col]) * double(b[k * S::b_row + n * S::b_col]);
            sum += x;
            scale += std::abs(x);
        }
        if (S::d_row != none) {
            double const x = double(addend[m * S::d_row + n]);
            sum += x;
            scale += std::abs(x);
        }
        return sum;
    }
    static constexpr double eps = double(std::numeric_limits<T>::epsilon());
    /// |error| <= (K + 2) rounding errors of the terms' magnitudes.
    static double bound(double scale) { return (S::k + 2) * eps * scale; }
};

/// Whether c holds `want(m, n, exact)` at every element and is untouched between rows.
template <class Shape, class P, class Before, class Want>
bool agrees(P& p, std::vector<Before> const& before, bool d_is_c, Want want, int slack = 3) {
    std::vector<char> element(before.size());
    for (int m = 0; m < Shape::m; ++m)
        for (int n = 0; n < Shape::n; ++n) {
            int const at = m * Shape::c_row + n;
            element[std::size_t(at)] = 1;
            double scale;
            double const exact = p.exact(m, n, scale, d_is_c ? before.data() : p.d.data());
            if (!(std::abs(double(p.c[at]) - want(m, n, exact)) <=
                  slack * p.bound(scale) + p.eps * 10)) {
                UNSCOPED_INFO("element " << m << ", " << n << ": " << p.c[at] << " should be "
                                         << want(m, n, exact));
                return false;
            }
        }
    for (std::size_t i = 0; i < before.size(); ++i)
        if (!element[i] && p.c[int(i)] != before[i]) {
            UNSCOPED_INFO("wrote between rows, at " << i);
            return false;
        }
    return true;
}

template <class T, class Arch, class Shape>
void check_shape(bool d_is_c) {
    INFO("M " << Shape::m << " N " << Shape::n << " K " << Shape::k << " A " << Shape::a_row << " "
              << Shape::a_col << " B " << Shape::b_row << " " << Shape::b_col << " C "
              << Shape::c_row << " D " << Shape::d_row << " " << Arch::name << " " << sizeof(T));
    for (bool at_end : {false, true}) {
        problem<T, Shape> p(at_end);
        std::vector<T> const before(p.c.data(), p.c.data() + p.c.size());
        us::kernel::product<T, Arch, Shape>(p.a.data(), p.b.data(), p.c.data(),
                                            d_is_c ? p.c.data() : p.d.data());
        REQUIRE(agrees<Shape>(p, before, d_is_c, [](int, int, double x) { return x; }));
    }
}

/// The epilogues on one shape; `Run` multiplies.
template <class T, class Arch, class Shape>
void check_epilogues() {
    INFO("M " << Shape::m << " N " << Shape::n << " K " << Shape::k << " B " << Shape::b_row << " "
              << Shape::b_col << " " << Arch::name << " " << sizeof(T));
    constexpr bool column = Shape::n == 1;
    auto const numbered = [](int m, int n, double x) { return 2 * x + 0.25 * m - 0.125 * n; };
    problem<T, Shape> p(true);
    std::vector<T> const before(p.c.data(), p.c.data() + p.c.size());
    us::kernel::product<T, Arch, Shape>(p.a.data(), p.b.data(), p.c.data(), p.d.data(),
                                        numbering<column, false>{});
    REQUIRE(agrees<Shape>(p, before, false, numbered));
    us::kernel::product<T, Arch, Shape>(p.a.data(), p.b.data(), p.c.data(), p.d.data(),
                                        numbering<column, true>{});
    REQUIRE(agrees<Shape>(p, before, false, numbered));

    guarded<T> other(Shape::m * Shape::n, true);
    us::kernel::product<T, Arch, Shape>(p.a.data(), p.b.data(), nullptr, p.d.data(),
                                        elsewhere<T, column>{other.data(), Shape::m});
    for (int m = 0; m < Shape::m; ++m)
        for (int n = 0; n < Shape::n; ++n) p.c[m * Shape::c_row + n] = other[n * Shape::m + m];
    REQUIRE(agrees<Shape>(p, before, false, [](int, int, double x) { return x; }));
}

/// Packed B, from both orders of it.
template <class T, class Arch, class Shape>
void check_packed() {
    INFO("M " << Shape::m << " N " << Shape::n << " K " << Shape::k << " B " << Shape::b_row << " "
              << Shape::b_col << " groups " << Shape::groups << " " << Arch::name << " "
              << sizeof(T));
    using packing = us::kernel::packed_b<T, Arch, Shape::k, Shape::n, Shape::groups>;
    for (bool at_end : {false, true}) {
        problem<T, Shape> p(at_end);
        std::vector<T> const before(p.c.data(), p.c.data() + p.c.size());
        guarded<T> packed(int(packing::size), at_end);
        packing::template pack<Shape::b_row, Shape::b_col>(p.b.data(), packed.data());
        us::kernel::product_packed<T, Arch, Shape>(p.a.data(), packed.data(), p.c.data(),
                                                   p.d.data());
        REQUIRE(agrees<Shape>(p, before, false, [](int, int, double x) { return x; }));
    }
}

/// Groups of columns, packed, with an epilogue that sees all of them; b_col == 1 also unpacked.
template <class T, class Arch, class Shape>
void check_groups() {
    check_shape<T, Arch, Shape>(false);
    check_packed<T, Arch, Shape>();
    problem<T, Shape> p(true);
    constexpr int extent = Shape::n / Shape::groups;
    std::vector<T> const before(p.c.data(), p.c.data() + p.c.size());
    auto const want = [&](int m, int n, double x) {
        double sum = 0, scale;
        for (int g = 0; g < Shape::groups; ++g)
            sum += p.exact(m, n % extent + g * extent, scale, p.d.data());
        return x - sum;
    };
    using packing = us::kernel::packed_b<T, Arch, Shape::k, Shape::n, Shape::groups>;
    guarded<T> packed(int(packing::size), true);
    packing::template pack<Shape::b_row, Shape::b_col>(p.b.data(), packed.data());
    int rows = 0;
    us::kernel::product_packed<T, Arch, Shape>(p.a.data(), packed.data(), p.c.data(), p.d.data(),
                                               less_sum<Shape::groups, true>{&rows});
    int const vectors = (extent + packing::width - 1) / packing::width;
    REQUIRE(rows == Shape::m * vectors);
    REQUIRE(agrees<Shape>(p, before, false, want, 2 * Shape::groups));
    std::vector<T> const after(p.c.data(), p.c.data() + p.c.size());
    us::kernel::product<T, Arch, Shape>(p.a.data(), p.b.data(), p.c.data(), p.d.data(),
                                        less_sum<Shape::groups, false>{&rows});
    REQUIRE(rows == 2 * Shape::m * vectors);
    REQUIRE(std::vector<T>(p.c.data(), p.c.data() + p.c.size()) == after);
    us::kernel::product<T, Arch, Shape>(p.a.data(), p.b.data(), p.c.data(), p.d.data(),
                                        less_sum<Shape::groups, true>{&rows});
    REQUIRE(agrees<Shape>(p, before, false, want, 2 * Shape::groups));
}

/// The four ways A and B may lie, with one kind of addend each.
template <class T, class Arch, int M, int N, int K>
void check_forms() {
    check_shape<T, Arch, product_shape<M, N, K, K, 1, N, 1, N, none>>(false);
    check_shape<T, Arch, product_shape<M, N, K, 1, M, N, 1, N, N>>(true);
    check_shape<T, Arch, product_shape<M, N, K, K, 1, 1, K, N, 0>>(false);
    check_shape<T, Arch, product_shape<M, N, K, 1, M, 1, K + 2, N + 1, N + 3>>(false);
    check_shape<T, Arch, product_shape<M, N, K, K + 3, 1, N + 5, 1, N + 2, N + 2>>(true);
}

template <class T, class Arch>
void check_sizes() {
    if constexpr (Arch::available) {
        check_forms<T, Arch, 1, 1, 1>();
        check_forms<T, Arch, 1, 3, 7>();
        check_forms<T, Arch, 1, 40, 10>();
        check_forms<T, Arch, 1, 65, 33>();
        check_forms<T, Arch, 3, 1, 17>();
        check_forms<T, Arch, 3, 17, 64>();
        check_forms<T, Arch, 7, 10, 1>();
        check_forms<T, Arch, 7, 33, 3>();
        check_forms<T, Arch, 10, 40, 10>();
        check_forms<T, Arch, 17, 7, 65>();
        check_forms<T, Arch, 33, 65, 17>();
        check_forms<T, Arch, 33, 1, 65>();
        check_forms<T, Arch, 65, 64, 10>();
    } else {
        skip_absent<Arch>();
    }
}

/// Every path of a product: direct, one column both ways, along k, packed on the way with k in one
/// block and in several.
template <class T, class Arch>
void check_all_epilogues() {
    if constexpr (Arch::available) {
        check_epilogues<T, Arch, product_shape<10, 33, 7, 7, 1, 33, 1, 35, 0>>();
        check_epilogues<T, Arch, product_shape<33, 1, 17, 17, 1, 1, 1, 1, 1>>();
        check_epilogues<T, Arch, product_shape<33, 1, 17, 1, 33, 1, 1, 1, 0>>();
        check_epilogues<T, Arch, product_shape<2, 10, 40, 40, 1, 1, 40, 10, 10>>();
        check_epilogues<T, Arch, product_shape<7, 33, 65, 65, 1, 1, 65, 33, 0>>();
        check_epilogues<T, Arch, product_shape<33, 10, 2000, 1, 33, 1, 2001, 12, 10>>();
        check_epilogues<T, Arch, product_shape<300, 17, 1000, 1000, 1, 2, 2000, 17, 0>>();
    } else {
        skip_absent<Arch>();
    }
}

template <class T, class Arch>
void check_all_packed() {
    if constexpr (Arch::available) {
        check_packed<T, Arch, product_shape<1, 1, 1, 1, 1, 1, 1, 1, 1>>();
        check_packed<T, Arch, product_shape<1, 40, 10, 10, 1, 40, 1, 40, 40>>();
        check_packed<T, Arch, product_shape<17, 65, 33, 33, 1, 1, 33, 65, 0>>();
        check_packed<T, Arch, product_shape<7, 10, 64, 1, 7, 65, 6, 11, none>>();
        check_groups<T, Arch, product_shape<1, 40, 10, 10, 1, 40, 1, 40, 0, 4>>();
        check_groups<T, Arch, product_shape<1, 148, 6, 6, 1, 148, 1, 148, 0, 4>>();
        check_groups<T, Arch, product_shape<7, 52, 9, 9, 1, 1, 9, 53, 52, 4>>();
        check_groups<T, Arch, product_shape<3, 51, 400, 400, 1, 1, 400, 51, 0, 3>>();
        // B of more than eight megabytes, rows in more than one block.
        if constexpr (sizeof(T) == 4)
            check_shape<T, Arch, product_shape<280, 7, 1100, 1, 280, 2048, 1, 9, 9>>(true);
    } else {
        skip_absent<Arch>();
    }
}

}  // namespace kernel_test
