// SPDX-License-Identifier: BSL-1.0
// Loops over structs of sequences, whose outputs are structs of sequences.
#include "grad/scans.hpp"

#include <cmath>

#include <array>
#include <tuple>
#include <type_traits>

using namespace unspool_test;

namespace {

constexpr int steps = 5;

/// One step: stacked over time it is the input.
template <class T, auto N>
struct sample {
    BOOST_HANA_DEFINE_STRUCT(sample, (T, gain), (us::tensor<T, N>, drive));
};
/// Whole sequences by themselves.
template <class T, auto Steps>
struct frames {
    BOOST_HANA_DEFINE_STRUCT(frames, (us::tensor<T, Steps, 3>, drive),
                             (us::tensor<T, Steps>, gain));
};

using samples = sample<us::stacked<double, steps>, 3>;
using frame_sequence = frames<double, steps>;
using row_sequence = us::tensor<double, steps, 3>;
using number_sequence = us::tensor<double, steps>;

samples const stacked_xs{random<number_sequence>(4), random<row_sequence>(5)};
frame_sequence const listed_xs{random<row_sequence>(5), random<number_sequence>(4)};

/// h ← tanh(h·A + gain·drive); y = {h·gain, h²}, given as a step with the members of x.
constexpr auto next_of = [](auto const& h, auto const& gain, auto const& drive, auto const& w) {
    return us::tanh(us::dot(h, w) + gain * drive);
};
constexpr auto looped = [](auto w, auto h, auto xs) {
    auto const step = [&](auto const& state, auto x) {
        auto const next = next_of(state, x.gain, x.drive, w);
        x.gain = us::sum(next) * x.gain;
        x.drive = us::square(next);
        return std::pair{next, x};
    };
    return us::scan(step, h, xs);
};
constexpr auto written_out = [](auto w, auto h, auto gain, auto drive) {
    std::array<us::traced_tensor<double, us::shape{}>, steps> gains;
    std::array<us::as_traced<decltype(h)>, steps> drives;
    us::as_traced<decltype(h)> state = h;
    for (int t = 0; t < steps; ++t) {
        auto const at = static_cast<std::size_t>(t);
        state = next_of(state, gain[t], drive[t], w);
        gains[at] = us::sum(state) * gain[t];
        drives[at] = us::square(state);
    }
    return std::tuple{state, us::stack(gains), us::stack(drives)};
};
constexpr auto measured = [](auto const& last, auto const& gain, auto const& drive) {
    return us::sum(us::sin(last)) + us::sum(us::square(gain)) + us::mean(us::exp(drive));
};
constexpr auto loss_of_loop = [](auto w, auto h, auto xs) {
    auto const [last, ys] = looped(w, h, xs);
    return measured(last, ys.gain, ys.drive);
};
constexpr auto loss_written_out = [](auto w, auto h, auto gain, auto drive) {
    auto const [last, gains, drives] = written_out(w, h, gain, drive);
    return measured(last, gains, drives);
};

template <class Xs>
void check_against_unrolled(Xs const& xs) {
    us::program loop(us::value_and_grad<0, 1, 2>(loss_of_loop), a, h0, xs);
    us::program line(us::value_and_grad<0, 1, 2, 3>(loss_written_out), a, h0, stacked_xs.gain,
                     stacked_xs.drive);
    auto const& p = loop(a, h0, xs);
    auto const& q = line(a, h0, stacked_xs.gain, stacked_xs.drive);
    CHECK(p.value == Approx(q.value).epsilon(tolerance::pass));
    auto const& [wp, hp, xp] = p.gradient;
    auto const& [wq, hq, gain, drive] = q.gradient;
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(xp)>, Xs>);
    CHECK(apart(wp, wq) <= tolerance::pass);
    CHECK(apart(hp, hq) <= tolerance::pass);
    CHECK(array_error(xp.gain.data(), gain.data(), gain.size()) <= tolerance::pass);
    CHECK(array_error(xp.drive.data(), drive.data(), drive.size()) <= tolerance::pass);
    CHECK(us::global_norm(gain) > 0);
    check_differences(loss_of_loop, a, h0, xs);
    check_adjoints(20, loss_of_loop, a, h0, xs);
}

}  // namespace

TEST_CASE("a struct stacked over time is a loop's input and output", "[grad][scan]") {
    check_against_unrolled(stacked_xs);
}
TEST_CASE("a struct that lists sequences is a loop's input and output", "[grad][scan]") {
    check_against_unrolled(listed_xs);
}

TEST_CASE("outputs that are structs keep the type of their inputs", "[grad][scan]") {
    us::program stack(looped, a, h0, stacked_xs);
    us::program list(looped, a, h0, listed_xs);
    static_assert(std::is_same_v<decltype(stack)::result_type, std::pair<row, samples>>);
    static_assert(std::is_same_v<decltype(list)::result_type, std::pair<row, frame_sequence>>);
    auto const& [last, ys] = stack(a, h0, stacked_xs);
    double h[3] = {h0[0], h0[1], h0[2]};
    for (int t = 0; t < steps; ++t) {
        double next[3];
        double sum = 0;
        for (int j = 0; j < 3; ++j) {
            next[j] = stacked_xs.gain(t) * stacked_xs.drive(t, j);
            for (int i = 0; i < 3; ++i) next[j] += h[i] * a(i, j);
            next[j] = std::tanh(next[j]);
            sum += next[j];
        }
        for (int j = 0; j < 3; ++j) {
            h[j] = next[j];
            CHECK(ys.drive(t, j) == Approx(h[j] * h[j]).epsilon(1e-13));
        }
        CHECK(ys.gain(t) == Approx(sum * stacked_xs.gain(t)).epsilon(1e-12));
    }
    for (int j = 0; j < 3; ++j) CHECK(last[j] == Approx(h[j]).epsilon(1e-13));
    CHECK(apart(list(a, h0, listed_xs).second.drive, ys.drive) <= tolerance::pass);

    // What a loop gave may be the input of another.
    us::program again(us::value_and_grad<2>(loss_of_loop), a, h0, ys);
    check_differences(loss_of_loop, a, h0, ys);
    CHECK(std::isfinite(again(a, h0, ys).value));
}

