// SPDX-License-Identifier: BSL-1.0
#include "kernel_guard.hpp"

#include <unspool/kernel/reduce.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace kernel_test;
namespace us = unspool;
using us::kernel::reduce_shape;

template <class T>
constexpr double eps = double(std::numeric_limits<T>::epsilon());

template <class Op>
double start() {
    return Op::template identity<double>;
}
double fold(us::kernel::sum, double a, double b) { return a + b; }
double fold(us::kernel::largest, double a, double b) { return std::max(a, b); }
double fold(us::kernel::smallest, double a, double b) { return std::min(a, b); }

template <class T, class Arch, class Op, class S>
void check_reduction() {
    INFO(S::outer << " " << S::reduced << " " << S::inner << " x " << S::x_outer << " "
                  << S::x_reduced << " " << S::x_inner << " out " << S::out_outer << " "
                  << S::out_inner << " " << Arch::name << " " << sizeof(T));
    for (bool at_end : {false, true}) {
        guarded<T> x((S::outer - 1) * S::x_outer + (S::reduced - 1) * S::x_reduced +
                         (S::inner - 1) * S::x_inner + 1,
                     at_end);
        guarded<T> out((S::outer - 1) * S::out_outer + (S::inner - 1) * S::out_inner + 1, at_end);
        fill(x, 5);
        fill(out, 6);
        std::vector<T> want(out.data(), out.data() + out.size());
        us::kernel::reduce<T, Arch, Op, S>(x.data(), out.data());
        double worst = 0;
        std::vector<char> element(want.size());
        for (int o = 0; o < S::outer; ++o)
            for (int i = 0; i < S::inner; ++i) {
                int const at = o * S::out_outer + i * S::out_inner;
                double y = S::accumulate ? double(want[std::size_t(at)]) : start<Op>();
                for (int r = 0; r < S::reduced; ++r)
                    y = fold(Op{}, y,
                             double(x[o * S::x_outer + r * S::x_reduced + i * S::x_inner]));
                worst = std::max(worst, std::abs(y - double(out[at])));
                element[std::size_t(at)] = 1;
            }
        REQUIRE(worst <= (S::reduced + 1) * eps<T> * std::sqrt(double(S::reduced)));
        bool untouched = true;
        for (std::size_t i = 0; i < want.size(); ++i)
            untouched = untouched && (element[i] || out[int(i)] == want[i]);
        REQUIRE(untouched);
    }
}

template <class T, class Arch, class Op, int O, int R, int I>
void check_layouts() {
    check_reduction<T, Arch, Op, reduce_shape<O, R, I>>();
    check_reduction<T, Arch, Op, reduce_shape<O, R, I, R*(I + 2), I + 2, 1, I + 1, 1, true>>();
    check_reduction<T, Arch, Op, reduce_shape<O, R, I, 1, O * I, O, 1, O, false>>();
    check_reduction<T, Arch, Op, reduce_shape<O, R, I, R * I, 1, R, 2 * I, 2, true>>();
}

template <class T, class Arch, class Op>
void check_sizes() {
    check_layouts<T, Arch, Op, 1, 1, 1>();
    check_layouts<T, Arch, Op, 1, 7, 1>();
    check_layouts<T, Arch, Op, 33, 10, 1>();
    check_layouts<T, Arch, Op, 17, 65, 1>();
    check_layouts<T, Arch, Op, 3, 301, 1>();
    check_layouts<T, Arch, Op, 1, 3, 7>();
    check_layouts<T, Arch, Op, 3, 17, 33>();
    check_layouts<T, Arch, Op, 2, 10, 300>();
}

template <class T, class Arch>
void check_all() {
    if constexpr (Arch::available) {
        check_sizes<T, Arch, us::kernel::sum>();
        check_layouts<T, Arch, us::kernel::largest, 17, 10, 1>();
        check_layouts<T, Arch, us::kernel::largest, 3, 65, 10>();
        check_layouts<T, Arch, us::kernel::smallest, 3, 33, 1>();
        check_layouts<T, Arch, us::kernel::smallest, 1, 7, 65>();
    } else {
        skip_absent<Arch>();
    }
}

template <class T, class Arch>
void check_nan() {
    if constexpr (Arch::available) {
        for (int at = 0; at < 40; ++at) {
            T x[40], y = 0, z[4];
            std::fill(x, x + 40, T(-1));
            x[at] = std::numeric_limits<T>::quiet_NaN();
            us::kernel::reduce<T, Arch, us::kernel::largest, reduce_shape<1, 40, 1>>(x, &y);
            REQUIRE(std::isnan(y));
            us::kernel::reduce<T, Arch, us::kernel::smallest, reduce_shape<1, 10, 4>>(x, z);
            for (int i = 0; i < 4; ++i) REQUIRE(std::isnan(z[i]) == (at % 4 == i));
        }
    } else {
        skip_absent<Arch>();
    }
}

}  // namespace

TEMPLATE_TEST_CASE("reductions agree with loops", "[kernel][reduce]", us::simd::scalar,
                   us::simd::sse2, us::simd::avx2, us::simd::avx512, us::simd::neon64) {
    check_all<float, TestType>();
    check_all<double, TestType>();
}

TEMPLATE_TEST_CASE("the largest and smallest of values with a NaN is NaN", "[kernel][reduce]",
                   us::simd::scalar, us::simd::sse2, us::simd::avx2, us::simd::avx512,
                   us::simd::neon64) {
    check_nan<float, TestType>();
    check_nan<double, TestType>();
}
