// SPDX-License-Identifier: BSL-1.0
#include "support/catch.hpp"

#include "kernel_guard.hpp"

#include <unspool/math/math.hpp>
#include <unspool/simd/vec.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace math = unspool::math;
namespace simd = unspool::simd;

/// The types of a test that the flags of this translation unit allow.
template <class T, class A>
struct on {
    using type = T;
    using arch = A;
};
using all_types = std::tuple<on<float, simd::scalar>, on<double, simd::scalar>
#if UNSPOOL_SIMD_SSE2
                             ,
                             on<float, simd::sse2>, on<double, simd::sse2>
#endif
#if UNSPOOL_SIMD_AVX2
                             ,
                             on<float, simd::avx2>, on<double, simd::avx2>
#endif
#if UNSPOOL_SIMD_AVX512
                             ,
                             on<float, simd::avx512>, on<double, simd::avx512>
#endif
#if UNSPOOL_SIMD_NEON64
                             ,
                             on<float, simd::neon64>, on<double, simd::neon64>
#endif
                             >;

template <class T>
bool same(T a, T b) {
    using bits = typename math::format<T>::bits;
    return std::bit_cast<bits>(a) == std::bit_cast<bits>(b) || (std::isnan(a) && std::isnan(b));
}

/// Ordinary values, both zeros, denormals, infinities and NaN, in an order in which every pair of
/// neighbours at some distance meets.
template <class T>
std::vector<T> samples() {
    using limits = std::numeric_limits<T>;
    std::vector<T> x = {T(0),
                        -T(0),
                        T(1),
                        T(-1),
                        T(2.5),
                        T(-3.75),
                        limits::denorm_min(),
                        -limits::denorm_min(),
                        limits::min(),
                        limits::max(),
                        limits::lowest(),
                        limits::infinity(),
                        -limits::infinity(),
                        limits::quiet_NaN()};
    kernel_test::values next(11);
    while (x.size() < 96) {
        x.push_back(static_cast<T>(std::ldexp(next(), static_cast<int>(x.size() % 40) - 20)));
    }
    return x;
}

