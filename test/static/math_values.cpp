// SPDX-License-Identifier: BSL-1.0
// The elementary functions in constant evaluation: values, specials, symmetry and what they cost.
#include <unspool/math/math.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace {

namespace math = unspool::math;

/// A double and its function's value, correctly rounded; the same for the float nearest to it, the
/// value in double.
struct sample {
    double x;
    double y;
    float float_x;
    double float_y;
};

// Made with mpmath 1.3 at 300 bits.
// clang-format off
constexpr sample exp_samples[] = {
    {0.0, 1.0, 0.0f, 1.0},
    {1.0, 2.718281828459045, 1.0f, 2.718281828459045},
    {-1.0, 0.36787944117144233, -1.0f, 0.36787944117144233},
    {0.34657359027997264, 1.414213562373095, 0.3465735912322998f, 1.414213563719889},
    {10.5, 36315.502674246636, 10.5f, 36315.502674246636},
    {-20.25, 1.6052280551856116e-09, -20.25f, 1.6052280551856116e-09},
    {88.0, 1.6516362549940018e+38, 88.0f, 1.6516362549940018e+38},
    {-87.5, 9.982350930569248e-39, -87.5f, 9.982350930569248e-39},
    {0.001, 1.0010005001667084, 0.0010000000474974513f, 1.0010005002142532},
};
constexpr sample log_samples[] = {
    {1.0, 0.0, 1.0f, 0.0},
    {2.0, 0.6931471805599453, 2.0f, 0.6931471805599453},
    {0.5, -0.6931471805599453, 0.5f, -0.6931471805599453},
    {1.4142135, 0.3465735461755332, 1.4142135381698608f, 0.3465735731657015},
    {1.4142137, 0.3465736875968856, 1.4142136573791504f, 0.3465736574593964},
    {10.5, 2.3513752571634776, 10.5f, 2.3513752571634776},
    {1e-30, -69.07755278982137, 1.0000000031710769e-30f, -69.07755278665029},
    {1e+30, 69.07755278982137, 1.0000000150474662e+30f, 69.07755280486883},
    {0.999, -0.0010005003335835344, 0.9990000128746033f, -0.0010004874460928543},
};
constexpr sample log1p_samples[] = {
    {1e-10, 9.999999999500001e-11, 1.000000013351432e-10f, 1.000000013301432e-10},
    {0.25, 0.22314355131420976, 0.25f, 0.22314355131420976},
    {-0.25, -0.2876820724517809, -0.25f, -0.2876820724517809},
    {0.42, 0.35065687161316933, 0.41999998688697815f, 0.3506568623786469},
    {-0.999, -6.907755278982136, -0.9990000128746033f, -6.907768153668287},
    {1e+20, 46.051701859880914, 1.0000000200408773e+20f, 46.051701879921794},
    {3.0, 1.3862943611198906, 3.0f, 1.3862943611198906},
    {-1e-05, -1.0000050000333337e-05, -9.999999747378752e-06f, -1.000004974770956e-05},
};
constexpr sample tanh_samples[] = {
    {1e-20, 1e-20, 9.999999682655225e-21f, 9.999999682655225e-21},
    {0.001, 0.0009999996666668, 0.0010000000474974513f, 0.0009999997141642038},
    {0.25, 0.24491866240370913, 0.25f, 0.24491866240370913},
    {0.399, 0.37909299853193656, 0.39899998903274536f, 0.37909298914080247},
    {0.401, 0.3808042757807152, 0.4009999930858612f, 0.38080426986920873},
    {0.5, 0.46211715726000974, 0.5f, 0.46211715726000974},
    {-1.5, -0.9051482536448664, -1.5f, -0.9051482536448664},
    {5.0, 0.9999092042625951, 5.0f, 0.9999092042625951},
    {-9.5, -0.9999999887944072, -9.5f, -0.9999999887944072},
};
constexpr sample sigmoid_samples[] = {
    {0.0, 0.5, 0.0f, 0.5},
    {1e-05, 0.5000025, 9.999999747378752e-06f, 0.5000024999999368},
    {-0.5, 0.37754066879814546, -0.5f, 0.37754066879814546},
    {2.5, 0.9241418199787564, 2.5f, 0.9241418199787564},
    {-2.5, 0.07585818002124355, -2.5f, 0.07585818002124355},
    {10.0, 0.9999546021312976, 10.0f, 0.9999546021312976},
    {-30.0, 9.357622968839299e-14, -30.0f, 9.357622968839299e-14},
    {-80.0, 1.8048513878454153e-35, -80.0f, 1.8048513878454153e-35},
    {16.0, 0.9999998874648379, 16.0f, 0.9999998874648379},
};
constexpr sample sin_samples[] = {
    {1e-10, 1e-10, 1.000000013351432e-10f, 1.000000013351432e-10},
    {0.5, 0.479425538604203, 0.5f, 0.479425538604203},
    {-0.78, -0.7032794192004101, -0.7799999713897705f, -0.7032793988610104},
    {0.79, 0.7103532724176078, 0.7900000214576721f, 0.7103532875204897},
    {1.5707963267948966, 1.0, 1.5707963705062866f, 0.999999999999999},
    {3.141592653589793, 1.2246467991473532e-16, 3.1415927410125732f, -8.742278000372475e-08},
    {-100.25, 0.2772828564548513, -100.25f, 0.2772828564548513},
    {99999.5, 0.5104916150747798, 99999.5f, 0.5104916150747798},
    {1e+22, -0.8522008497671888, 9.999999778196308e+21f, -0.7340815352961015},
};
constexpr sample cos_samples[] = {
    {1e-10, 1.0, 1.000000013351432e-10f, 1.0},
    {0.5, 0.8775825618903728, 0.5f, 0.8775825618903728},
    {-0.78, 0.7109135380122773, -0.7799999713897705f, 0.7109135581332626},
    {0.79, 0.7038453156522361, 0.7900000214576721f, 0.7038453004097083},
    {1.5707963267948966, 6.123233995736766e-17, 1.5707963705062866f, -4.371139000186241e-08},
    {3.141592653589793, -1.0, 3.1415927410125732f, -0.9999999999999962},
    {-100.25, 0.9607883312760612, -100.25f, 0.9607883312760612},
    {99999.5, -0.8598827309222711, 99999.5f, -0.8598827309222711},
    {1e+22, 0.523214785395139, 9.999999778196308e+21f, 0.679061337095051},
};
constexpr sample sqrt_samples[] = {
    {1.0, 1.0, 1.0f, 1.0},
    {2.0, 1.4142135623730951, 2.0f, 1.4142135623730951},
    {3.0, 1.7320508075688772, 3.0f, 1.7320508075688772},
    {0.1, 0.31622776601683794, 0.10000000149011612f, 0.3162277683729184},
    {1e-30, 1e-15, 1.0000000031710769e-30f, 1.0000000015855385e-15},
    {1e+30, 1000000000000000.0, 1.0000000150474662e+30f, 1000000007523733.1},
    {12345.678, 111.11110655555547, 12345.677734375f, 111.1111053602429},
};
constexpr sample expm1_samples[] = {
    {1e-20, 1e-20, 9.999999682655225e-21f, 9.999999682655225e-21},
    {-1e-05, -9.999950000166666e-06, -9.999999747378752e-06f, -9.999949747547945e-06},
    {0.34, 0.4049475905635938, 0.3400000035762787f, 0.4049475955880779},
    {-0.36, -0.3023236739289689, -0.36000001430511475f, -0.30232368390930875},
    {0.4002548105, 0.492204878673391, 0.4002548158168793f, 0.49220488660726425},
    {1.0, 1.7182818284590453, 1.0f, 1.7182818284590453},
    {-2.5, -0.9179150013761012, -2.5f, -0.9179150013761012},
    {-30.0, -0.9999999999999064, -30.0f, -0.9999999999999064},
    {50.0, 5.184705528587072e+21, 50.0f, 5.184705528587072e+21},
    {88.0, 1.6516362549940018e+38, 88.0f, 1.6516362549940018e+38},
};
constexpr sample erf_samples[] = {
    {1e-20, 1.1283791670955125e-20, 9.999999682655225e-21f, 1.1283791312869893e-20},
    {0.001, 0.0011283787909692365, 0.0010000000474974513f, 0.0011283788445643173},
    {-0.5, -0.5204998778130465, -0.5f, -0.5204998778130465},
    {0.999, 0.8422852702064969, 0.9990000128746033f, 0.8422852755615352},
    {1.001, 0.8431154854780762, 1.0010000467300415f, 0.8431155048372895},
    {-1.5, -0.9661051464753108, -1.5f, -0.9661051464753108},
    {2.5, 0.999593047982555, 2.5f, 0.999593047982555},
    {-3.8, -0.9999999229960725, -3.799999952316284f, -0.9999999229960437},
    {5.0, 0.9999999999984626, 5.0f, 0.9999999999984626},
};
constexpr sample atan_samples[] = {
    {1e-20, 1e-20, 9.999999682655225e-21f, 9.999999682655225e-21},
    {-0.001, -0.0009999996666668668, -0.0010000000474974513f, -0.0009999997141642704},
    {0.41, 0.3890972310552784, 0.4099999964237213f, 0.3890972279936581},
    {0.42, 0.3976279915221293, 0.41999998688697815f, 0.3976279803753919},
    {-1.0, -0.7853981633974483, -1.0f, -0.7853981633974483},
    {2.41, 1.177479262631279, 2.4100000858306885f, 1.1774792752384213},
    {2.42, 1.1789429189731648, 2.4200000762939453f, 1.1789429301005703},
    {-10.5, -1.4758446204521403, -10.5f, -1.4758446204521403},
    {1e+20, 1.5707963267948966, 1.0000000200408773e+20f, 1.5707963267948966},
};
// clang-format on

