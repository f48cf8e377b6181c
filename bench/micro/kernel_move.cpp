// SPDX-License-Identifier: BSL-1.0
#include "kernel_rate.hpp"

#include <unspool/kernel/copy.hpp>
#include <unspool/kernel/reduce.hpp>

namespace {

namespace us = unspool;
using us::kernel::copy_shape;
using us::kernel::ints;
using us::kernel::reduce_shape;
using arch = us::simd::native;

template <class S>
void sums(char const* name) {
    kernel_bench::numbers<float> const x(std::ptrdiff_t{S::outer} * S::reduced * S::inner);
    kernel_bench::numbers<float> out(std::ptrdiff_t{S::outer} * S::inner);
    kernel_bench::measure(name, 4.0 * double(x.size()), "GB/s", [&] {
        us::kernel::reduce<float, arch, us::kernel::sum, S>(x.data(), out.data());
        return out.data()[0];
    });
}

template <int Rows, int Cols>
void transposes(char const* name) {
    kernel_bench::numbers<float> const x(Rows * Cols);
    auto y = x;
    kernel_bench::measure(name, 8.0 * Rows * Cols, "GB/s read and written", [&] {
        us::kernel::copy<float, arch, copy_shape<ints<Rows, Cols>, ints<1, Rows>, ints<Cols, 1>>>(
            x.data(), y.data());
        return y.data()[0];
    });
}

}  // namespace

TEST_CASE("sums", "[reduce]") {
    sums<reduce_shape<1, 1310720, 1>>("sum of 1310720");
    sums<reduce_shape<1, 4096, 1>>("sum of 4096");
    sums<reduce_shape<1000, 40, 1>>("sums of 1000 rows of 40");
    sums<reduce_shape<1, 1600, 512>>("sums of 512 columns of 1600");
    sums<reduce_shape<1, 16, 160>>("sums of 160 columns of 16");
}

TEST_CASE("transposes", "[copy]") {
    transposes<64, 256>("transpose of 64 x 256");
    transposes<512, 2048>("transpose of 512 x 2048");
    transposes<40, 160>("transpose of 40 x 160");
}
