// SPDX-License-Identifier: BSL-1.0
// Products over chosen axes and convolutions against nested loops, and their gradients.
#include "grad/language.hpp"

using namespace unspool_test;

namespace {

constexpr auto a34 = us::normal<double, 3, 4>(21);
constexpr auto b45 = us::normal<double, 4, 5>(22);
constexpr auto v4 = us::normal<double, 4>(23);
constexpr auto a234 = us::normal<double, 2, 3, 4>(24);
constexpr auto b2145 = us::normal<double, 2, 1, 4, 5>(25);
constexpr auto b245 = us::normal<double, 2, 4, 5>(26);
constexpr auto q33 = us::normal<double, 3, 3>(27);

constexpr auto matrix_products = [](auto a, auto v, auto many, auto b, auto wide) {
    return std::tuple{us::matmul(many, b),
                      us::matmul(a, b),
                      us::matmul(v, b),
                      us::matmul(many, wide),
                      us::matmul(many, v),
                      us::matmul(many, us::transpose(a)),
                      us::outer(a, v),
                      us::inner(many, a),
                      us::inner(v, v),
                      us::vdot(a, a),
                      us::tensordot<1>(many, b[0]),
                      us::tensordot(a, us::tanh(a))};
};
constexpr auto sums = [](auto a, auto b, auto many, auto q, auto v) {
    return std::tuple{us::einsum<"ij,jk->ik">(a, b),
                      us::einsum<"ij,jk->ki">(a, b),
                      us::einsum<"bij,jk->bki">(many, b),
                      us::einsum<"bij,bij->b">(many, many),
                      us::einsum<"ij,ij->ij">(a, a),
                      us::einsum<"ij,kj->">(a, a),
                      us::einsum<"bij, ij -> ji">(many, a),
                      us::einsum<"i,j->ij">(v, v),
                      us::einsum<"ii->">(q),
                      us::einsum<"ii->i">(q),
                      us::einsum<"ij->ji">(a),
                      us::einsum<"bij->j">(many),
                      us::einsum<"ii,ij->j">(q, a),
                      us::einsum<"ij,jk,kl->il">(q, a, b),
                      us::einsum<"i,ij,j->">(q[0], a, v),
                      us::einsum<"bij,jk,bi->bk">(many, b, us::sum<2>(many))};
};

constexpr auto input = us::normal<double, 9, 2>(31);
constexpr auto batch = us::normal<double, 2, 7, 3>(32);
constexpr auto kernel = us::normal<double, 3, 2, 4>(33);
constexpr auto wide_kernel = us::normal<double, 2, 3, 2>(34);
constexpr auto convolutions = [](auto x, auto many, auto k, auto w) {
    return std::tuple{us::conv1d(x, k),
                      us::conv1d<us::causal>(x, k),
                      us::conv1d<us::same>(x, k),
                      us::conv1d<us::causal, 2, 3>(x, k),
                      us::conv1d<us::same, 2>(x, k),
                      us::conv1d<us::valid, 3, 2>(x, k),
                      us::conv1d<us::causal, 1, 2>(many, w),
                      us::conv1d<us::same, 3>(many, w)};
};

template <class F>
double sum(int n, F f) {
    double total = 0;
    for (int i = 0; i < n; ++i) total += f(i);
    return total;
}

/// y(t, u) = Σ x(t·stride + tap·dilation − before, c) k(tap, c, u), x being 0 outside of its steps.
template <class X, class Kernel>
void convolved(expected_elements& e, int steps, int outputs, int stride, int dilation, int before,
               Kernel const& k, X x) {
    e.each(
        [&](int t, int u) {
            return sum(k.dims[0], [&](int tap) {
                return sum(k.dims[1], [&](int c) {
                    int const at = t * stride + tap * dilation - before;
                    return at < 0 || at >= steps ? 0.0 : x(at, c) * k(tap, c, u);
                });
            });
        },
        outputs, k.dims[2]);
}

}  // namespace

