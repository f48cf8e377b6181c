// SPDX-License-Identifier: BSL-1.0
#include "kernel_guard.hpp"

#include <unspool/kernel/copy.hpp>

#include "support/catch.hpp"

#include <vector>

namespace {

using namespace kernel_test;
namespace us = unspool;
using us::kernel::copy_shape;
using us::kernel::ints;

struct axis {
    int extent, from, to;
};

template <int... E, int... F, int... G>
std::vector<axis> axes_of(copy_shape<ints<E...>, ints<F...>, ints<G...>>*) {
    return {axis{E, F, G}...};
}

template <class T, class Arch, class Shape>
void check_copy() {
    std::vector<axis> const axes = axes_of(static_cast<Shape*>(nullptr));
    int from_size = 1, to_size = 1, count = 1;
    for (axis const& a : axes) {
        from_size += (a.extent - 1) * a.from;
        to_size += (a.extent - 1) * a.to;
        count *= a.extent;
    }
    for (bool at_end : {false, true}) {
        guarded<T> from(from_size, at_end), to(to_size, at_end);
        fill(from, 7);
        fill(to, 8);
        std::vector<T> want(to.data(), to.data() + to.size());
        for (int i = 0; i < count; ++i) {
            int rest = i, f = 0, t = 0;
            for (std::size_t d = axes.size(); d-- > 0;) {
                f += rest % axes[d].extent * axes[d].from;
                t += rest % axes[d].extent * axes[d].to;
                rest /= axes[d].extent;
            }
            want[std::size_t(t)] = from[f];
        }
        us::kernel::copy<T, Arch, Shape>(from.data(), to.data());
        REQUIRE(std::vector<T>(to.data(), to.data() + to.size()) == want);
    }
}

template <class T, class Arch, int R, int C>
void check_plane() {
    check_copy<T, Arch, copy_shape<ints<R, C>, ints<C, 1>, ints<C, 1>>>();
    check_copy<T, Arch, copy_shape<ints<R, C>, ints<C + 3, 1>, ints<C + 1, 1>>>();
    check_copy<T, Arch, copy_shape<ints<R, C>, ints<1, R>, ints<C, 1>>>();
    check_copy<T, Arch, copy_shape<ints<R, C>, ints<C, 1>, ints<1, R + 2>>>();
    check_copy<T, Arch, copy_shape<ints<R, C>, ints<0, 1>, ints<C, 1>>>();
    check_copy<T, Arch, copy_shape<ints<R, C>, ints<1, 0>, ints<C, 1>>>();
    check_copy<T, Arch, copy_shape<ints<R, C>, ints<2 * C, 2>, ints<1, R>>>();
}

template <class T, class Arch>
void check_all() {
    if constexpr (Arch::available) {
        check_plane<T, Arch, 1, 1>();
        check_plane<T, Arch, 3, 7>();
        check_plane<T, Arch, 10, 40>();
        check_plane<T, Arch, 17, 1>();
        check_plane<T, Arch, 33, 65>();
        check_plane<T, Arch, 64, 64>();
        check_copy<T, Arch, copy_shape<ints<>, ints<>, ints<>>>();
        check_copy<T, Arch, copy_shape<ints<130>, ints<0>, ints<1>>>();
        check_copy<T, Arch, copy_shape<ints<3, 5, 7>, ints<1, 3, 15>, ints<35, 7, 1>>>();
        check_copy<T, Arch, copy_shape<ints<3, 17, 33>, ints<17, 1, 51>, ints<561, 33, 1>>>();
        check_copy<T, Arch, copy_shape<ints<5, 3, 10>, ints<10, 50, 1>, ints<30, 10, 1>>>();
        check_copy<T, Arch,
                   copy_shape<ints<2, 1, 3, 2, 1, 2, 3, 2>, ints<72, 9, 24, 12, 5, 6, 2, 1>,
                              ints<1, 1, 2, 6, 3, 12, 24, 72>>>();
    } else {
        skip_absent<Arch>();
    }
}

template <class T, class Arch, int... N>
void check_fill() {
    if constexpr (Arch::available) {
        auto const check = []<int Count>(std::integral_constant<int, Count>) {
            for (bool at_end : {false, true}) {
                guarded<T> x(Count, at_end);
                us::kernel::fill<T, Arch, Count>(x.data(), T(3));
                bool all = true;
                for (int i = 0; i < Count; ++i) all = all && x[i] == T(3);
                REQUIRE(all);
            }
        };
        (check(std::integral_constant<int, N>{}), ...);
    } else {
        skip_absent<Arch>();
    }
}

}  // namespace

TEMPLATE_TEST_CASE("copies between strided tensors", "[kernel][copy]", us::simd::scalar,
                   us::simd::sse2, us::simd::avx2, us::simd::avx512, us::simd::neon64) {
    check_all<float, TestType>();
    check_all<double, TestType>();
}

TEMPLATE_TEST_CASE("fills write their elements and no others", "[kernel][copy]", us::simd::scalar,
                   us::simd::sse2, us::simd::avx2, us::simd::avx512, us::simd::neon64) {
    check_fill<float, TestType, 1, 3, 7, 10, 17, 33, 64, 65, 1024>();
    check_fill<double, TestType, 1, 3, 7, 10, 17, 33, 64, 65, 1024>();
}
