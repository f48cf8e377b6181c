// SPDX-License-Identifier: BSL-1.0
// docs/tutorial.md
// [include]
#include <unspool/unspool.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace us = unspool;
// [/include]

// [number]
inline constexpr auto area = [](auto r) { return 3.0 * us::square(r); };
static_assert(us::call(area, 2.0) == 12);  // its value
static_assert(us::grad(area)(2.0) == 12);  // its derivative, 6r
static_assert(us::grad(us::grad(area))(2.0) == 6);
// [/number]

// [line]
template <class T>
struct line {
    BOOST_HANA_DEFINE_STRUCT(line, (us::tensor<T>, slope), (us::tensor<T>, offset));
};
inline constexpr auto line_loss = [](auto p, auto x, auto y) {
    return us::mean(us::square(p.slope * x + p.offset - y));
};
constexpr us::tensor<double, 4> places{0, 1, 2, 3}, heights{1, 3, 5, 7};
constexpr auto at_zero = us::value_and_grad(line_loss)(line<double>{}, places, heights);
static_assert(at_zero.value == 21);                    // mean of 1, 9, 25, 49
static_assert(double{at_zero.gradient.slope} == -17);  // -2 mean(x y)
static_assert(double{at_zero.gradient.offset} == -8);  // -2 mean(y)
// [/line]

// [smooth]
inline constexpr auto smooth = [](auto rate, auto xs) {
    auto const step = [&](auto const& level, auto const& x) {
        auto const next = level + rate * (x - level);
        return std::pair{next, next};  // {carry, output}
    };
    return us::scan(step, 0.0, xs).second;  // {last carry, all outputs}
};
inline constexpr auto smooth_loss = [](auto rate, auto xs, auto ys) {
    return us::mean_squared_error(smooth(rate, xs), ys);
};
// [/smooth]

// [model]
template <class T, auto... N>
struct network;
template <class T, auto Units>
struct network<T, Units> {
    BOOST_HANA_DEFINE_STRUCT(network, (us::lstm_params<T, 1, Units>, lstm),
                             (us::dense_params<T, Units, 1>, dense));
};
inline constexpr auto predict = [](auto const& net, auto const& xs) {
    return us::dense(net.dense, us::lstm(net.lstm, xs).outputs);
};
inline constexpr auto loss = [](auto const& net, auto const& xs, auto const& targets) {
    return us::mean_squared_error(predict(net, xs), targets);
};
// [/model]

// [data]
constexpr int steps = 200, batch = 4, units = 8;
using params = network<float, units>;
using sequence = us::tensor<float, steps, batch, 1>;  // (T, batch, inputs)

// An overdriven echo of noise: what the network must learn to imitate.
void record(std::uint64_t seed, sequence& xs, sequence& targets) {
    us::fill_normal(xs, seed);
    for (int b = 0; b < batch; ++b) {
        float echo = 0;
        for (int t = 0; t < steps; ++t) {
            echo = 0.7F * echo + 0.5F * xs(t, b, 0);
            targets(t, b, 0) = std::tanh(echo);
        }
    }
}
// [/data]

// [stream]
inline constexpr auto play = [](auto const& net, auto const& before, auto const& x) {
    auto const after = us::lstm_cell(net.lstm, x, before);
    return std::pair{us::dense(net.dense, after.h), after};
};
// [/stream]

int main() {
    // [fit]
    double rate = 0.9;
    auto const noise = us::normal<double, 500>(1);
    auto const wanted = us::call(smooth, 0.2, noise);
    us::program slope(us::grad(smooth_loss), rate, noise, wanted);  // plans once
    for (int i = 0; i < 200; ++i) rate -= 0.5 * slope(rate, noise, wanted);
    std::printf("rate %.6f\n", rate);
    // [/fit]

    // [train]
    params net = us::initial<params>(42);  // Keras' initialisers
    sequence xs, targets;
    record(1, xs, targets);
    us::program step(us::value_and_grad(loss), net, xs, targets);
    us::adam<params> optimiser{.learning_rate = 0.01};
    for (std::uint64_t i = 0; i < 600; ++i) {
        record(i + 2, xs, targets);  // never the same twice
        auto const& [value, gradient] = step(net, xs, targets);
        optimiser.step(net, gradient, us::clip_factor(gradient, 1.0));
        if (i % 200 == 0) std::printf("loss %.5f\n", double{value});
    }
    record(1, xs, targets);  // not among them
    float const after = step(net, xs, targets).value;
    std::printf("on a recording not heard: %.5f\n", double{after});
    // [/train]

    // [check]
    us::gradient_check const checked = us::check_gradient(loss, net, xs, targets);
    if (!checked) std::puts(checked.text().c_str());
    // [/check]

    // [run]
    us::lstm_state<float, 1, units> memory{};
    us::tensor<float, 1, 1> sample{};
    us::program player(play, net, memory, sample);
    float largest = 0;
    us::program whole(predict, net, xs);
    auto const& outputs = whole(net, xs);
    for (int t = 0; t < steps; ++t) {
        sample[0] = xs(t, 0, 0);
        auto const& [output, next] = player(net, memory, sample);
        memory = next;
        largest = std::fmax(largest, std::fabs(output[0] - outputs(t, 0, 0)));
    }
    std::printf("sample by sample as all at once: %s\n", largest < 1e-5F ? "yes" : "no");
    // [/run]
    bool const good = std::fabs(rate - 0.2) < 1e-4 && after < 0.01F && checked && largest < 1e-5F;
    return good ? 0 : 1;
}
