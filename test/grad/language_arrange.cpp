// SPDX-License-Identifier: BSL-1.0
// Indexing and rearranging against index arithmetic, and their gradients.
#include "grad/language.hpp"

using namespace unspool_test;

namespace {

constexpr auto matrix = us::normal<double, 5, 7>(1);
constexpr auto cube = us::normal<double, 3, 4, 5>(2);
constexpr auto row = us::normal<double, 1, 7>(3);

constexpr auto indexed = [](auto x, auto c) {
    return std::tuple{x(us::all, us::range<2, 5>),
                      x(us::range<0, 5, 2>, us::at<-1>),
                      x(us::at<3>),
                      x(us::range<-3, us::edge>, us::range<us::edge, us::edge, -1>),
                      x(us::range<us::edge, us::edge, 3>, us::range<5, 0, -2>),
                      x(us::range<1, 5, 2>, us::newaxis, us::range<1, 7, 3>),
                      x(1, -2),
                      c(us::ellipsis, us::range<1, -1>),
                      c(us::at<0>, us::ellipsis, us::newaxis),
                      c(us::range<us::edge, us::edge, -2>, 2, us::range<us::edge, us::edge, 2>)};
};
constexpr auto arranged = [](auto x, auto c, auto r) {
    return std::tuple{us::pad<0, 2, 1>(x),
                      us::pad<-1, 0, 3>(c),
                      us::flip<1>(x),
                      us::flip(c),
                      us::flip<0, -1>(c),
                      us::roll<0>(x, 2),
                      us::roll<1>(x, -9),
                      us::stack(r, us::flip<1>(r)),
                      us::stack<-1>(r, us::tanh(r), r),
                      us::tile<0, 3>(x),
                      us::tile<-1, 2>(c),
                      us::repeat<0, 2>(x),
                      us::repeat<2, 3>(c),
                      us::squeeze(r),
                      us::squeeze<0>(r),
                      us::expand_dims<1>(x),
                      us::expand_dims<-1>(x),
                      us::swapaxes<0, -1>(c),
                      us::moveaxis<0, 2>(c),
                      us::moveaxis<2, 0>(c),
                      us::flatten(c),
                      us::take<1>(x, std::array{3, 4, 5, 0, -1, 3}),
                      us::take<0>(c, std::array{2})};
};
constexpr auto diagonals = [](auto x, auto c, auto r) {
    return std::tuple{us::diagonal(x),    us::diagonal<2>(x),       us::diagonal<-3>(x),
                      us::diagonal(c),    us::diag(us::squeeze(r)), us::diag<2>(us::squeeze(r)),
                      us::diag<-1>(r[0]), us::diag<1>(x),           us::tril(x),
                      us::triu<1>(x),     us::tril<-2>(c),          us::triu(c)};
};
/// A view that runs backwards, before every kind of kernel and inside of loops.
constexpr auto reversed_uses = [](auto x, auto c, auto r) {
    auto const back = us::flip<1>(x);
    auto const square = us::flip(x(us::all, us::range<0, 5>));
    auto const step = [&](auto const& h, auto const& u) {
        auto const next = us::tanh(us::flip(h) + us::dot(us::flip(u), square));
        return std::pair{next, us::flip(next) * u};
    };
    auto const [last, all] =
        us::scan(step, us::squeeze(r)(us::range<1, 6>), us::flip(x(us::all, us::range<2, 7>)));
    return std::tuple{us::dot(back, us::flip(us::transpose(x))),
                      us::dot(us::flip(x), us::squeeze(us::flip(r))),
                      us::dot(us::flip<0>(us::squeeze(r)), us::transpose(back)),
                      us::sum<0>(back),
                      us::sum<1>(us::flip<0>(c)),
                      us::max<2>(us::flip(c)),
                      us::sum(us::flip(c)),
                      us::flatten(us::flip(c)),
                      us::exp(us::flip<0>(us::swapaxes<0, 1>(x))),
                      last,
                      all};
};

template <class X>
double zero_outside(X const& x, int i, int j) {
    return i >= 0 && i < x.dims[0] && j >= 0 && j < x.dims[1] ? x(i, j) : 0.0;
}

}  // namespace

TEST_CASE("indexing takes NumPy's elements", "[grad]") {
    auto const& x = matrix;
    auto const& c = cube;
    expected_elements e;
    e.each([&](int i, int j) { return x(i, 2 + j); }, 5, 3)
        .each([&](int i) { return x(2 * i, 6); }, 3)
        .each([&](int j) { return x(3, j); }, 7)
        .each([&](int i, int j) { return x(2 + i, 6 - j); }, 3, 7)
        .each([&](int i, int j) { return x(3 * i, 5 - 2 * j); }, 2, 3)
        .each([&](int i, int j) { return x(1 + 2 * i, 1 + 3 * j); }, 2, 2)
        .each([&] { return x(1, 5); })
        .each([&](int i, int j, int k) { return c(i, j, 1 + k); }, 3, 4, 3)
        .each([&](int j, int k) { return c(0, j, k); }, 4, 5)
        .each([&](int i, int k) { return c(2 - 2 * i, 2, 2 * k); }, 2, 3);
    check_language<indexed>(e, x, c);
}

