// SPDX-License-Identifier: BSL-1.0
// Loops forwards or backwards, nested, with carries that change places.
#include "grad/scans.hpp"

#include <cmath>

#include <tuple>

using namespace unspool_test;

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
    check_all_adjoints(20, backwards, a, xs, h0);
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
    check_all_adjoints(20, nested, a, xs, h0);
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
    check_all_adjoints(20, powers, a, h0);
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

namespace {

/// tanh(c + x) 2⁶ times, by loops of two steps inside of each other.
template <int Depth>
constexpr auto nested(auto const& c, auto const& x) {
    if constexpr (Depth == 0) return us::tanh(c + x);
    else
        return us::scan<2>(
                   [&](auto inner) { return std::pair(nested<Depth - 1>(inner, x), inner); }, c)
            .first;
}

}  // namespace

TEST_CASE("loops nested deeper than a program keeps them", "[grad][scan]") {
    constexpr auto deep = [](auto c, auto x) { return us::sum(nested<6>(c, x)); };
    us::tensor<double, 3> const c(0.1, -0.2, 0.3);
    us::tensor<double, 3> const x(0.5, 0.25, -0.75);
    us::program step(us::value_and_grad(deep), c, x);
    double expected = 0;
    double slope[3];
    for (int i = 0; i < 3; ++i) {
        double v = c[i];
        slope[i] = 1;
        for (int k = 0; k < 64; ++k) {
            v = std::tanh(v + x[i]);
            slope[i] *= 1 - v * v;
        }
        expected += v;
    }
    auto const& got = step(c, x);
    CHECK(got.value == Approx(expected).epsilon(1e-14));
    for (int i = 0; i < 3; ++i) CHECK(got.gradient[i] == Approx(slope[i]).epsilon(1e-12));
}