TEST_CASE("structs in tuples and arrays, from the last step to the first", "[grad][scan]") {
    using mixture = std::tuple<samples, std::array<frame_sequence, 2>, number_sequence>;
    mixture const mixed{stacked_xs,
                        {listed_xs, {random<row_sequence>(6), random<number_sequence>(7)}},
                        random<number_sequence>(8)};
    auto const loss = [](auto w, auto h, auto in) {
        auto const step = [&](auto const& state, auto const& x) {
            auto const& [one, two, bias] = x;
            auto const next = next_of(state, one.gain + bias, one.drive * two[0].drive, w);
            auto y = two[1];
            y.gain = y.gain * us::sum(next);
            return std::pair{next, std::pair{std::array{y, two[0]}, next}};
        };
        auto const [last, ys] = us::scan(step, h, in, us::reversed);
        auto const& [y, states] = ys;
        return us::sum(us::sin(last)) + us::sum(y[0].gain) * us::sum(us::square(y[1].drive)) +
               us::mean(us::square(states)) + us::sum(us::sin(y[0].drive)) + us::sum(y[1].gain);
    };
    check_differences(loss, a, h0, mixed);
    check_all_adjoints(20, loss, a, h0, mixed);
}

TEST_CASE("a loop over structs inside of a loop over structs", "[grad][scan]") {
    using inner_samples = us::stacked<us::stacked<double, 4>, 3>;
    sample<inner_samples, 3> const grid{random<us::tensor<double, 3, 4>>(9),
                                        random<us::tensor<double, 3, 4, 3>>(10)};
    auto const nested = [](auto w, auto h, auto in) {
        auto const outer = [&](auto const& state, auto const& x) { return looped(w, state, x); };
        auto const [last, ys] = us::scan(outer, h, in);
        return measured(last, ys.gain, ys.drive);
    };
    auto const flat = [](auto w, auto h, auto gain, auto drive) {
        auto const in = std::pair{us::reshape<12>(gain), us::reshape<12, 3>(drive)};
        auto const step = [&](auto const& state, auto const& x) {
            auto const next = next_of(state, x.first, x.second, w);
            return std::pair{next, std::pair{us::sum(next) * x.first, us::square(next)}};
        };
        auto const [last, ys] = us::scan(step, h, in);
        return measured(last, ys.first, ys.second);
    };
    us::program p(us::grad<0, 1, 2>(nested), a, h0, grid);
    us::program q(us::grad<0, 1, 2, 3>(flat), a, h0, grid.gain, grid.drive);
    auto const& [wp, hp, xp] = p(a, h0, grid);
    auto const& [wq, hq, gain, drive] = q(a, h0, grid.gain, grid.drive);
    CHECK(apart(wp, wq) <= tolerance::pass);
    CHECK(apart(hp, hq) <= tolerance::pass);
    CHECK(array_error(xp.gain.data(), gain.data(), gain.size()) <= tolerance::pass);
    CHECK(array_error(xp.drive.data(), drive.data(), drive.size()) <= tolerance::pass);
    check_differences(nested, a, h0, grid);
}

TEST_CASE("second derivatives with respect to structs of sequences", "[grad][scan]") {
    auto const squared_slope = [](auto w, auto h, auto in) {
        auto const slope = us::grad<2>(loss_of_loop)(w, h, in);
        return us::sum(us::square(slope.gain)) + us::sum(us::square(slope.drive));
    };
    check_differences(squared_slope, a, h0, stacked_xs);
    check_differences(squared_slope, a, h0, listed_xs);
}

namespace {

constexpr auto states = [](auto const& cell, auto const& xs) {
    using T = us::element_t<decltype(xs)>;
    auto const step = [&](auto const& state, auto const& x) {
        auto const next = us::lstm_cell(cell, x, state);
        return std::pair{next, next};
    };
    return us::scan(step, us::lstm_state<us::traced<T>, 1, 2>{}, xs).second;
};
constexpr auto params = us::initial<us::lstm_params<double, 3, 2>>(1);
constexpr auto sound = us::normal<double, 4, 1, 3>(2);
constexpr auto all_states = us::call(states, params, sound);
static_assert(std::is_same_v<std::remove_const_t<decltype(all_states)>,
                             us::lstm_state<us::stacked<double, 4>, 1, 2>>);
constexpr auto layer = [](auto cell, auto xs) { return us::lstm(cell, xs).outputs; };
static_assert(all_states.h == us::call(layer, params, sound));
constexpr auto loss_of_cells = [](auto cell, auto xs) { return us::mean(states(cell, xs).c); };
static_assert(us::gradient_error<loss_of_cells, params, sound> < tolerance::gradient_error);

}  // namespace
