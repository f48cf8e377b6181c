// SPDX-License-Identifier: BSL-1.0
// Integers and truth values that stand in the function: indices, masks, counters; `any` and `all`.
#include "grad/language.hpp"

#include <array>
#include <cstdint>
#include <limits>

using namespace unspool_test;

namespace {

using matrix_type = us::tensor<double, 5, 3>;
constexpr matrix_type matrix{0.5, 1.5,  -2.5,  3.5, 4.5, -5.5, 6.5, 0.75,
                             8.5, -9.5, 0.625, 2.5, 1.5, 3.5,  7.5};
constexpr us::tensor<double, 3> vector{0.25, -1.25, 2.25};
constexpr us::tensor<int, 2, 2> chosen{4, -1, 0, 2};
constexpr us::tensor<int, 2, 2> of_three{1, -1, 0, 2};
constexpr us::tensor<bool, 3> mask{true, false, true};

constexpr auto rows = [](auto x, auto v) {
    return std::tuple{us::take(x, us::tensor<int, 2, 2>{4, -1, 0, 2}),
                      us::take(v, us::constant(of_three)),
                      us::take(x, std::array{3, 3, -5}),
                      us::take(v, us::tensor<std::uint8_t, 2>{2, 0}),
                      us::take(us::tensor<int, 3, 2>{1, 2, 3, 4, 5, 6}, us::round(v)),
                      us::scatter_add<4>(us::tensor<long, 5>{1, 3, -3, 0, 3}, x),
                      us::scatter_add<2>(us::constant(mask), v),
                      us::one_hot<4>(us::tensor<int, 3>{2, 0, 4}) * us::sum(v)};
};
constexpr auto choices = [](auto x, auto v) {
    return std::tuple{us::where(mask, x, v),
                      us::where(us::tensor<bool, 5, 1>{false, true, true, false, true}, v, -x),
                      us::where(x > us::tensor<int, 3>{1, 2, 3}, x, v),
                      us::logical_and(x > 1, mask) * x,
                      us::logical_or(mask, x > 1) * x,
                      us::tensor<int, 3>{2, -1, 3} * v + us::constant(mask)};
};
constexpr auto truths = [](auto x, auto v) {
    return std::tuple{us::any(x > 8) * v,
                      us::any(x > 9) * v,
                      us::any<0>(x > 6) * v,
                      us::any<1>(x < 0) * us::sum(v),
                      us::all(x > -10) * v,
                      us::all(x > -9) * v,
                      us::all(x) * v,
                      us::all.over<0>(x > -3) * v,
                      us::all.over<1>(x > 0) * us::sum(v),
                      us::any<0, -1>(x < 0) * v};
};
/// n counts the steps, k = 3, 1, 4, … are constants; y = (n·h, k).
constexpr auto counted = [](auto x, auto v) {
    auto const step = [](auto const& carry, auto const& in) {
        auto const& [h, n] = carry;
        auto const& [row, k] = in;
        auto const next = us::tanh(h * row + k);
        return std::pair{std::tuple{us::as_traced<decltype(h)>(next), n + 1}, std::pair{n * h, 7}};
    };
    auto const [last, ys] =
        us::scan(step, std::tuple{v, 0}, std::pair{x, us::tensor<int, 5>{3, 1, -4, 1, 5}});
    return std::tuple{std::get<0>(last), std::get<1>(last) * v, ys.first, ys.second * us::sum(v)};
};

double at(int i, int j) { return matrix(i, j); }
bool is_kept(int j) { return j != 1; }

}  // namespace

TEST_CASE("rows by constant indices", "[grad][gather]") {
    auto const& v = vector;
    int const order[] = {4, 4, 0, 2};   // of five rows
    int const places[] = {1, 2, 0, 2};  // of three
    expected_elements e;
    e.each([&](int i, int j) { return at(order[i], j); }, 4, 3)
        .each([&](int i) { return v[places[i]]; }, 4)
        .each([](int i, int j) { return at(i < 2 ? 3 : 0, j); }, 3, 3)
        .each([&](int i) { return v[i == 0 ? 2 : 0]; }, 2)
        .each([](int i, int j) { return (i == 0 ? 1 : 5) + j; }, 3, 2)
        .each(
            [](int i, int j) {
                return i == 0   ? at(3, j)
                       : i == 1 ? at(0, j) + at(2, j)
                       : i == 2 ? 0
                                : at(1, j) + at(4, j);
            },
            4, 3)
        .each([&](int i) { return i == 0 ? v[1] : v[0] + v[2]; }, 2)
        .each([](int i, int j) { return (i == 0 && j == 2) || (i == 1 && j == 0) ? 1.25 : 0; }, 3,
              4);
    check_language<rows>(e, matrix, vector);
}

TEST_CASE("masks of truth values", "[grad]") {
    auto const& v = vector;
    expected_elements e;
    e.each([&](int i, int j) { return is_kept(j) ? at(i, j) : v[j]; }, 5, 3)
        .each([&](int i, int j) { return i == 1 || i == 2 || i == 4 ? v[j] : -at(i, j); }, 5, 3)
        .each([&](int i, int j) { return at(i, j) > j + 1 ? at(i, j) : v[j]; }, 5, 3)
        .each([](int i, int j) { return at(i, j) > 1 && is_kept(j) ? at(i, j) : 0; }, 5, 3)
        .each([](int i, int j) { return at(i, j) > 1 || is_kept(j) ? at(i, j) : 0; }, 5, 3)
        .each(
            [&](int j) {
                return (j == 0 ? 2 : j == 1 ? -1 : 3) * v[j] + is_kept(j);
            },
            3);
    check_language<choices>(e, matrix, vector);
}

