// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// What the benchmarks share: inputs, timing, and lines of JSON like the peers'.

namespace bench {

/// The values of every peer: 2·frac(43758.5453·sin(12.9898 j + 78.233 k)) − 1, in double.
template <class Tensor>
void fill(Tensor& x, int k, double scale, double shift = 0) {
    for (int j = 0; j < Tensor::count; ++j) {
        double const v = std::sin(j * 12.9898 + k * 78.233) * 43758.5453;
        x[j] = static_cast<typename Tensor::value_type>(scale *
                                                        (shift + (2 * (v - std::floor(v)) - 1)));
    }
}

/// Whether the arguments of a program name it, or name nothing.
inline bool wanted(int argc, char** argv, std::string_view name) {
    for (int i = 1; i < argc; ++i)
        if (name == argv[i]) return true;
    return argc == 1;
}

/// A use of the value that the compiler cannot see through: without one it drops the computation.
template <class X>
void keep(X const& x) {
    asm volatile("" : : "r"(&x) : "memory");
}

struct timing {
    double min_us, median_us, min_cpu_us;
    int n;

    /// What a call takes: of CPU time where that was measured.
    double least_us() const { return min_cpu_us > 0 ? min_cpu_us : min_us; }
};

inline double cpu_us() {
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

inline void print(std::string const& workload, char const* what, timing const& t,
                  std::string const& rest) {
    std::printf("{\"peer\": \"unspool\", \"workload\": \"%s\", \"what\": \"%s\", \"min_us\": %.3f, "
                "\"median_us\": %.3f, \"n\": %d",
                workload.c_str(), what, t.min_us, t.median_us, t.n);
    if (t.min_cpu_us > 0) std::printf(", \"min_cpu_us\": %.3f", t.min_cpu_us);
    std::printf(", %s}\n", rest.c_str());
    std::fflush(stdout);
}

inline std::string number(double v) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", v);
    return text;
}

}  // namespace bench
