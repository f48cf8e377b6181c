// SPDX-License-Identifier: BSL-1.0
#include "kernel_rate.hpp"

#include <unspool/kernel/product.hpp>

namespace {

namespace us = unspool;
using us::kernel::none;
using us::kernel::product_shape;
using arch = us::simd::native;

template <class S>
std::string name_of(char const* form) {
    return std::string(form) + " " + std::to_string(S::m) + " x " + std::to_string(S::n) + ", k " +
           std::to_string(S::k);
}

template <class S>
void run(char const* form) {
    using T = float;
    kernel_bench::numbers<T> const a(std::ptrdiff_t{S::m} * S::k);
    kernel_bench::numbers<T> const b(std::ptrdiff_t{S::n} * S::k);
    kernel_bench::numbers<T> const d(std::ptrdiff_t{S::m} * S::n);
    auto c = d;
    double const flops = 2.0 * S::m * S::n * S::k;
    kernel_bench::measure(name_of<S>(form), flops, "GFLOP/s", [&] {
        us::kernel::product<T, arch, S>(a.data(), b.data(), c.data(), d.data());
        return c.data()[0];
    });
    if constexpr (S::m >= 16) {
        using packing = us::kernel::packed_b<T, arch, S::k, S::n>;
        kernel_bench::numbers<T> packed(packing::size);
        packing::template pack<S::b_row, S::b_col>(b.data(), packed.data());
        kernel_bench::measure(name_of<S>(form) + ", packed", flops, "GFLOP/s", [&] {
            us::kernel::product_packed<T, arch, S>(a.data(), packed.data(), c.data(), d.data());
            return c.data()[0];
        });
    }
}

template <int M, int N, int K>
using plain = product_shape<M, N, K, K, 1, N, 1, N, N>;
template <int M, int N, int K>
using b_transposed = product_shape<M, N, K, K, 1, 1, K, N, none>;
template <int M, int N, int K>
using a_transposed = product_shape<M, N, K, 1, M, N, 1, N, N>;

}  // namespace

TEST_CASE("products of one row", "[product]") {
    run<plain<1, 40, 10>>("A B");
    run<plain<1, 64, 16>>("A B");
    run<plain<1, 128, 32>>("A B");
    run<plain<1, 160, 40>>("A B");
    run<plain<1, 256, 64>>("A B");
    run<b_transposed<1, 10, 40>>("A Bt");
    run<b_transposed<1, 32, 128>>("A Bt");
}

TEST_CASE("products of a batch", "[product]") {
    run<plain<10, 40, 10>>("A B");
    run<plain<16, 256, 64>>("A B");
    run<plain<16, 160, 40>>("A B");
    run<plain<16, 160, 1>>("A B");
    run<plain<32, 512, 128>>("A B");
    run<plain<32, 1024, 256>>("A B");
    run<plain<64, 2048, 512>>("A B");
    run<b_transposed<16, 64, 256>>("A Bt");
    run<b_transposed<32, 128, 512>>("A Bt");
}

TEST_CASE("products over time", "[product]") {
    run<a_transposed<10, 40, 10>>("At B");
    run<a_transposed<32, 128, 100>>("At B");
    run<a_transposed<64, 256, 1600>>("At B");
    run<a_transposed<128, 512, 1600>>("At B");
    run<a_transposed<512, 2048, 16>>("At B");
    run<product_shape<1000, 1, 40, 40, 1, 1, 1, 1, 0>>("one column");
}