/// Checks a vector function of two operands against its meaning for one element, on all pairs.
template <class On, class Vector, class Element>
void check_pairs(char const* what, Vector vector, Element element) {
    using T = typename On::type;
    using V = simd::vec<T, typename On::arch>;
    auto const x = samples<T>();
    int wrong = 0;
    for (std::size_t shift = 0; shift < x.size(); ++shift) {
        auto y = x;
        std::rotate(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(shift), y.end());
        for (std::size_t i = 0; i + V::width <= x.size(); i += V::width) {
            V const result = vector(V::load(&x[i]), V::load(&y[i]));
            for (int lane = 0; lane < V::width; ++lane) {
                auto const k = i + static_cast<std::size_t>(lane);
                wrong += !same(result[lane], static_cast<T>(element(x[k], y[k])));
            }
        }
    }
    CAPTURE(what, On::arch::name, sizeof(T));
    CHECK(wrong == 0);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("vec: arithmetic, comparisons and selection, lane by lane", "[simd]",
                        all_types) {
    using T = typename TestType::type;
    using V = simd::vec<T, typename TestType::arch>;
    check_pairs<TestType>(
        "+", [](V a, V b) { return a + b; }, [](T a, T b) { return a + b; });
    check_pairs<TestType>(
        "-", [](V a, V b) { return a - b; }, [](T a, T b) { return a - b; });
    check_pairs<TestType>(
        "*", [](V a, V b) { return a * b; }, [](T a, T b) { return a * b; });
    check_pairs<TestType>(
        "/", [](V a, V b) { return a / b; }, [](T a, T b) { return a / b; });
    check_pairs<TestType>(
        "unary -", [](V a, V) { return -a; }, [](T a, T) { return -a; });
    check_pairs<TestType>(
        "+=", [](V a, V b) { return a += b; }, [](T a, T b) { return a + b; });
    check_pairs<TestType>(
        "-=", [](V a, V b) { return a -= b; }, [](T a, T b) { return a - b; });
    check_pairs<TestType>(
        "*=", [](V a, V b) { return a *= b; }, [](T a, T b) { return a * b; });
    check_pairs<TestType>(
        "/=", [](V a, V b) { return a /= b; }, [](T a, T b) { return a / b; });
    check_pairs<TestType>(
        "abs", [](V a, V) { return abs(a); }, [](T a, T) { return std::abs(a); });
    check_pairs<TestType>(
        "sqrt", [](V a, V) { return sqrt(a); }, [](T a, T) { return std::sqrt(a); });
    check_pairs<TestType>(
        "copysign", [](V a, V b) { return copysign(a, b); },
        [](T a, T b) { return std::copysign(a, b); });
    check_pairs<TestType>(
        "min", [](V a, V b) { return min(a, b); }, [](T a, T b) { return a < b ? a : b; });
    check_pairs<TestType>(
        "max", [](V a, V b) { return max(a, b); }, [](T a, T b) { return a > b ? a : b; });
    V const one(T(1));
    V const zero(T(0));
    auto const check = [&](char const* what, auto compare, auto reference) {
        check_pairs<TestType>(
            what, [&](V a, V b) { return select(compare(a, b), one, zero); },
            [&](T a, T b) { return reference(a, b) ? T(1) : T(0); });
    };
    auto const both = [&](char const* what, auto compare) { check(what, compare, compare); };
    both("<", [](auto a, auto b) { return a < b; });
    both("<=", [](auto a, auto b) { return a <= b; });
    both(">", [](auto a, auto b) { return a > b; });
    both(">=", [](auto a, auto b) { return a >= b; });
    both("==", [](auto a, auto b) { return a == b; });
    both("!=", [](auto a, auto b) { return a != b; });
    both("&", [](auto a, auto b) { return (a < b) & (b > decltype(b)(T(0))); });
    both("|", [](auto a, auto b) { return (a < b) | (b > decltype(b)(T(0))); });
    both("!", [](auto a, auto b) { return !(a < b); });
    check_pairs<TestType>(
        "select", [](V a, V b) { return select(a < b, a, b); },
        [](T a, T b) { return a < b ? a : b; });
    check_pairs<TestType>(
        "map_lanes", [](V a, V) { return map_lanes(a, [](T x) { return x + T(1); }); },
        [](T a, T) { return a + T(1); });
}

TEMPLATE_LIST_TEST_CASE("vec: fma rounds once where the set has it", "[simd]", all_types) {
    using T = typename TestType::type;
    using A = typename TestType::arch;
    using V = simd::vec<T, A>;
    // (1 + e)² − 1 − 2e is e² fused, and 0 in two roundings
    T const e = std::numeric_limits<T>::epsilon();
    V const a(T(1) + e);
    T const fused = fma(a, a, V(T(-1) - 2 * e))[0];
    T const negated = fnma(a, a, V(T(1) + 2 * e))[0];
    bool const has_fma = !std::is_same_v<A, simd::sse2>;
    if (std::is_same_v<A, simd::scalar>) {
        CHECK((fused == 0 || fused == e * e));
    } else {
        CHECK(fused == (has_fma ? e * e : T(0)));
    }
    CHECK(negated == -fused);
    CHECK(fma(V(T(2)), V(T(3)), V(T(4)))[0] == 10);
    CHECK(fnma(V(T(2)), V(T(3)), V(T(4)))[0] == -2);
}

TEMPLATE_LIST_TEST_CASE("vec: exponents and powers of two", "[simd]", all_types) {
    using T = typename TestType::type;
    using V = simd::vec<T, typename TestType::arch>;
    constexpr int highest = std::numeric_limits<T>::max_exponent - 1;
    constexpr int lowest = std::numeric_limits<T>::min_exponent - 1;
    for (int n = lowest; n <= highest; ++n) {
        T const power = std::ldexp(T(1), n);
        T const x = power * T(1.71875);
        bool const right = pow2(V(static_cast<T>(n)))[0] == power &&
                           exponent(V(power))[0] == static_cast<T>(n) &&
                           exponent(V(x))[0] == static_cast<T>(n) && mantissa(V(power))[0] == 1 &&
                           mantissa(V(x))[0] == T(1.71875);
        if (!right) {
            FAIL_CHECK("2^" << n);
        }
    }
    T const x = T(1) + T(3) * std::numeric_limits<T>::epsilon();
    for (int n = 2 * lowest; n <= highest; ++n) {
        if (!same(ldexp(V(x), V(static_cast<T>(n)))[0], std::ldexp(x, n))) {
            FAIL_CHECK("x · 2^" << n);
        }
    }
}

TEMPLATE_LIST_TEST_CASE("vec: reductions join halves in a fixed order", "[simd]", all_types) {
    using T = typename TestType::type;
    using V = simd::vec<T, typename TestType::arch>;
    kernel_test::values next(5);
    for (int round = 0; round < 200; ++round) {
        std::array<T, 16> x{};
        for (T& v : x) {
            v = static_cast<T>(next() * 1e3);
        }
        V const v = V::load(x.data());
        T const largest = *std::max_element(x.begin(), x.begin() + V::width);
        T const smallest = *std::min_element(x.begin(), x.begin() + V::width);
        for (std::size_t half = V::width / 2; half > 0; half /= 2) {
            for (std::size_t i = 0; i < half; ++i) {
                x[i] += x[i + half];
            }
        }
        CHECK(reduce_add(v) == x[0]);
        CHECK(reduce_max(v) == largest);
        CHECK(reduce_min(v) == smallest);
        CHECK(any(v == V(largest)));
        CHECK(!any(v > V(largest)));
        CHECK(all(v <= V(largest)));
        CHECK(all(v < V(largest)) == false);
    }
}

namespace {

/// Loads and stores of the first n lanes, with memory that ends (or begins) at a forbidden page.
template <class V, int N>
void check_partial(bool at_end) {
    using T = typename V::value_type;
    constexpr int n = N;
    kernel_test::guarded<T> from(n > 0 ? n : 1, at_end);
    kernel_test::guarded<T> to(n > 0 ? n : 1, at_end);
    for (int i = 0; i < n; ++i) {
        from[i] = static_cast<T>(i + 1);
    }
    T const* const p = n > 0 ? from.data() : from.data() + 1;
    T* const q = n > 0 ? to.data() : to.data() + 1;
    int volatile unknown = n;
    V const a = V::load(p, unknown);
    V const b = V::template load<N>(p);
    for (int lane = 0; lane < V::width; ++lane) {
        CHECK(a[lane] == (lane < n ? static_cast<T>(lane + 1) : T(0)));
        CHECK(b[lane] == a[lane]);
    }
    a.store(q, unknown);
    for (int i = 0; i < n; ++i) {
        CHECK(to[i] == from[i]);
        to[i] = 0;
    }
    a.template store<N>(q);
    for (int i = 0; i < n; ++i) {
        CHECK(to[i] == from[i]);
    }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("vec: partial loads and stores touch nothing past their end", "[simd]",
                        all_types) {
    using V = simd::vec<typename TestType::type, typename TestType::arch>;
    [&]<int... N>(std::integer_sequence<int, N...>) {
        (check_partial<V, N>(true), ...);
        (check_partial<V, N>(false), ...);
    }
    (std::make_integer_sequence<int, V::width + 1>{});
}

TEMPLATE_LIST_TEST_CASE("vec: a partial store keeps what follows", "[simd]", all_types) {
    using T = typename TestType::type;
    using V = simd::vec<T, typename TestType::arch>;
    for (int n = 0; n <= V::width; ++n) {
        std::array<T, 17> y{};
        V(T(7)).store(y.data(), n);
        for (int i = 0; i < 17; ++i) {
            CHECK(y[static_cast<std::size_t>(i)] == (i < n ? T(7) : T(0)));
        }
    }
}

TEMPLATE_LIST_TEST_CASE("vec: whole loads and stores, strides, broadcasts", "[simd]", all_types) {
    using T = typename TestType::type;
    using V = simd::vec<T, typename TestType::arch>;
    constexpr int width = V::width;
    alignas(64) std::array<T, 64> x{};
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<T>(i);
    }
    alignas(64) std::array<T, 64> y{};
    V::load(x.data() + 1).store(y.data() + 3);
    for (std::size_t i = 0; i < width; ++i) {
        CHECK(y[i + 3] == x[i + 1]);
    }
    V::load_aligned(x.data()).store_aligned(y.data());
    for (std::size_t i = 0; i < width; ++i) {
        CHECK(y[i] == x[i]);
    }
    V const strided = V::load_strided(x.data() + 2, 3);
    strided.store_strided(y.data() + 63, -2);
    for (int i = 0; i < width; ++i) {
        CHECK(strided[i] == static_cast<T>(2 + 3 * i));
        CHECK(y[static_cast<std::size_t>(63 - 2 * i)] == strided[i]);
    }
    CHECK(reduce_add(V::broadcast(x.data() + 5)) == T(5 * width));
    simd::prefetch(x.data());
    simd::prefetch_write<1>(y.data());
}

TEMPLATE_LIST_TEST_CASE("vec: floats through doubles and back", "[simd]", all_types) {
    using V = simd::vec<float, typename TestType::arch>;
    std::array<float, 16> x{};
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = 1.1f * static_cast<float>(i) - 3;
    }
    auto wide = widen(V::load(x.data()));
    std::size_t count = 0;
    for (auto& part : wide) {
        for (int i = 0; i < std::remove_cvref_t<decltype(part)>::width; ++i) {
            CHECK(part[i] == static_cast<double>(x[count++]));
        }
        part += 1e-9;  // less than half a float's ULP
    }
    CHECK(count == V::width);
    V const back = narrow(wide);
    for (int i = 0; i < V::width; ++i) {
        CHECK(back[i] == x[static_cast<std::size_t>(i)]);
    }
}

TEST_CASE("vec<T, scalar> works in constant evaluation", "[simd]") {
    using V = simd::vec<double, simd::scalar>;
    constexpr double memory[] = {3, 4};
    constexpr V a = V::load(memory);
    constexpr V b = V::load(memory + 1);
    static_assert(fma(a, b, V(1)).r == 13 && fnma(a, b, V(1)).r == -11);
    static_assert((a + b).r == 7 && (a - b).r == -1 && (a * b).r == 12 && (a / b).r == 0.75);
    static_assert(select(a < b, a, b).r == 3 && max(a, b).r == 4 && sqrt(b).r == 2);
    static_assert(V::load(memory, 0).r == 0 && V::load<1>(memory).r == 3);
    static_assert(math::tanh(V(0)).r == 0 && math::sigmoid(V(0)).r == 0.5);
    CHECK(reduce_add(a) == 3);
}