TEST_CASE("rearrangements move NumPy's elements", "[grad]") {
    auto const& x = matrix;
    auto const& c = cube;
    auto const& r = row;
    expected_elements e;
    e.each([&](int i, int j) { return zero_outside(x, i - 2, j); }, 8, 7)
        .each([&](int i, int j, int k) { return k < 5 ? c(i, j, k) : 0.0; }, 3, 4, 8)
        .each([&](int i, int j) { return x(i, 6 - j); }, 5, 7)
        .each([&](int i, int j, int k) { return c(2 - i, 3 - j, 4 - k); }, 3, 4, 5)
        .each([&](int i, int j, int k) { return c(2 - i, j, 4 - k); }, 3, 4, 5)
        .each([&](int i, int j) { return x((i + 3) % 5, j); }, 5, 7)
        .each([&](int i, int j) { return x(i, (j + 2) % 7); }, 5, 7)
        .each([&](int which, int, int j) { return r(0, which == 0 ? j : 6 - j); }, 2, 1, 7)
        .each([&](int, int j, int which) { return which == 1 ? std::tanh(r(0, j)) : r(0, j); }, 1,
              7, 3)
        .each([&](int i, int j) { return x(i % 5, j); }, 15, 7)
        .each([&](int i, int j, int k) { return c(i, j, k % 5); }, 3, 4, 10)
        .each([&](int i, int j) { return x(i / 2, j); }, 10, 7)
        .each([&](int i, int j, int k) { return c(i, j, k / 3); }, 3, 4, 15)
        .each([&](int j) { return r(0, j); }, 7)
        .each([&](int j) { return r(0, j); }, 7)
        .each([&](int i, int, int j) { return x(i, j); }, 5, 1, 7)
        .each([&](int i, int j, int) { return x(i, j); }, 5, 7, 1)
        .each([&](int i, int j, int k) { return c(k, j, i); }, 5, 4, 3)
        .each([&](int i, int j, int k) { return c(k, i, j); }, 4, 5, 3)
        .each([&](int i, int j, int k) { return c(j, k, i); }, 5, 3, 4)
        .each([&](int i) { return c[i]; }, 60)
        .each(
            [&](int i, int j) {
                int const from[] = {3, 4, 5, 0, 6, 3};
                return x(i, from[j]);
            },
            5, 6)
        .each([&](int, int j, int k) { return c(2, j, k); }, 1, 4, 5);
    check_language<arranged>(e, x, c, r);
}

TEST_CASE("diagonals and triangles are NumPy's", "[grad]") {
    auto const& x = matrix;
    auto const& c = cube;
    auto const& r = row;
    expected_elements e;
    e.each([&](int i) { return x(i, i); }, 5)
        .each([&](int i) { return x(i, i + 2); }, 5)
        .each([&](int i) { return x(i + 3, i); }, 2)
        .each([&](int i, int j) { return c(i, j, j); }, 3, 4)
        .each([&](int i, int j) { return i == j ? r[i] : 0.0; }, 7, 7)
        .each([&](int i, int j) { return j == i + 2 ? r[i] : 0.0; }, 9, 9)
        .each([&](int i, int j) { return i == j + 1 ? r[j] : 0.0; }, 8, 8)
        .each([&](int i) { return x(i, i + 1); }, 5)
        .each([&](int i, int j) { return j <= i ? x(i, j) : 0.0; }, 5, 7)
        .each([&](int i, int j) { return j >= i + 1 ? x(i, j) : 0.0; }, 5, 7)
        .each([&](int i, int j, int k) { return k <= j - 2 ? c(i, j, k) : 0.0; }, 3, 4, 5)
        .each([&](int i, int j, int k) { return k >= j ? c(i, j, k) : 0.0; }, 3, 4, 5);
    check_language<diagonals>(e, x, c, r);
}

TEST_CASE("axes that run backwards are operands like others", "[grad]") {
    auto const& x = matrix;
    auto const& c = cube;
    auto const& r = row;
    std::vector<double> h;
    for (int j = 0; j < 5; ++j) h.push_back(r[1 + j]);
    double stacked[5][5] = {};
    for (int t = 0; t < 5; ++t) {
        std::vector<double> next(5);
        for (std::size_t j = 0; j < 5; ++j) {
            double total = h[4 - j];
            // Step t sees u_i = x(4 - t, 6 - i); the matrix's element (k, j) is x(4 - k, 4 - j).
            for (int k = 0; k < 5; ++k) total += x(4 - t, 2 + k) * x(4 - k, 4 - int(j));
            next[j] = std::tanh(total);
        }
        h = next;
        for (int j = 0; j < 5; ++j) stacked[t][j] = h[std::size_t(4 - j)] * x(4 - t, 6 - j);
    }
    auto sum = [](int n, auto f) {
        double total = 0;
        for (int i = 0; i < n; ++i) total += f(i);
        return total;
    };
    expected_elements e;
    e.each(
         [&](int i, int j) { return sum(7, [&](int k) { return x(i, 6 - k) * x(4 - j, 6 - k); }); },
         5, 5)
        .each([&](int i) { return sum(7, [&](int k) { return x(4 - i, 6 - k) * r[6 - k]; }); }, 5)
        .each([&](int i) { return sum(7, [&](int k) { return x(i, 6 - k) * r[6 - k]; }); }, 5)
        .each([&](int j) { return sum(5, [&](int i) { return x(i, 6 - j); }); }, 7)
        .each([&](int i, int k) { return sum(4, [&](int j) { return c(2 - i, j, k); }); }, 3, 5)
        .each(
            [&](int i, int j) {
                double most = c(2 - i, 3 - j, 0);
                for (int k = 1; k < 5; ++k) most = std::max(most, c(2 - i, 3 - j, k));
                return most;
            },
            3, 4)
        .each([&] { return sum(60, [&](int k) { return c[k]; }); })
        .each([&](int k) { return c[59 - k]; }, 60)
        .each([&](int i, int j) { return std::exp(x(j, 6 - i)); }, 7, 5)
        .each([&](int j) { return h[std::size_t(j)]; }, 5)
        .each([&](int t, int j) { return stacked[t][j]; }, 5, 5);
    check_language<reversed_uses>(e, x, c, r);
}
