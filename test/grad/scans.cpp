// SPDX-License-Identifier: BSL-1.0
// Loops: unrolled by hand or not, forwards or backwards, nested, with carries that change places.
#include "grad/check.hpp"

#include <array>
#include <tuple>

using namespace unspool_test;

namespace {

using matrix = us::tensor<double, 3, 3>;
using sequence = us::tensor<double, 7, 3>;
using row = us::tensor<double, 3>;

// Matrices of normally distributed entries do not commute.
matrix const a = random<matrix>(1, 0.6);
sequence const xs = random<sequence>(2);
row const h0 = random<row>(3);

// h' = tanh(h·A + x)
inline constexpr auto step_of = [](auto const& h, auto const& x, auto const& w) {
    return us::tanh(us::dot(h, w) + x);
};
inline constexpr auto scanned = [](auto w, auto x, auto h) {
    auto const step = [&](auto const& state, auto const& in) {
        auto const next = step_of(state, in, w);
        return std::pair{next, us::square(next)};
    };
    return us::scan(step, h, x);
};
inline constexpr auto unrolled = [](auto w, auto x, auto h) {
    constexpr std::size_t steps = decltype(x)::dims.extent[0];
    std::array<us::as_traced<decltype(h)>, steps> ys;
    for (std::size_t t = 0; t < steps; ++t) {
        h = step_of(h, x[static_cast<int>(t)], w);
        ys[t] = us::square(h);
    }
    return std::pair{us::as_traced<decltype(h)>(h), us::stack(ys)};
};
template <auto F>
inline constexpr auto loss_of = [](auto w, auto x, auto h) {
    auto const r = F(w, x, h);
    return us::sum(us::sin(r.first)) + us::mean(r.second);
};

template <class F, class... Args>
auto gradient_of_all(F f, Args const&... args) {
    us::program step(us::value_and_grad<0, 1, 2>(f), args...);
    return step(args...);
}

}  // namespace

TEST_CASE("a loop written out is the scan", "[grad][scan]") {
    auto const p = gradient_of_all(loss_of<scanned>, a, xs, h0);
    auto const q = gradient_of_all(loss_of<unrolled>, a, xs, h0);
    CHECK(p.value == Approx(q.value).epsilon(tolerance::pass));
    CHECK(apart(p.gradient, q.gradient) <= tolerance::pass);
    check_differences(loss_of<scanned>, a, xs, h0);
    check_adjoints(20, scanned, a, xs, h0);
    check_adjoints(20, unrolled, a, xs, h0);
}

TEST_CASE("the pass that unrolls changes no gradient", "[grad][scan]") {
    auto const p = gradient_of_all(loss_of<scanned>, a, xs, h0);
    auto const q = gradient_of_all(us::unroll<7>(loss_of<scanned>), a, xs, h0);
    CHECK(apart(p.gradient, q.gradient) <= tolerance::pass);
}

TEST_CASE("a reversed scan is the scan of the reversed sequence", "[grad][scan]") {
    auto const backwards = [](auto w, auto x, auto h) {
        auto const step = [&](auto const& state, auto const& in) {
            auto const next = step_of(state, in, w);
            return std::pair{next, us::square(next)};
        };
        auto const r = us::scan(step, h, x, us::reversed);
        return us::sum(us::sin(r.first)) + us::sum(r.second[0]) + us::mean(r.second);
    };
    auto const forwards = [](auto w, auto x, auto h) {
        auto const r = scanned(w, x, h);
        return us::sum(us::sin(r.first)) + us::sum(r.second[6]) + us::mean(r.second);
    };
    sequence turned;
    for (int t = 0; t < 7; ++t)
        for (int i = 0; i < 3; ++i) turned(t, i) = xs(6 - t, i);
    auto const p = gradient_of_all(backwards, a, xs, h0);
    auto const q = gradient_of_all(forwards, a, turned, h0);
    CHECK(p.value == Approx(q.value).epsilon(tolerance::pass));
    CHECK(apart(std::get<0>(p.gradient), std::get<0>(q.gradient)) <= tolerance::pass);
    CHECK(apart(std::get<2>(p.gradient), std::get<2>(q.gradient)) <= tolerance::pass);
    for (int t = 0; t < 7; ++t)
        for (int i = 0; i < 3; ++i)
            CHECK(std::get<1>(p.gradient)(t, i) ==
                  Approx(std::get<1>(q.gradient)(6 - t, i)).epsilon(1e-11));
    check_differences(backwards, a, xs, h0);
    check_adjoints(20, backwards, a, xs, h0);
}

TEST_CASE("carries change places", "[grad][scan]") {
    auto const swaps = [](auto w, auto x, auto h) {
        auto const step = [&](auto const& c, auto const& in) {
            auto const& [p, q, n] = c;
            return std::pair{std::tuple{us::as_traced<decltype(p)>(q), step_of(p, in, w), n + 1},
                             p * q};
        };
        auto const [last, ys] = us::scan(step, std::tuple{h, 0.5 * h, us::sum(h)}, x);
        return us::sum(us::sin(std::get<0>(last)) - std::get<1>(last)) * std::get<2>(last) +
               us::mean(us::square(ys));
    };
    check_differences(swaps, a, xs, h0);
    check_adjoints(20, swaps, a, xs, h0);
}

TEST_CASE("a scan inside of a scan", "[grad][scan]") {
    auto const nested = [](auto w, auto x, auto h) {
        auto const outer = [&](auto const& state, auto const& in) {
            auto const inner = [&](auto const& deep, auto const& again) {
                auto const next = step_of(deep, again + 0.1 * in, w);
                return std::pair{next, us::sum(next * state)};
            };
            auto const [last, ys] = us::scan(inner, state, x);
            return std::pair{last, ys};
        };
        auto const [last, ys] = us::scan(outer, h, x);
        return us::sum(last) + us::mean(us::square(ys));
    };
    check_differences(nested, a, xs, h0);
    check_adjoints(20, nested, a, xs, h0);
}

TEST_CASE("a scan without inputs, and one after another", "[grad][scan]") {
    auto const powers = [](auto w, auto h) {
        auto const step = [&](auto const& state) {
            auto const next = us::dot(state, w);
            return std::pair{next, next};
        };
        auto const first = us::scan<5>(step, h);
        auto const second = us::scan<3>(step, us::tanh(first.first));
        return us::sum(us::square(second.second)) + us::sum(first.second);
    };
    check_differences(powers, a, h0);
    check_adjoints(20, powers, a, h0);
}

TEST_CASE("only the last carry, or only one output, is used", "[grad][scan]") {
    auto const last = [](auto w, auto x, auto h) { return us::sum(scanned(w, x, h).first); };
    auto const middle = [](auto w, auto x, auto h) { return us::sum(scanned(w, x, h).second[3]); };
    check_differences(last, a, xs, h0);
    check_differences(middle, a, xs, h0);
    // Steps after the fourth do not matter, exactly.
    us::program step(us::grad<1>(middle), a, xs, h0);
    auto const& g = step(a, xs, h0);
    for (int t = 4; t < 7; ++t)
        for (int i = 0; i < 3; ++i) CHECK(g(t, i) == 0);
    CHECK(us::global_norm(g) > 0);
}
