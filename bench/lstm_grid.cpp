// SPDX-License-Identifier: BSL-1.0
//
// One JSON line per workload and pass: forward (mean of all outputs), gradient (its gradient with
// respect to kernel, recurrent kernel and bias) and one streaming step. Fields and values are those
// of the peers' programs, so that one table holds them all; and what the program costs.
//
// usage: lstm_grid [WORKLOAD]...      W0 W0b W1 … W8, stream_H8 …; all if none is named

#include "measure.hpp"

#include <unspool/unspool.hpp>

#include <cmath>
#include <memory>
#include <string>

namespace us = unspool;

namespace {

using namespace bench;
using element = float;

inline constexpr auto forward_loss = [](auto cell, auto xs) {
    return us::mean(us::lstm(cell, xs).outputs);
};
inline constexpr auto one_step = [](auto cell, auto x, auto state) {
    return us::lstm_cell(cell, x, state);
};

template <class Params>
void fill_parameters(Params& p, int inputs, int units) {
    fill(p.kernel, 1, 1 / std::sqrt(double(inputs)));
    fill(p.recurrent_kernel, 2, 1 / std::sqrt(double(units)));
    fill(p.bias, 3, 0.1, 1);
}

double norm(auto const& x) {
    double s = 0;
    for (element v : x) s += double(v) * double(v);
    return std::sqrt(s);
}

template <class Program>
std::string costs() {
    return ", \"flops\": " + number(Program::flops) +
           ", \"transcendentals\": " + number(Program::transcendentals) +
           ", \"workspace_bytes\": " + std::to_string(Program::workspace_bytes);
}

template <int T, int B, int I, int H>
void workload(std::string const& name) {
    using params = us::lstm_params<element, I, H>;
    using sequence = us::tensor<element, T, B, I>;
    auto cell = std::make_unique<params>();
    auto xs = std::make_unique<sequence>();
    fill_parameters(*cell, I, H);
    fill(*xs, 4, 1);

    using forward_program = us::program<decltype(forward_loss), params, sequence>;
    auto forward = std::make_unique<forward_program>();
    double loss = 0;
    timing const f = measure([&] { loss = (*forward)(*cell, *xs); });
    std::string const shape = ", \"shape\": [" + std::to_string(T) + ", " + std::to_string(B) +
                              ", " + std::to_string(I) + ", " + std::to_string(H) + "]";
    print(name, "forward", f,
          "\"loss\": " + number(loss) + ", \"grad_norms\": null" + shape +
              costs<forward_program>());

    using gradient_function = decltype(us::value_and_grad(forward_loss));
    using gradient_program = us::program<gradient_function, params, sequence>;
    auto gradient = std::make_unique<gradient_program>();
    auto result = std::make_unique<typename gradient_program::result_type>();
    timing const g = measure([&] { (*gradient)(*cell, *xs, *result); });
    auto const& d = result->gradient;
    print(name, "gradient", g,
          "\"loss\": " + number(result->value) + ", \"grad_norms\": [" + number(norm(d.kernel)) +
              ", " + number(norm(d.recurrent_kernel)) + ", " + number(norm(d.bias)) + "]" + shape +
              costs<gradient_program>());
}

template <int H>
void stream(std::string const& name) {
    using params = us::lstm_params<element, 1, H>;
    using sample = us::tensor<element, 1, 1>;
    using state = us::lstm_state<element, 1, H>;
    params cell;
    fill_parameters(cell, 1, H);
    sample x;
    fill(x, 4, 1);
    state carried;
    using step_program = us::program<decltype(one_step), params, sample, state>;
    step_program step;
    // Two states in turns: a result may not overlap an argument. 100 dependent steps a call.
    state next;
    timing t = measure(
        [&] {
            for (int i = 0; i < 50; ++i) {
                step(cell, x, carried, next);
                step(cell, x, next, carried);
                keep(carried);
            }
        },
        1);
    t.min_us /= 100;
    t.median_us /= 100;
    t.min_cpu_us = 0;
    print(name, "step", t, "\"loss\": null, \"grad_norms\": null" + costs<step_program>());
}

}  // namespace

int main(int argc, char** argv) {
#define WORKLOAD(NAME, T, B, I, H) \
    if (bench::wanted(argc, argv, NAME)) workload<T, B, I, H>(NAME)
    WORKLOAD("W0", 10, 1, 10, 10);
    WORKLOAD("W0b", 10, 10, 10, 10);
    WORKLOAD("W1", 64, 1, 8, 16);
    WORKLOAD("W2", 100, 1, 32, 32);
    WORKLOAD("W3", 100, 16, 64, 64);
    WORKLOAD("W4", 50, 32, 128, 128);
    WORKLOAD("W5", 50, 32, 256, 256);
    WORKLOAD("W6", 64, 64, 512, 512);
    WORKLOAD("W7", 1000, 1, 1, 32);
    WORKLOAD("W8", 2048, 16, 1, 40);
#undef WORKLOAD
#define STREAM(H) \
    if (bench::wanted(argc, argv, "stream_H" #H)) stream<H>("stream_H" #H)
    STREAM(8);
    STREAM(16);
    STREAM(20);
    STREAM(24);
    STREAM(32);
    STREAM(40);
    STREAM(64);
#undef STREAM
}
