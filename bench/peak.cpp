// SPDX-License-Identifier: BSL-1.0
//
// What one core can do with the instruction set that this is compiled for, one JSON line each: the
// rate of multiply-adds, of reads from blocks of several sizes, and of tanh and sigmoid. The other
// benchmarks are read against these.
//
// usage: peak

#include "measure.hpp"

#include <unspool/math/math.hpp>
#include <unspool/simd/vec.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace us = unspool;

namespace {

using isa = us::simd::native;
template <class T>
using vec = us::simd::vec<T, isa>;
template <class T>
inline constexpr char const* type_name = sizeof(T) == sizeof(float) ? "float" : "double";

void print_of_core(std::string const& workload, char const* what, bench::timing const& t,
                   std::string const& rest) {
    bench::print(workload, what, t,
                 "\"isa\": \"" + std::string(isa::name) +
                     "\", \"compiler\": \"" __VERSION__ "\", " + rest);
}

/// x, but the compiler does not know its value.
template <class V>
V unknown(V x) {
    bench::keep(x);
    return x;
}

// Accumulators are named by a pack: in a loop, g++ 12 would leave them in memory.
template <int N>
using numbered = std::make_integer_sequence<int, N>;

template <class V>
V total(V const* x, int n) {
    V sum = x[0];
    for (int i = 1; i < n; ++i) sum += x[i];
    return sum;
}

template <class T, int... I>
void multiply_adds(std::integer_sequence<int, I...>) {
    constexpr int turns = 4096, count = sizeof...(I);
    bench::timing const t = bench::measure(
        [] {
            auto const factor = unknown(vec<T>(T(0.75))), addend = unknown(vec<T>(T(0.5)));
            vec<T> x[] = {unknown(vec<T>(T(I)))...};
            for (int n = 0; n < turns; ++n) ((x[I] = fma(x[I], factor, addend)), ...);
            bench::keep(total(x, count));
        },
        0.5);
    double const flops = 2.0 * turns * count * vec<T>::width;
    print_of_core(std::string("multiply_add_") + type_name<T>, "throughput", t,
                  "\"gflops\": " + bench::number(flops / t.least_us() * 1e-3));
}

template <int... I>
void reads(int kib, std::integer_sequence<int, I...>) {
    constexpr int width = vec<float>::width, step = width * sizeof...(I);
    std::ptrdiff_t const count = std::ptrdiff_t(kib) * 1024 / int(sizeof(float));
    std::unique_ptr<float, decltype(&std::free)> const block(
        static_cast<float*>(std::aligned_alloc(4096, std::size_t(count) * sizeof(float))),
        &std::free);
    std::fill_n(block.get(), count, 1.0f);
    int const turns = std::max(1, 4096 / kib);  // a call reads 4 MiB or more
    bench::timing const t = bench::measure(
        [&] {
            float const* const p = block.get();
            vec<float> x[] = {vec<float>(float(I))...};
            for (int n = 0; n < turns; ++n) {
                for (std::ptrdiff_t i = 0; i < count; i += step)
                    ((x[I] += vec<float>::load_aligned(p + i + I * width)), ...);
                bench::keep(*p);  // the next turn reads again
            }
            bench::keep(total(x, sizeof...(I)));
        },
        0.5);
    double const bytes = double(count) * sizeof(float) * turns;
    print_of_core("read_" + std::to_string(kib) + "_KiB", "throughput", t,
                  "\"gb_per_s\": " + bench::number(bytes / t.least_us() * 1e-3));
}

template <class T>
void print_calls(std::string const& name, char const* what, bench::timing const& t, int calls) {
    double const ns = t.least_us() * 1e3 / calls;
    print_of_core(name + "_" + type_name<T>, what, t,
                  "\"ns_per_vector\": " + bench::number(ns) +
                      ", \"ns_per_element\": " + bench::number(ns / vec<T>::width));
}

/// Throughput over elements in L1, latency of each call on the result of the one before.
template <class T, class F>
void function(std::string const& name, F f) {
    constexpr int calls = 256;
    alignas(64) T x[calls * vec<T>::width], y[calls * vec<T>::width];
    for (int i = 0; i < calls * vec<T>::width; ++i) x[i] = T(i % 61 - 30) / T(10);
    auto const many = [&] {
        for (int i = 0; i < calls; ++i)
            f(vec<T>::load_aligned(x + i * vec<T>::width)).store_aligned(y + i * vec<T>::width);
        bench::keep(y);
    };
    constexpr int turns = 16;  // longer than the clock's own cost
    print_calls<T>(name, "throughput",
                   bench::measure(
                       [&] {
                           for (int n = 0; n < turns; ++n) many();
                       },
                       0.5),
                   turns * calls);
    print_calls<T>(name, "latency",
                   bench::measure(
                       [&] {
                           auto v = unknown(vec<T>(T(1)));
                           for (int i = 0; i < turns * calls; ++i) v = f(v);
                           bench::keep(v);
                       },
                       0.5),
                   turns * calls);
}

template <class T>
void all_of_type() {
    // Four registers are left for what a multiply-add needs beside its accumulator.
    multiply_adds<T>(numbered<isa::registers - 4>{});
    function<T>("tanh", [](auto x) { return us::math::tanh(x); });
    function<T>("sigmoid", [](auto x) { return us::math::sigmoid(x); });
}

}  // namespace

int main() {
    all_of_type<float>();
    all_of_type<double>();
    // Within L1, L2 and L3 of today's cores, and beyond.
    for (int kib : {16, 128, 4096, 131072}) reads(kib, numbered<8>{});
}