/// Steps of the last place between two finite doubles of one sign.
constexpr std::int64_t steps_between(double a, double b) {
    auto const difference =
        __builtin_bit_cast(std::int64_t, a) - __builtin_bit_cast(std::int64_t, b);
    return difference < 0 ? -difference : difference;
}

/// One ULP of a float at y.
constexpr double float_ulp(double y) {
    double const power =
        __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, y) & 0x7ff0'0000'0000'0000u);
    return (power > 0x1p-126 ? power : 0x1p-126) * 0x1p-23;
}

template <class Function, std::size_t N>
constexpr bool within(sample const (&samples)[N], math::accuracy bound, Function f) {
    // `bound` from the exact value is at most this from the rounded one.
    auto const steps =
        bound.double_ulp > 0.5 ? static_cast<std::int64_t>(bound.double_ulp + 0.5) : 0;
    for (sample const& s : samples) {
        if (s.y == 0 ? f(s.x) != 0 : steps_between(f(s.x), s.y) > steps) {
            return false;
        }
        double const error = static_cast<double>(f(s.float_x)) - s.float_y;
        if ((error < 0 ? -error : error) > bound.float_ulp * float_ulp(s.float_y)) {
            return false;
        }
    }
    return true;
}

static_assert(within(exp_samples, math::exp_accuracy, [](auto x) { return math::exp(x); }));
static_assert(within(log_samples, math::log_accuracy, [](auto x) { return math::log(x); }));
static_assert(within(log1p_samples, math::log1p_accuracy, [](auto x) { return math::log1p(x); }));
static_assert(within(tanh_samples, math::tanh_accuracy, [](auto x) { return math::tanh(x); }));
static_assert(within(sigmoid_samples, math::sigmoid_accuracy,
                     [](auto x) { return math::sigmoid(x); }));