TEST_CASE("any and all", "[grad]") {
    auto const& v = vector;
    auto any_of = [](int n, auto f) {
        int found = 0;
        for (int i = 0; i < n; ++i) found += f(i);
        return found > 0;
    };
    auto times = [&](bool truth) { return [truth](int j) { return truth ? vector[j] : 0; }; };
    auto in_column = [&](int j, auto f) { return any_of(5, [&](int i) { return f(at(i, j)); }); };
    auto in_row = [&](int i, auto f) { return any_of(3, [&](int j) { return f(at(i, j)); }); };
    auto negative = [](double x) { return x <= 0; };
    expected_elements e;
    e.each(times(true), 3)  // 8.5 is above 8
        .each(times(false), 3)
        .each([&](int j) { return in_column(j, [](double x) { return x > 6; }) ? v[j] : 0; }, 3)
        .each([&](int i) { return in_row(i, negative) ? 1.25 : 0; }, 5)
        .each(times(true), 3)  // −9.5 is the least
        .each(times(false), 3)
        .each(times(true), 3)
        .each([&](int j) { return in_column(j, [](double x) { return x <= -3; }) ? 0 : v[j]; }, 3)
        .each([&](int i) { return in_row(i, negative) ? 0 : 1.25; }, 5)
        .each(times(true), 3);
    check_language<truths>(e, matrix, vector);
}

TEST_CASE("counters and constant inputs of a loop", "[grad][scan]") {
    int const k[] = {3, 1, -4, 1, 5};
    double h[6][3];
    for (int j = 0; j < 3; ++j) {
        h[0][j] = vector[j];
        for (int t = 0; t < 5; ++t) h[t + 1][j] = std::tanh(h[t][j] * at(t, j) + k[t]);
    }
    expected_elements e;
    e.each([&](int j) { return h[5][j]; }, 3)
        .each([](int j) { return 5 * vector[j]; }, 3)
        .each([&](int t, int j) { return t * h[t][j]; }, 5, 3)
        .each([](int) { return 7 * 1.25; }, 5);
    check_language<counted>(e, matrix, vector);
}

namespace {

constexpr auto masked = [](auto x, auto keep) {
    return us::sum(us::where(keep, us::log(x), 0)) + us::any(keep) - 2 * us::all(keep);
};
constexpr auto asked = [](auto x) { return std::tuple{us::any<1>(x), us::all.over<1>(x)}; };
constexpr auto looked_up = [](auto x) {
    auto const step = [&](auto h, auto in) {
        auto const next = us::tanh(h + us::sum(us::take(in, us::tensor<int, 2>{2, -3})));
        return std::pair{next, next};
    };
    return us::sum(us::scan(step, 0, x).second);
};
constexpr auto constant_result = [](auto x) { return std::pair{x, us::constant(chosen)}; };

constexpr us::tensor<double, 3> positive{1, 2, 4};
static_assert(us::call(masked, positive, us::tensor<bool, 3>{true, false, false}) == 1);
static_assert(us::call(masked, positive, us::tensor<bool, 3>{true, true, true}) > 1.07 &&
              us::call(masked, positive, us::tensor<bool, 3>{true, true, true}) <
                  1.08);  // 3·ln 2 − 1
static_assert(us::call(asked, us::tensor<float, 3, 2>{0, 0, 0, 2, -1, 2}) ==
              std::tuple{us::tensor<float, 3>{0, 1, 1}, us::tensor<float, 3>{0, 0, 1}});
static_assert(us::gradient_error<looked_up, matrix> < tolerance::gradient_error);
static_assert(us::call(constant_result, 1.5).second == us::tensor<double, 2, 2>{4, -1, 0, 2});

// A table that the compiler knows has its constant indices does not make a call throw.
using look_up = us::program<std::remove_const_t<decltype(looked_up)>, matrix_type>;
using by_index = us::program<decltype([](auto x, auto i) { return us::take(x, i); }), matrix_type,
                             us::tensor<std::int8_t, 2>>;
static_assert(noexcept(std::declval<look_up&>()(matrix)));
static_assert(!noexcept(std::declval<by_index&>()(matrix, us::tensor<std::int8_t, 2>{})));

}  // namespace

TEST_CASE("a mask that is an argument keeps what it hides out of value and gradient", "[grad]") {
    us::tensor<double, 3> const x{0.5, -1, 0};
    us::tensor<bool, 3> const keep{true, false, false};
    us::program step(us::value_and_grad(masked), x, keep);
    auto const& got = step(x, keep);
    CHECK(got.value == Approx(std::log(0.5) + 1).epsilon(1e-15));
    CHECK(got.gradient == us::tensor<double, 3>{2, 0, 0});
}

TEST_CASE("NaN is true", "[grad]") {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    us::tensor<double, 3, 2> const x{nan, 0, nan, 1, 0, 0};
    auto const [any, all] = us::program(asked, x)(x);
    CHECK(elements_of(any) == std::vector<double>{1, 1, 0});
    CHECK(elements_of(all) == std::vector<double>{0, 1, 0});
}
