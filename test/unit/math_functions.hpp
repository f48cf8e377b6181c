// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/math/math.hpp>
#include <unspool/simd/vec.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>

/// The elementary functions as types, each with the C library's double as reference for float and
/// the bound that its documentation states.
namespace math_test {

namespace math = unspool::math;
namespace simd = unspool::simd;

struct exp {
    static constexpr char const* name = "exp";
    static constexpr math::accuracy bound = math::exp_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::exp(x);
    }
    static double reference(double x) { return std::exp(x); }
};
struct log {
    static constexpr char const* name = "log";
    static constexpr math::accuracy bound = math::log_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::log(x);
    }
    static double reference(double x) { return std::log(x); }
};
struct log1p {
    static constexpr char const* name = "log1p";
    static constexpr math::accuracy bound = math::log1p_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::log1p(x);
    }
    static double reference(double x) { return std::log1p(x); }
};
struct tanh {
    static constexpr char const* name = "tanh";
    static constexpr math::accuracy bound = math::tanh_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::tanh(x);
    }
    static double reference(double x) { return std::tanh(x); }
};
struct sigmoid {
    static constexpr char const* name = "sigmoid";
    static constexpr math::accuracy bound = math::sigmoid_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::sigmoid(x);
    }
    static double reference(double x) {
        double const e = std::exp(-std::abs(x));
        return (x < 0 ? e : 1) / (1 + e);
    }
};
struct sin {
    static constexpr char const* name = "sin";
    static constexpr math::accuracy bound = math::sin_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::sin(x);
    }
    static double reference(double x) { return std::sin(x); }
};
struct cos {
    static constexpr char const* name = "cos";
    static constexpr math::accuracy bound = math::cos_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::cos(x);
    }
    static double reference(double x) { return std::cos(x); }
};
struct sqrt {
    static constexpr char const* name = "sqrt";
    static constexpr math::accuracy bound = math::sqrt_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::sqrt(x);
    }
    static double reference(double x) { return std::sqrt(x); }
};
struct expm1 {
    static constexpr char const* name = "expm1";
    static constexpr math::accuracy bound = math::expm1_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::expm1(x);
    }
    static double reference(double x) { return std::expm1(x); }
};
struct erf {
    static constexpr char const* name = "erf";
    static constexpr math::accuracy bound = math::erf_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::erf(x);
    }
    static double reference(double x) { return std::erf(x); }
};
struct atan {
    static constexpr char const* name = "atan";
    static constexpr math::accuracy bound = math::atan_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::atan(x);
    }
    static double reference(double x) { return std::atan(x); }
};
struct floor {
    static constexpr char const* name = "floor";
    static constexpr math::accuracy bound = math::floor_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::floor(x);
    }
    static double reference(double x) { return std::floor(x); }
};
struct round {
    static constexpr char const* name = "round";
    static constexpr math::accuracy bound = math::round_accuracy;
    template <class V>
    static constexpr V value(V x) {
        return math::round(x);
    }
    static double reference(double x) { return std::nearbyint(x); }
};

/// x to a fixed power, of two small integers.
template <int Numerator, int Denominator = 1>
struct pow {
    static inline std::string const name =
        "pow to " + std::to_string(Numerator) + "/" + std::to_string(Denominator);
    static constexpr math::accuracy bound = math::pow_accuracy;
    template <class V>
    static constexpr V value(V x) {
        using T = math::element_t<V>;
        return math::pow(x, V(T(Numerator) / T(Denominator)));
    }
    // The exponent as a float has it.
    static double reference(double x) {
        return std::pow(x, static_cast<double>(float(Numerator) / float(Denominator)));
    }
};

/// All functions of one argument in include/unspool/math.
using every_function =
    std::tuple<exp, log, log1p, expm1, tanh, sigmoid, erf, sin, cos, atan, sqrt, floor, round>;
/// …and powers: odd, negative, of a root, of none that is exact.
using every_power = std::tuple<pow<3>, pow<-2>, pow<5, 2>, pow<1, 3>>;

