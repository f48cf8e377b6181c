// SPDX-License-Identifier: BSL-1.0
// Statistics, running folds and softmax against sums written out, and their gradients.
#include "grad/language.hpp"

#include <cmath>
#include <limits>

using namespace unspool_test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr auto matrix = us::normal<double, 5, 7>(11);
constexpr auto cube = us::normal<double, 3, 4, 2>(12);

constexpr auto folded = [](auto x, auto c) {
    return std::tuple{us::prod<1>(x),
                      us::prod<0>(x),
                      us::prod(c),
                      us::prod<0, -1>(c),
                      us::cumsum<0>(x),
                      us::cumsum<-1>(c),
                      us::cumprod<1>(x),
                      us::cumprod<1>(c),
                      us::argmax<0>(x) * us::sum<0>(x),
                      us::argmin<1>(x) * us::sum<1>(x),
                      us::argmax(c) * us::sum(c)};
};
constexpr auto statistics = [](auto x, auto c) {
    return std::tuple{
        us::var(x),  us::var<0>(x),  us::var<0, 2>(c), us::stddev<1>(x),    us::stddev(c),
        us::norm(x), us::norm<1>(c), us::logsumexp(x), us::logsumexp<0>(x), us::logsumexp<1, 2>(c)};
};
constexpr auto normalised = [](auto x, auto c) {
    return std::tuple{us::softmax(x), us::softmax<0>(x), us::softmax<1>(c), us::log_softmax(x),
                      us::log_softmax<-2>(c)};
};
/// A running sum in the body of a loop.
constexpr auto nested = [](auto x) {
    auto const step = [](auto const& h, auto const& u) {
        auto const next = us::tanh(us::cumsum<0>(h) * u);
        return std::pair{next, us::softmax(next)};
    };
    auto const [last, all] = us::scan(step, x[0], x);
    return std::tuple{last, all};
};

template <class F>
double sum(int n, F f) {
    double total = 0;
    for (int i = 0; i < n; ++i) total += f(i);
    return total;
}
template <class F>
double product(int n, F f) {
    double total = 1;
    for (int i = 0; i < n; ++i) total *= f(i);
    return total;
}
template <class F>
double variance(int n, F f) {
    double const mean = sum(n, f) / n;
    return sum(n, [&](int i) { return (f(i) - mean) * (f(i) - mean); }) / n;
}
template <class F>
int largest(int n, F f) {
    int best = 0;
    for (int i = 1; i < n; ++i)
        if (f(i) > f(best)) best = i;
    return best;
}

}  // namespace

TEST_CASE("products, running folds and places of extremes", "[grad]") {
    auto const& x = matrix;
    auto const& c = cube;
    expected_elements e;
    e.each([&](int i) { return product(7, [&](int j) { return x(i, j); }); }, 5)
        .each([&](int j) { return product(5, [&](int i) { return x(i, j); }); }, 7)
        .each([&] { return product(24, [&](int k) { return c[k]; }); })
        .each([&](int j) { return product(6, [&](int k) { return c(k / 2, j, k % 2); }); }, 4)
        .each([&](int i, int j) { return sum(i + 1, [&](int k) { return x(k, j); }); }, 5, 7)
        .each([&](int i, int j, int k) { return sum(k + 1, [&](int l) { return c(i, j, l); }); }, 3,
              4, 2)
        .each([&](int i, int j) { return product(j + 1, [&](int k) { return x(i, k); }); }, 5, 7)
        .each(
            [&](int i, int j, int k) { return product(j + 1, [&](int l) { return c(i, l, k); }); },
            3, 4, 2)
        .each(
            [&](int j) {
                auto const column = [&](int i) { return x(i, j); };
                return largest(5, column) * sum(5, column);
            },
            7)
        .each(
            [&](int i) {
                auto const row = [&](int j) { return x(i, j); };
                return largest(7, [&](int j) { return -row(j); }) * sum(7, row);
            },
            5)
        .each([&] {
            auto const all = [&](int k) { return c[k]; };
            return largest(24, all) * sum(24, all);
        });
    check_language<folded>(e, x, c);
}

TEST_CASE("variance, norm and logsumexp", "[grad]") {
    auto const& x = matrix;
    auto const& c = cube;
    auto exp_sum = [](int n, auto f) {
        return std::log(sum(n, [&](int i) { return std::exp(f(i)); }));
    };
    expected_elements e;
    e.each([&] { return variance(35, [&](int k) { return x[k]; }); })
        .each([&](int j) { return variance(5, [&](int i) { return x(i, j); }); }, 7)
        .each([&](int j) { return variance(6, [&](int k) { return c(k / 2, j, k % 2); }); }, 4)
        .each([&](int i) { return std::sqrt(variance(7, [&](int j) { return x(i, j); })); }, 5)
        .each([&] { return std::sqrt(variance(24, [&](int k) { return c[k]; })); })
        .each([&] { return std::sqrt(sum(35, [&](int k) { return x[k] * x[k]; })); })
        .each(
            [&](int i, int k) {
                return std::sqrt(sum(4, [&](int j) { return c(i, j, k) * c(i, j, k); }));
            },
            3, 2)
        .each([&] { return exp_sum(35, [&](int k) { return x[k]; }); })
        .each([&](int j) { return exp_sum(5, [&](int i) { return x(i, j); }); }, 7)
        .each([&](int i) { return exp_sum(8, [&](int k) { return c(i, k / 2, k % 2); }); }, 3);
    check_language<statistics>(e, x, c);
}

