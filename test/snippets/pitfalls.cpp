// SPDX-License-Identifier: BSL-1.0
// docs/pitfalls.md
#include <unspool/unspool.hpp>

#include <cmath>
#include <cstdio>
#include <utility>

namespace us = unspool;

constexpr int steps = 12;
using params = us::lstm_params<double, 2, 3>;
using state = us::lstm_state<double, 1, 3>;

// [truncated]
// The gradient of all steps; and the one that does not flow back from step to step.
inline constexpr auto whole = [](auto cell, auto xs) {
    return us::mean(us::lstm(cell, xs).outputs);
};
inline constexpr auto one_step_only = [](auto cell, auto xs) {
    auto const step = [&](auto before, auto const& x) {
        before.h = us::stop_gradient(before.h);
        before.c = us::stop_gradient(before.c);
        auto const after = us::lstm_cell(cell, x, before);
        return std::pair{after, after.h};
    };
    us::lstm_state<us::traced<double>, 1, 3> const zeros;
    return us::mean(us::scan(step, zeros, xs).second);
};
// [/truncated]

// [window]
// Truncated backpropagation through time: the state goes from window to window as a value.
inline constexpr auto window_loss = [](auto cell, auto xs, auto before) {
    auto const [outputs, after] = us::lstm(cell, xs, before);
    return std::pair{us::mean(outputs), after};  // {loss, aux}
};
// [/window]

// [select]
inline constexpr auto root = [](auto x) { return us::select(x > 0, us::sqrt(x), 0); };
static_assert(us::grad(root)(4.0) == 0.25);
// [/select]

// [binding]
inline constexpr auto decayed = [](auto weights, auto xs) {
    auto const halves = us::split<2>(weights);
    auto const& keep = halves[0];  // not auto const [keep, take], which clang cannot capture
    auto const& take = halves[1];
    auto const step = [&](auto const& level, auto const& x) {
        auto const next = keep * level + take * x;
        return std::pair{next, next};
    };
    us::tensor<us::traced<double>, 2> const zeros;
    return us::sum(us::scan(step, zeros, xs).first);
};
// [/binding]

// [element]
// A function that says traced<float> is for float alone; this one is for any element type.
template <class T, auto Inputs, auto Units>
constexpr auto last_output(us::lstm_params<us::traced<T>, Inputs, Units> const& cell,
                           auto const& xs) {
    us::lstm_state<us::traced<T>, 1, Units> const zeros;
    return us::lstm(cell, xs, zeros).state.h;
}
// [/element]

// [index]
inline constexpr auto embedding = [](auto table, auto indices) {
    return us::sum(us::take(table, indices));
};
// [/index]

int main() {
    params const cell = us::initial<params>(1);
    auto const xs = us::normal<double, steps, 1, 2>(2);
    auto const full = us::grad(whole)(cell, xs);
    auto const cut = us::grad(one_step_only)(cell, xs);
    bool const differ =
        std::fabs(full.kernel[0] - cut.kernel[0]) > 1e-3 * std::fabs(full.kernel[0]);

    // [windows]
    state memory{};
    us::program step(us::value_and_grad(window_loss, us::has_aux), cell, xs, memory);
    for (int window = 0; window < 3; ++window) {
        auto const& [value, gradient] = step(cell, xs, memory);
        memory = value.second;  // a copy: the reference is valid until the next call
    }
    // [/windows]

    auto const table = us::normal<double, 4, 3>(3);
    auto const rows = us::grad(embedding)(table, us::tensor<int, 3>{0, 2, 2});
    bool const counted = rows(0, 0) == 1 && rows(1, 0) == 0 && rows(2, 0) == 2;
    auto const weights = us::tensor<double, 4>{0.5, 0.5, 1, 1};
    bool const clean = us::grad(root)(-1.0 * xs.size()) == 0;
    double const sum = us::call(decayed, weights, us::tensor<double, 3, 2>{1, 1, 1, 1, 1, 1});
    auto const h = us::call([](auto c, auto x) { return last_output(c, x); }, cell, xs);
    bool const finite = std::isfinite(h[0]) && std::isfinite(memory.h[0]);
    std::printf("%d %d %d %d %.2f\n", differ, counted, finite, clean, sum);
    return differ && counted && finite && clean && std::fabs(sum - 3.5) < 1e-12 ? 0 : 1;
}