/// One unit in the last place of a float at `exact`, no less than the smallest denormal.
inline double float_ulp(double exact) {
    constexpr std::uint64_t exponent_mask = 0x7ff0'0000'0000'0000;
    double const power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(exact) & exponent_mask);
    return (power > 0x1p-126 ? power : 0x1p-126) * 0x1p-23;
}

/// Error of a float result in ULP; infinity where one of the two is NaN and the other is not, or
/// where a result is infinite that should not round so.
inline double float_error(float got, double exact) {
    constexpr double rounds_to_infinity = 0x1.ffffffp+127;
    if (std::isnan(got) || std::isnan(exact)) {
        return std::isnan(got) && std::isnan(exact) ? 0 : std::numeric_limits<double>::infinity();
    }
    if (std::abs(exact) >= rounds_to_infinity) {
        return static_cast<double>(got) == std::copysign(INFINITY, exact)
                   ? 0
                   : std::numeric_limits<double>::infinity();
    }
    return std::abs(static_cast<double>(got) - exact) / float_ulp(exact);
}

template <class X, class... Y>
inline constexpr bool is_one_of = (std::is_same_v<X, Y> || ...);

struct worst_case {
    double error = 0;
    float argument = 0;
    /// x and −x whose results are not each other's opposite; results outside [lowest, highest]
    std::uint64_t asymmetric = 0;
    std::uint64_t outside = 0;
};

/// Calls f with each instruction set that the flags of this translation unit allow.
template <class F>
void for_each_arch(F f) {
    f(simd::scalar{});
    if constexpr (simd::sse2::available) {
        f(simd::sse2{});
    }
    if constexpr (simd::avx2::available) {
        f(simd::avx2{});
    }
    if constexpr (simd::avx512::available) {
        f(simd::avx512{});
    }
    if constexpr (simd::neon64::available) {
        f(simd::neon64{});
    }
}

/// The worst errors of one function on one instruction set after another, over the floats with bit
/// patterns argument(0), argument(1), …, argument(count − 1); count is a multiple of 256.
template <class Function, class Argument>
std::map<std::string, worst_case> sweep(std::uint64_t count, Argument argument) {
    constexpr int block = 256;
    constexpr bool odd = is_one_of<Function, tanh, sin, erf, atan, round>;
    constexpr double lowest = std::is_same_v<Function, sigmoid> ? 0 : -1;
    constexpr bool bounded = is_one_of<Function, tanh, sin, cos, sigmoid, erf>;
    alignas(64) float x[block];
    alignas(64) float y[block];
    alignas(64) float mirrored[block];
    double exact[block];
    std::map<std::string, worst_case> result;
    for (std::uint64_t done = 0; done < count; done += block) {
        for (int i = 0; i < block; ++i) {
            x[i] = std::bit_cast<float>(
                static_cast<std::uint32_t>(argument(done + static_cast<std::uint64_t>(i))));
            exact[i] = Function::reference(static_cast<double>(x[i]));
        }
        for_each_arch([&]<class Arch>(Arch) {
            using V = simd::vec<float, Arch>;
            for (int i = 0; i < block; i += V::width) {
                V const v = V::load(x + i);
                Function::value(v).store(y + i);
                if constexpr (odd) {
                    Function::value(-v).store(mirrored + i);
                }
            }
            worst_case& worst = result[Arch::name];
            for (int i = 0; i < block; ++i) {
                double const error = float_error(y[i], exact[i]);
                if (!(error <= worst.error)) {
                    worst.error = error;
                    worst.argument = x[i];
                }
                if constexpr (odd) {
                    worst.asymmetric +=
                        !std::isnan(y[i]) && std::bit_cast<std::uint32_t>(y[i]) !=
                                                 std::bit_cast<std::uint32_t>(-mirrored[i]);
                }
                if constexpr (bounded) {
                    worst.outside += static_cast<double>(y[i]) < lowest || y[i] > 1;
                }
            }
        });
    }
    return result;
}

}  // namespace math_test