TEST_CASE("matmul, tensordot, inner and outer", "[grad]") {
    auto const& a = a34;
    auto const& v = v4;
    auto const& many = a234;
    auto const& b = b245;
    auto const& wide = b2145;
    expected_elements e;
    e.each([&](int z, int i,
               int j) { return sum(4, [&](int k) { return many(z, i, k) * b(z, k, j); }); },
           2, 3, 5)
        .each([&](int z, int i,
                  int j) { return sum(4, [&](int k) { return a(i, k) * b(z, k, j); }); },
              2, 3, 5)
        .each([&](int z, int j) { return sum(4, [&](int k) { return v[k] * b(z, k, j); }); }, 2, 5)
        .each(
            [&](int y, int z, int i, int j) {
                return sum(4, [&](int k) { return many(z, i, k) * wide(y, 0, k, j); });
            },
            2, 2, 3, 5)
        .each([&](int z, int i) { return sum(4, [&](int k) { return many(z, i, k) * v[k]; }); }, 2,
              3)
        .each([&](int z, int i,
                  int j) { return sum(4, [&](int k) { return many(z, i, k) * a(j, k); }); },
              2, 3, 3)
        .each([&](int i, int j) { return a[i] * v[j]; }, 12, 4)
        .each([&](int z, int i,
                  int j) { return sum(4, [&](int k) { return many(z, i, k) * a(j, k); }); },
              2, 3, 3)
        .each([&] { return sum(4, [&](int k) { return v[k] * v[k]; }); })
        .each([&] { return sum(12, [&](int k) { return a[k] * a[k]; }); })
        .each([&](int z, int i,
                  int j) { return sum(4, [&](int k) { return many(z, i, k) * b(0, k, j); }); },
              2, 3, 5)
        .each([&] { return sum(12, [&](int k) { return a[k] * std::tanh(a[k]); }); });
    check_language<matrix_products>(e, a, v, many, b, wide);
}

TEST_CASE("einsum", "[grad]") {
    auto const& a = a34;
    auto const& b = b45;
    auto const& many = a234;
    auto const& q = q33;
    auto const& v = v4;
    auto row_total = [&](int z, int i) { return sum(4, [&](int l) { return many(z, i, l); }); };
    expected_elements e;
    e.each([&](int i, int k) { return sum(4, [&](int j) { return a(i, j) * b(j, k); }); }, 3, 5)
        .each([&](int k, int i) { return sum(4, [&](int j) { return a(i, j) * b(j, k); }); }, 5, 3)
        .each([&](int z, int k,
                  int i) { return sum(4, [&](int j) { return many(z, i, j) * b(j, k); }); },
              2, 5, 3)
        .each(
            [&](int z) {
                return sum(12,
                           [&](int k) { return many(z, k / 4, k % 4) * many(z, k / 4, k % 4); });
            },
            2)
        .each([&](int i, int j) { return a(i, j) * a(i, j); }, 3, 4)
        .each([&] {
            return sum(4, [&](int j) {
                return sum(3, [&](int i) { return a(i, j); }) *
                       sum(3, [&](int k) { return a(k, j); });
            });
        })
        .each([&](int j, int i) { return (many(0, i, j) + many(1, i, j)) * a(i, j); }, 4, 3)
        .each([&](int i, int j) { return v[i] * v[j]; }, 4, 4)
        .each([&] { return q(0, 0) + q(1, 1) + q(2, 2); })
        .each([&](int i) { return q(i, i); }, 3)
        .each([&](int j, int i) { return a(i, j); }, 4, 3)
        .each([&](int j) { return sum(6, [&](int k) { return many(k / 3, k % 3, j); }); }, 4)
        .each([&](int j) { return sum(3, [&](int i) { return q(i, i) * a(i, j); }); }, 4)
        .each(
            [&](int i, int l) {
                return sum(12, [&](int k) { return q(i, k / 4) * a(k / 4, k % 4) * b(k % 4, l); });
            },
            3, 5)
        .each([&] { return sum(12, [&](int k) { return q(0, k / 4) * a[k] * v[k % 4]; }); })
        .each(
            [&](int z, int k) {
                return sum(3, [&](int i) {
                    return row_total(z, i) * sum(4, [&](int j) { return many(z, i, j) * b(j, k); });
                });
            },
            2, 5);
    check_language<sums>(e, a, b, many, q, v);
}

TEST_CASE("convolutions over time", "[grad]") {
    auto const x = [](int t, int c) { return input(t, c); };
    expected_elements e;
    convolved(e, 9, 7, 1, 1, 0, kernel, x);
    convolved(e, 9, 9, 1, 1, 2, kernel, x);
    convolved(e, 9, 9, 1, 1, 1, kernel, x);
    convolved(e, 9, 5, 2, 3, 6, kernel, x);
    convolved(e, 9, 5, 2, 1, 1, kernel, x);
    convolved(e, 9, 2, 3, 2, 0, kernel, x);
    for (int z : {0, 1})
        convolved(e, 7, 7, 1, 2, 2, wide_kernel, [z](int t, int c) { return batch(z, t, c); });
    // 3 outputs at 0, 3 and 6: a window ends at step 7, one zero behind.
    for (int z : {0, 1})
        convolved(e, 7, 3, 3, 1, 0, wide_kernel, [z](int t, int c) { return batch(z, t, c); });
    check_language<convolutions>(e, input, batch, kernel, wide_kernel);
}
