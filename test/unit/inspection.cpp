// SPDX-License-Identifier: BSL-1.0
// Looking into a function: marked values of each step, the first value that is not finite.
#include <unspool/unspool.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace us = unspool;

namespace {

using vector = us::tensor<double, 2>;
using sequence = us::tensor<double, 4, 2>;

/// c ← c / 2 + x_t; the loss sums log(c) over all steps.
constexpr auto marked = [](auto c0, auto xs) {
    auto const r = us::scan(
        [](auto c, auto x) {
            auto next = us::inspect("state", 0.5 * c + x);
            return std::pair(next, us::log(next));
        },
        c0, xs);
    return us::sum(us::inspect("logs", r.second));
};
constexpr auto plain = [](auto c0, auto xs) {
    auto const r = us::scan(
        [](auto c, auto x) {
            auto next = 0.5 * c + x;
            return std::pair(next, us::log(next));
        },
        c0, xs);
    return us::sum(r.second);
};

constexpr vector start(1, 2);
constexpr sequence inputs(1, 2, 3, 4, 5, 6, 7, 8);

}  // namespace

TEST_CASE("marked values of every step", "[unit]") {
    us::inspection const look(marked, start, inputs);
    CHECK(look.finite());
    CHECK(look.report().empty());
    auto const& state = look["state"];
    REQUIRE(state.steps.size() == 4);
    double c[2] = {1, 2};
    for (std::size_t t = 0; t < 4; ++t) {
        CHECK(state.steps[t] == std::vector<int>{int(t)});
        for (int k = 0; k < 2; ++k) {
            c[k] = 0.5 * c[k] + inputs(int(t), k);
            CHECK(state.at(t)[k] == c[k]);
            CHECK(look["logs"].at(0)[2 * t + std::size_t(k)] ==
                  Approx(std::log(c[k])).epsilon(1e-15));
        }
    }
    CHECK(look["logs"].steps[0].empty());
    CHECK_THROWS_WITH(look["cell"], "unspool: nothing is marked \"cell\"; marked are: state, logs");
}

TEST_CASE("marks cost programs and constants nothing", "[unit]") {
    using with = us::program<decltype(us::value_and_grad(marked)), vector, sequence>;
    using without = us::program<decltype(us::value_and_grad(plain)), vector, sequence>;
    STATIC_REQUIRE(with::instructions == without::instructions);
    STATIC_REQUIRE(with::workspace_bytes == without::workspace_bytes);
    STATIC_REQUIRE(us::value_and_grad(marked)(start, inputs).gradient ==
                   us::value_and_grad(plain)(start, inputs).gradient);
    CHECK(with::text() == without::text());
}

TEST_CASE("the first value that is not finite is named", "[unit]") {
    sequence xs = inputs;
    xs(2, 1) = -10;
    CHECK(us::inspection(marked, start, xs).report() ==
          "unspool: log gives nan at (1), at step 2, from -7.25; the last mark before it is "
          "\"state\"");
    xs(2, 1) = -2.75;
    CHECK(us::inspection(plain, start, xs).report() ==
          "unspool: log gives -inf at (1), at step 2, from 0");
    xs(2, 1) = std::numeric_limits<double>::infinity();
    CHECK(us::inspection(plain, start, xs).report() ==
          "unspool: leaf 1 of the arguments is inf at (2, 1) before anything is "
          "computed");
}

TEST_CASE("a gradient is looked into as well", "[unit]") {
    constexpr auto root = [](auto x) { return us::sum(us::sqrt(x)); };
    vector const x(4, 0);
    us::inspection const look(us::grad(root), x);
    CHECK_FALSE(look.finite());
    CHECK(look.report() == "unspool: divide gives inf at (1), from 0.5 and 0");
}
