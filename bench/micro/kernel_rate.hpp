// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

/// @file
/// Catch2's statistics of a kernel, and beside them its rate in the fastest of many calls.

namespace kernel_bench {

/// Seconds of the fastest of 50 runs, each long enough for the clock.
template <class F>
double fastest(F run) {
    using clock = std::chrono::steady_clock;
    auto const seconds = [&](int calls) {
        auto const start = clock::now();
        for (int i = 0; i < calls; ++i) run();
        return std::chrono::duration<double>(clock::now() - start).count() / calls;
    };
    int calls = 1;
    while (seconds(calls) * calls < 1e-4) calls *= 2;
    double best = seconds(calls);
    for (int i = 0; i < 50; ++i) best = std::min(best, seconds(calls));
    return best;
}

/// Prints `work` per call as a rate (1e9 of `unit` a second), then Catch2's lines.
template <class F>
void measure(std::string const& name, double work, char const* unit, F run) {
    double const time = fastest(run);
    std::printf("%-44s %12.1f ns %8.1f %s\n", name.c_str(), time * 1e9, work / time * 1e-9, unit);
    std::fflush(stdout);
    BENCHMARK(std::string(name)) { return run(); };
}

/// Elements on cache lines of their own, as the library's tensors are.
template <class T>
class numbers {
public:
    explicit numbers(std::ptrdiff_t count)
        : lines_(static_cast<std::size_t>(count) / per_line + 1), count_(count) {
        unsigned state = 1;
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            state = state * 1664525u + 1013904223u;
            data()[i] = T(int(state >> 9) - (1 << 22)) / T(1 << 23);
        }
    }
    T* data() { return lines_.data()->element; }
    T const* data() const { return lines_.data()->element; }
    std::ptrdiff_t size() const { return count_; }

private:
    static constexpr std::size_t per_line = 64 / sizeof(T);
    struct alignas(64) line {
        T element[per_line];
    };
    std::vector<line> lines_;
    std::ptrdiff_t count_;
};

}  // namespace kernel_bench