TEST_CASE("softmax and its logarithm", "[grad]") {
    auto const& x = matrix;
    auto const& c = cube;
    auto share = [](int n, int at, auto f) {
        return std::exp(f(at)) / sum(n, [&](int i) { return std::exp(f(i)); });
    };
    auto in_row = [&](int i, int j) { return share(7, j, [&](int k) { return x(i, k); }); };
    auto in_cube = [&](int i, int j, int k) {
        return share(4, j, [&](int l) { return c(i, l, k); });
    };
    expected_elements e;
    e.each(in_row, 5, 7)
        .each([&](int i, int j) { return share(5, i, [&](int k) { return x(k, j); }); }, 5, 7)
        .each(in_cube, 3, 4, 2)
        .each([&](int i, int j) { return std::log(in_row(i, j)); }, 5, 7)
        .each([&](int i, int j, int k) { return std::log(in_cube(i, j, k)); }, 3, 4, 2);
    check_language<normalised>(e, x, c);
}

TEST_CASE("running sums nest in loops", "[grad]") {
    auto const& x = matrix;
    std::vector<double> h;
    for (int j = 0; j < 7; ++j) h.push_back(x(0, j));
    std::vector<double> shares;
    for (int t = 0; t < 5; ++t) {
        double running = 0;
        double total = 0;
        for (int j = 0; j < 7; ++j) {
            running += h[std::size_t(j)];
            h[std::size_t(j)] = std::tanh(running * x(t, j));
            total += std::exp(h[std::size_t(j)]);
        }
        for (double v : h) shares.push_back(std::exp(v) / total);
    }
    expected_elements e;
    e.each([&](int j) { return h[std::size_t(j)]; }, 7)
        .each([&](int k) { return shares[std::size_t(k)]; }, 35);
    check_language<nested>(e, x);
}

namespace {

constexpr auto loss_of_products = [](auto x) {
    return us::sum(us::prod<0>(x)) + us::sum(us::cumprod<0>(x));
};
constexpr auto norms = [](auto x) { return us::norm(x) + us::stddev(x); };
constexpr auto exponentials = [](auto x) {
    return std::tuple{us::logsumexp<1>(x), us::softmax(x), us::log_softmax(x)};
};
constexpr auto loss_of_softmax = [](auto x) {
    return us::sum(us::softmax(x)(us::all, us::at<1>)) + us::sum(us::logsumexp<1>(x));
};
constexpr auto extremes = [](auto x) {
    return std::tuple{us::argmax<1>(x), us::argmin<1>(x), us::one_hot<4>(us::argmax<1>(x))};
};

}  // namespace

// In constants, where no limit is changed.
static_assert(us::gradient_error<loss_of_products, matrix> < tolerance::gradient_error);

TEST_CASE("derivatives of products are right where elements are 0", "[grad]") {
    // Of 2abc + a + ab for the columns (a, b, c) = (2, 0, 3) and (0, 0, 5).
    us::tensor<double, 3, 2> const x{2, 0, 0, 0, 3, 5};
    auto const gradient = us::grad(loss_of_products)(x);
    CHECK(elements_of(gradient) == std::vector<double>{1, 1, 2 + 2 * 6, 0, 0, 0});
}

TEST_CASE("norm and deviation have derivative 0 where they are 0", "[grad]") {
    us::tensor<double, 3> const zero{};
    auto const [value, gradient] = us::value_and_grad(norms)(zero);
    CHECK(value == 0);
    CHECK(gradient == zero);
}

TEST_CASE("exponentials keep large and infinite elements apart", "[grad]") {
    us::tensor<double, 4, 3> const x{1000,      1001,      -infinity, -infinity, -2000, -infinity,
                                     -infinity, -infinity, -infinity, infinity,  0,     1};
    auto const [total, share, log_share] = us::program(exponentials, x)(x);
    double const e = std::exp(1.0);
    CHECK(relative_error(total[0], 1000 + std::log(1 + e)) <= tolerance::language);
    CHECK(total[1] == -2000);
    CHECK(total[2] == -infinity);
    CHECK(total[3] == infinity);
    CHECK(relative_error(share(0, 0), 1 / (1 + e)) <= tolerance::language);
    CHECK(relative_error(share(0, 1), e / (1 + e)) <= tolerance::language);
    CHECK(share(0, 2) == 0);
    CHECK(share(1, 0) == 0);
    CHECK(share(1, 1) == 1);
    CHECK(std::isnan(share(2, 0)));
    CHECK(relative_error(log_share(0, 0), -std::log(1 + e)) <= tolerance::language);
    CHECK(log_share(0, 2) == -infinity);
    CHECK(log_share(1, 1) == 0);

    us::tensor<double, 2, 3> const masked{1000, 1001, -infinity, -infinity, -2000, -infinity};
    auto const gradient = us::grad(loss_of_softmax)(masked);
    double const p = e / (1 + e);  // ∂softmax_1/∂x = p(δ − share), ∂logsumexp/∂x = share
    CHECK(relative_error(gradient(0, 0), (1 - p) - p * (1 - p)) <= tolerance::language);
    CHECK(relative_error(gradient(0, 1), p + p * (1 - p)) <= tolerance::language);
    CHECK(gradient(0, 2) == 0);
    CHECK(gradient(1, 0) == 0);
    CHECK(gradient(1, 1) == 1);
    CHECK(gradient(1, 2) == 0);
}

TEST_CASE("argmax names the first of equal elements, and NaN", "[grad]") {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    us::tensor<double, 4, 4> const x{1, 3,   3, 2,   -1,        -1, -1, -1,
                                     0, nan, 9, nan, -infinity, 4,  4,  5};
    auto const [most, least, hot] = us::program(extremes, x)(x);
    CHECK(elements_of(most) == std::vector<double>{1, 0, 1, 3});
    CHECK(elements_of(least) == std::vector<double>{0, 0, 1, 0});
    CHECK(elements_of(hot) == std::vector<double>{0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1});
}
