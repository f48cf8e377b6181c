// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/math/sqrt.hpp>

#include <bit>
#include <cstdint>

namespace unspool {
inline namespace v0 {

namespace detail {

/// 2·atanh(s)/s from s⁶ on, in s², highest power first.
inline constexpr double atanh_tail[] = {2. / 21, 2. / 19, 2. / 17, 2. / 15,
                                        2. / 13, 2. / 11, 2. / 9,  2. / 7};

/// Wichura's coefficients, highest power first: numerator and denominator for the centre, the tails
/// and the far tails.
struct as_241 {
    static constexpr double a[] = {
        2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
        13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608};
    static constexpr double b[] = {
        5226.495278852545925,  28729.085735721942674, 39307.89580009271061,  21213.794301586595867,
        5394.1960214247511077, 687.1870074920579083,  42.313330701600911252, 1};
    static constexpr double c[] = {7.7454501427834140764e-4, .0227238449892691845833,
                                   .24178072517745061177,    1.27045825245236838258,
                                   3.64784832476320460504,   5.7694972214606914055,
                                   4.6303378461565452959,    1.42343711074968357734};
    static constexpr double d[] = {1.05075007164441684324e-9, 5.475938084995344946e-4,
                                   .0151986665636164571966,   .14810397642748007459,
                                   .68976733498510000455,     1.6763848301838038494,
                                   2.05319162663775882187,    1};
    static constexpr double e[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5,
                                   .0012426609473880784386,   .026532189526576123093,
                                   .29656057182850489123,     1.7848265399172913358,
                                   5.4637849111641143699,     6.6579046435011037772};
    static constexpr double f[] = {2.04426310338993978564e-15, 1.4215117583164458887e-7,
                                   1.8463183175100546818e-5,   7.868691311456132591e-4,
                                   .0148753612908506148525,    .13692988092273580531,
                                   .59983220655588793769,      1};
};

/// c[0]·x⁷ + … + c[7], never fused; one statement, as clang's constant evaluator counts them.
constexpr double horner(double const (&c)[8], double x) noexcept {
    return ((((((c[0] * x + c[1]) * x + c[2]) * x + c[3]) * x + c[4]) * x + c[5]) * x + c[6]) * x +
           c[7];
}

/// −ln x of a normal x in (0, ½), by +, ×, ÷ alone: math::log uses fused multiply-add where there
/// is one, and its bits depend on that. Within 2 ULP.
constexpr double negative_log(double x) noexcept {
    // x = 2^power · m with m in [√½, √2): the exponent of x / √½, rounded down.
    constexpr std::uint64_t root_half = 0x3FE6'A09E'667F'3BCD;
    std::uint64_t const bits = std::bit_cast<std::uint64_t>(x);
    auto const power = static_cast<std::int64_t>(bits - root_half) >> 52;
    double const m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(power) << 52));
    double const s = (m - 1) / (m + 1);
    // Taylor's series of 2·atanh(s)/s − 2; z < 0.0295 makes the first term left out 2^-58.
    double const z = s * s;
    double const tail = z * (2. / 3 + z * (2. / 5 + z * horner(atanh_tail, z)));
    return static_cast<double>(-power) * 0.693147180559945309417 - (2 * s + s * tail);
}

}  // namespace detail

/// The quantile of the standard normal distribution at probability ½ + q, −½ < q < ½; q is exact
/// close to 0 and the tails are as fine as q allows.
///
/// Accuracy: 1e-15 relative. By +, ×, ÷ and √ alone: the same bits everywhere (contraction off).
/// Source: algorithm AS 241 (PPND16), Wichura, Applied Statistics 37 (1988) 477–484.
constexpr double normal_quantile(double q) noexcept {
    using c = detail::as_241;
    double const side = q < 0 ? -1 : 1;
    double const magnitude = side * q;
    if (magnitude <= 0.425) {
        double const r = 0.180625 - q * q;
        return q * detail::horner(c::a, r) / detail::horner(c::b, r);
    }
    double const depth = math::sqrt(detail::negative_log(0.5 - magnitude));
    if (depth <= 5) {
        double const r = depth - 1.6;
        return side * (detail::horner(c::c, r) / detail::horner(c::d, r));
    }
    double const r = depth - 5;
    return side * (detail::horner(c::e, r) / detail::horner(c::f, r));
}

}  // namespace v0
}  // namespace unspool
