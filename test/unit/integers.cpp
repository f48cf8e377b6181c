// SPDX-License-Identifier: BSL-1.0
// Integers and truth values as arguments: numbers of the element type once they are inside.
#include <unspool/unspool.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <stdexcept>

namespace us = unspool;

namespace {

using table = us::tensor<float, 5, 3>;
constexpr table rows(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
constexpr us::tensor<int, 4> chosen(4, 0, -1, 2);
constexpr us::tensor<bool, 4> kept(true, false, true, true);

/// n · Σ kept · rows[chosen]²
constexpr auto loss = [](auto x, auto index, auto keep, auto n) {
    return us::sum(us::square(us::take(x, index)) * us::reshape<4, 1>(keep)) * n;
};

constexpr auto expected = us::value_and_grad(loss)(rows, chosen, kept, 2);
static_assert(expected.value == 2 * (2 * (13 * 13 + 14 * 14 + 15 * 15) + 7 * 7 + 8 * 8 + 9 * 9));
static_assert(expected.gradient(4, 1) == 2 * 2 * 2 * 14);  // taken twice
static_assert(expected.gradient(2, 0) == 2 * 2 * 7);
static_assert(expected.gradient(0, 0) == 0);  // not kept
static_assert(expected.gradient(1, 0) == 0);  // not taken

using index_program = us::program<decltype(us::value_and_grad(loss)), table, us::tensor<int, 4>,
                                  us::tensor<bool, 4>, int>;

constexpr auto scaled = [](auto x, auto n) { return us::sum(x) * n; };
template <class T, class Integer>
using scaled_program =
    us::program<std::remove_const_t<decltype(scaled)>, us::tensor<T, 3>, Integer>;

static_assert(noexcept(std::declval<scaled_program<float, std::int16_t>>()(
    std::declval<us::tensor<float, 3>>(), std::int16_t{})));
static_assert(noexcept(
    std::declval<scaled_program<double, int>>()(std::declval<us::tensor<double, 3>>(), 1)));
static_assert(
    !noexcept(std::declval<scaled_program<float, int>>()(std::declval<us::tensor<float, 3>>(), 1)));

}  // namespace

TEST_CASE("integers and truth values beside float", "[unit]") {
    index_program step;
    auto const& got = step(rows, chosen, kept, 2);
    CHECK(got.value == expected.value);
    CHECK(got.gradient == expected.gradient);
    auto const direct = us::value_and_grad(loss)(rows, chosen, kept, 2);
    CHECK(direct.gradient == expected.gradient);
}

TEST_CASE("integers that the element type cannot hold are refused", "[unit]") {
    us::tensor<float, 3> const x(1, 2, 3);
    scaled_program<float, std::int64_t> step;
    constexpr std::int64_t most = std::int64_t{1} << 24;
    CHECK(step(x, most) == 6.0F * float(most));
    CHECK(step(x, -most) == -6.0F * float(most));
    CHECK_THROWS_AS(step(x, most + 1), std::out_of_range);
    CHECK_THROWS_AS(step(x, -most - 1), std::out_of_range);
    scaled_program<float, std::uint64_t> natural;
    CHECK_THROWS_AS(natural(x, ~std::uint64_t{0}), std::out_of_range);
}
