// SPDX-License-Identifier: BSL-1.0
//
// One JSON line per workload and pass: forward (mean of all outputs), gradient (its gradient with
// respect to kernel, recurrent kernel and bias) and one streaming step. Fields and values are those
// of the peers' programs, so that one table holds them all.
//
// usage: lstm_grid [WORKLOAD]...      W0 W0b W1 … W8, stream_H8 …; all if none is named

#include <unspool/unspool.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace us = unspool;

namespace {

using element = float;

inline constexpr auto forward_loss = [](auto cell, auto xs) {
    return us::mean(us::lstm(cell, xs).outputs);
};
inline constexpr auto one_step = [](auto cell, auto x, auto state) {
    return us::lstm_cell(cell, x, state);
};

/// The values of every peer: 2·frac(43758.5453·sin(12.9898 j + 78.233 k)) − 1, in double.
template <class Tensor>
void fill(Tensor& x, int k, double scale, double shift = 0) {
    for (int j = 0; j < Tensor::count; ++j) {
        double const v = std::sin(j * 12.9898 + k * 78.233) * 43758.5453;
        x[j] = static_cast<element>(scale * (shift + (2 * (v - std::floor(v)) - 1)));
    }
}

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

/// A use of the value that the compiler cannot see through: without one it drops the computation.
template <class X>
void keep(X const& x) {
    asm volatile("" : : "r"(&x) : "memory");
}

struct timing {
    double min_us, median_us, min_cpu_us;
    int n;
};

double cpu_us() {
    std::timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e6 + double(t.tv_nsec) * 1e-3;
}

/// Minimum and median of many calls; CPU time for calls above 0.5 ms, since a shared machine may
/// take slices out of each of them.
template <class F>
timing measure(F f, double seconds = 2, int most = 3000) {
    using clock = std::chrono::steady_clock;
    auto us_between = [](clock::time_point a, clock::time_point b) {
        return std::chrono::duration<double, std::micro>(b - a).count();
    };
    for (int i = 0; i < 5; ++i) f();
    auto const start = clock::now();
    for (int i = 0; i < 3; ++i) f();
    double const per = us_between(start, clock::now()) / 3;
    int const n = static_cast<int>(
        std::min<double>(most, std::max(30.0, seconds * 1e6 / std::max(0.1, per))));
    std::vector<double> times(static_cast<std::size_t>(n));
    double cpu = 1e99;
    for (double& t : times) {
        double const c = cpu_us();
        auto const a = clock::now();
        f();
        t = us_between(a, clock::now());
        cpu = std::min(cpu, cpu_us() - c);
    }
    std::sort(times.begin(), times.end());
    return {times.front(), times[times.size() / 2], per > 500 ? cpu : 0, n};
}

void print(std::string const& workload, char const* what, timing const& t,
           std::string const& rest) {
    std::printf("{\"peer\": \"unspool\", \"workload\": \"%s\", \"what\": \"%s\", \"min_us\": %.3f, "
                "\"median_us\": %.3f, \"n\": %d",
                workload.c_str(), what, t.min_us, t.median_us, t.n);
    if (t.min_cpu_us > 0) std::printf(", \"min_cpu_us\": %.3f", t.min_cpu_us);
    std::printf(", %s}\n", rest.c_str());
    std::fflush(stdout);
}

std::string number(double v) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", v);
    return text;
}

template <int T, int B, int I, int H>
void workload(std::string const& name) {
    using params = us::lstm_params<element, I, H>;
    using sequence = us::tensor<element, T, B, I>;
    auto cell = std::make_unique<params>();
    auto xs = std::make_unique<sequence>();
    fill_parameters(*cell, I, H);
    fill(*xs, 4, 1);

    auto forward = std::make_unique<us::program<decltype(forward_loss), params, sequence>>();
    double loss = 0;
    timing const f = measure([&] { loss = (*forward)(*cell, *xs); });
    print(name, "forward", f, "\"loss\": " + number(loss) + ", \"grad_norms\": null");

    using gradient_function = decltype(us::value_and_grad(forward_loss));
    using gradient_program = us::program<gradient_function, params, sequence>;
    auto gradient = std::make_unique<gradient_program>();
    auto result = std::make_unique<typename gradient_program::result_type>();
    timing const g = measure([&] { (*gradient)(*cell, *xs, *result); });
    auto const& d = result->gradient;
    print(name, "gradient", g,
          "\"loss\": " + number(result->value) + ", \"grad_norms\": [" + number(norm(d.kernel)) +
              ", " + number(norm(d.recurrent_kernel)) + ", " + number(norm(d.bias)) +
              "], \"workspace_bytes\": " + std::to_string(gradient_program::workspace_bytes) +
              ", \"flops\": " + number(gradient_program::flops));
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
    us::program<decltype(one_step), params, sample, state> step;
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
    print(name, "step", t, "\"loss\": null, \"grad_norms\": null");
}

}  // namespace

int main(int argc, char** argv) {
    auto wanted = [&](std::string_view name) {
        for (int i = 1; i < argc; ++i)
            if (name == argv[i]) return true;
        return argc == 1;
    };
#define WORKLOAD(NAME, T, B, I, H) \
    if (wanted(NAME)) workload<T, B, I, H>(NAME)
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
    if (wanted("stream_H" #H)) stream<H>("stream_H" #H)
    STREAM(8);
    STREAM(16);
    STREAM(20);
    STREAM(24);
    STREAM(32);
    STREAM(40);
    STREAM(64);
#undef STREAM
}
