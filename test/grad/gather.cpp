// SPDX-License-Identifier: BSL-1.0
// Rows by indices: an embedding before a recurrence, inside of one, and counts.
#include "grad/check.hpp"

#include <cmath>
#include <stdexcept>

using namespace unspool_test;

namespace {

using table = us::tensor<double, 5, 3>;
using tokens = us::tensor<double, 7>;
using row = us::tensor<double, 3>;

constexpr table a = [] {
    table t;
    for (int i = 0; i < t.size(); ++i) t[i] = 0.1 * (i % 7) - 0.25;
    return t;
}();
constexpr row start{};
constexpr tokens chosen(4, 0, 2, 2, -1, 0, -5);

/// h ← tanh(h / 2 + row), from rows taken before the loop or in it.
constexpr auto taken_before = [](auto x, auto at, auto h0) {
    auto const r = us::scan([](auto h, auto in) { return std::pair(us::tanh(0.5 * h + in), h); },
                            h0, us::take(x, at));
    return us::sum(us::square(r.first)) + us::mean(r.second);
};
constexpr auto taken_inside = [](auto x, auto at, auto h0) {
    auto const r = us::scan(
        [&](auto h, auto i) { return std::pair(us::tanh(0.5 * h + us::take(x, i)), h); }, h0, at);
    return us::sum(us::square(r.first)) + us::mean(r.second);
};

/// The same by hand, with the gradient with respect to the table.
double by_hand(table& gradient) {
    double h[8][3]{};
    double loss = 0;
    auto token = [](int t) { return (int(chosen[t]) + 5) % 5; };
    for (int t = 0; t < 7; ++t)
        for (int k = 0; k < 3; ++k) {
            loss += h[t][k] / 21;
            h[t + 1][k] = std::tanh(0.5 * h[t][k] + a(token(t), k));
        }
    double ct[3];
    for (int k = 0; k < 3; ++k) {
        loss += h[7][k] * h[7][k];
        ct[k] = 2 * h[7][k];
    }
    for (int t = 6; t >= 0; --t)
        for (int k = 0; k < 3; ++k) {
            double const inner = ct[k] * (1 - h[t + 1][k] * h[t + 1][k]);
            gradient(token(t), k) += inner;
            ct[k] = 0.5 * inner + 1.0 / 21;
        }
    return loss;
}

template <class F>
void check_against_hand(F f) {
    table expected{};
    double const loss = by_hand(expected);
    us::program<decltype(us::value_and_grad(f)), table, tokens, row> step;
    auto const& got = step(a, chosen, row{});
    CHECK(got.value == Approx(loss).epsilon(1e-14));
    for (int i = 0; i < expected.size(); ++i)
        CHECK(got.gradient[i] == Approx(expected[i]).epsilon(1e-13).margin(1e-16));
}

constexpr auto counted = [](auto at, auto weight) {
    return us::sum(us::square(us::scatter_add<5>(at, weight)));
};

}  // namespace

TEST_CASE("rows taken before a recurrence", "[grad][gather]") { check_against_hand(taken_before); }
TEST_CASE("rows taken inside of a recurrence", "[grad][gather]") {
    check_against_hand(taken_inside);
}

// By differences, as constants; indices are not differentiated.
static_assert(us::gradient_error_wrt<0, taken_before, a, chosen, start> < 1e-9);
static_assert(us::gradient_error_wrt<0, taken_inside, a, chosen, start> < 1e-9);

TEST_CASE("rows added up where indices say", "[grad][gather]") {
    us::tensor<double, 7, 2> weight;
    for (int i = 0; i < weight.size(); ++i) weight[i] = 1 + 0.5 * i;
    double sums[5][2]{};
    for (int t = 0; t < 7; ++t)
        for (int k = 0; k < 2; ++k) sums[(int(chosen[t]) + 5) % 5][k] += weight(t, k);
    us::program<decltype(us::value_and_grad<1>(counted)), tokens, us::tensor<double, 7, 2>> step;
    auto const& got = step(chosen, weight);
    double loss = 0;
    for (auto const& s : sums) loss += s[0] * s[0] + s[1] * s[1];
    CHECK(got.value == Approx(loss).epsilon(1e-14));
    for (int t = 0; t < 7; ++t)
        for (int k = 0; k < 2; ++k)
            CHECK(got.gradient(t, k) ==
                  Approx(2 * sums[(int(chosen[t]) + 5) % 5][k]).epsilon(1e-14));
}

TEST_CASE("an index beyond its table is an error", "[grad][gather]") {
    us::program<decltype(us::value_and_grad(taken_before)), table, tokens, row> step;
    tokens at = chosen;
    for (double wrong : {5.0, -6.0, 0.5, std::nan(""), 1e300}) {
        at[3] = wrong;
        CHECK_THROWS_AS(step(a, at, row{}), std::out_of_range);
    }
    at[3] = 4;
    CHECK_NOTHROW(step(a, at, row{}));
}