static_assert(within(sin_samples, math::sin_accuracy, [](auto x) { return math::sin(x); }));
static_assert(within(cos_samples, math::cos_accuracy, [](auto x) { return math::cos(x); }));
static_assert(within(expm1_samples, math::expm1_accuracy, [](auto x) { return math::expm1(x); }));
static_assert(within(erf_samples, math::erf_accuracy, [](auto x) { return math::erf(x); }));
static_assert(within(atan_samples, math::atan_accuracy, [](auto x) { return math::atan(x); }));
static_assert(within(sqrt_samples, math::sqrt_accuracy, [](auto x) { return math::sqrt(x); }));

// A check that cannot fail proves nothing: the wrong function, and the right one beyond its bound.
static_assert(!within(exp_samples, math::exp_accuracy, [](auto x) { return math::exp(x + x); }));
static_assert(!within(tanh_samples, math::tanh_accuracy, [](auto x) {
    return math::tanh(x) * (1 + 4 * std::numeric_limits<decltype(x)>::epsilon());
}));

template <class T>
constexpr bool specials() {
    constexpr T inf = std::numeric_limits<T>::infinity();
    constexpr T tiny = std::numeric_limits<T>::denorm_min();
    constexpr T huge = std::numeric_limits<T>::max();
    constexpr auto is_nan = [](T x) { return x != x; };
    constexpr auto is_negative_zero = [](T x) { return x == 0 && math::copysign(T(1), x) < 0; };
    // Overflow, underflow and infinite arguments without an operation that the compilers refuse.
    return math::exp(inf) == inf && math::exp(huge) == inf && math::exp(-huge) == 0 &&
           math::exp(-inf) == 0 && math::exp(T(0)) == 1 && math::exp(-tiny) == 1 &&
           math::log(T(0)) == -inf && math::log(-T(0)) == -inf && is_nan(math::log(T(-1))) &&
           math::log(inf) == inf && math::log(T(1)) == 0 && math::log(tiny) < -100 &&
           math::log(huge) > 88 && is_nan(math::log(-inf)) && math::log1p(T(-1)) == -inf &&
           is_nan(math::log1p(T(-2))) && math::log1p(inf) == inf && math::log1p(tiny) == tiny &&
           is_negative_zero(math::log1p(-T(0))) && math::log1p(huge) > 88 && math::tanh(inf) == 1 &&
           math::tanh(-inf) == -1 && math::tanh(huge) == 1 && math::tanh(tiny) == tiny &&
           is_negative_zero(math::tanh(-T(0))) && math::sigmoid(inf) == 1 &&
           math::sigmoid(-inf) == 0 && math::sigmoid(-huge) == 0 && math::sigmoid(T(0)) == T(0.5) &&
           math::sigmoid(huge) == 1 && math::sin(tiny) == tiny &&
           is_negative_zero(math::sin(-T(0))) && is_nan(math::cos(-inf)) && math::cos(T(0)) == 1 &&
           math::abs(math::sin(huge)) <= 1 && math::sin(-huge) == -math::sin(huge) &&
           math::sqrt(inf) == inf && is_negative_zero(math::sqrt(-T(0))) &&
           is_nan(math::sqrt(T(-1))) && math::sqrt(T(4)) == 2 && math::sqrt(huge) > 1e19 &&
           math::expm1(huge) == inf && math::expm1(-inf) == -1 && math::expm1(tiny) == tiny &&
           is_negative_zero(math::expm1(-T(0))) && math::erf(inf) == 1 && math::erf(-huge) == -1 &&
           math::erf(tiny) == tiny && is_negative_zero(math::erf(-T(0))) &&
           math::atan(-inf) == -math::atan(huge) && math::atan(tiny) == tiny &&
           is_negative_zero(math::atan(-T(0))) && math::floor(-tiny) == -1 &&
           math::floor(-inf) == -inf && math::floor(huge) == huge && math::pow(inf, T(2)) == inf &&
           math::pow(-inf, T(-3)) == 0 && math::pow(huge, T(2)) == inf &&
           math::pow(tiny, T(2)) == 0 && math::pow(T(-1), inf) == 1 &&
           math::pow(T(0), T(-1)) == inf && math::pow(huge, T(1)) == huge &&
           is_nan(math::pow(T(-2), T(0.5))) && is_negative_zero(math::round(T(-0.5))) &&
           math::round(T(1.5)) == 2;
}
static_assert(specials<float>());
static_assert(specials<double>());
static_assert(math::exp(-104.0f) == 0 && math::exp(-103.0f) == 0x1p-149f);
static_assert(math::exp(-745.0) == 0x1p-1074 && math::sigmoid(-744.0) == math::exp(-744.0));
static_assert(math::sqrt(0x1p-1074) == 0x1p-537 && math::sqrt(0x1p-149f) == 0x1.6a09e6p-75f);

static_assert(steps_between(math::pow(1.1, -33.3), 0.04184307417059319) <= 1);
static_assert(math::pow(0.3f, 2.7f) == 0x1.3d685a0000000p-5f);

/// 2,500 gates' worth of functions are one constant at the compilers' default limits: clang allows
/// 1,048,576 steps, of which this takes less than a fifth.
template <class T>
constexpr T many_gates() {
    T sum = 0;
    for (int i = 0; i < 2500; ++i) {
        T const x = static_cast<T>(i - 1250) * T(0.01);
        sum += math::tanh(x) + math::sigmoid(x);
    }
    return sum;
}
constexpr double gates = many_gates<double>();
static_assert(gates > 1248 && gates < 1250);
static_assert(many_gates<float>() > 1247);

}  // namespace
