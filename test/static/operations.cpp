// SPDX-License-Identifier: BSL-1.0
// Each operation in constants: its value, and the gradient of half the sum of its squares, against
// numbers by mpmath and, for structural operations, by exact arithmetic.
#include <unspool/unspool.hpp>

namespace us = unspool;
namespace op = us::op;

namespace {

constexpr double tolerance = 1e-15;  // relative: two functions and five roundings

template <class X>
constexpr bool near(X const& got, X const& expected) {
    for (int i = 0; i < X::size(); ++i) {
        double const apart = got[i] < expected[i] ? expected[i] - got[i] : got[i] - expected[i];
        double const size = expected[i] < 0 ? -expected[i] : expected[i];
        if (!(apart <= tolerance * size)) return false;
    }
    return true;
}

/// A function that is traced to the operation, a point, and what comes out there.
template <class Op, class F, class X, class Y>
struct entry {
    using operation = Op;
    F f;
    X x;
    Y value;
    X gradient;

    static constexpr bool traced = [] {
        for (us::node const& n : us::frozen_function<F, X>::value.nodes)
            if (n.code == op::code<Op>) return true;
        return false;
    }();
    constexpr bool value_holds() const { return near(us::call(f, x), value); }
    constexpr bool gradient_holds() const {
        constexpr auto half_of_squares = [](auto at) { return 0.5 * us::sum(us::square(F{}(at))); };
        return near(us::call(us::grad(half_of_squares, us::unused::zero), x), gradient);
    }
};
template <class Op, class F, class X, class Y>
constexpr entry<Op, F, X, Y> constant(F f, X const& x, Y const& value, X const& gradient) {
    return {f, x, value, gradient};
}

using row = us::tensor<double, 4>;
constexpr row signs{-1.25, -0.5, 0.75, 2};
constexpr row positive{0.25, 0.5, 0.75, 2};

template <std::size_t... N>
using array = us::tensor<double, N...>;
using matrix = array<2, 3>;
constexpr matrix counted{1, 2, 3, 4, 5, 6};

/// c ← c / 2 + x over the rows of x: the last c and all.
constexpr auto loop = [](auto x) {
    auto const step = [](auto c, auto in) {
        auto const next = 0.5 * c + in;
        return std::pair{next, next};
    };
    return us::scan(step, us::tensor<double, 3>{}, x);
};

constexpr std::tuple table{
    constant<op::argument>([](auto x) { return x; }, counted, counted, counted),
    constant<op::constant>([](auto x) { return x * 2; }, counted, matrix{2, 4, 6, 8, 10, 12},
                           matrix{4, 8, 12, 16, 20, 24}),
    constant<op::literal>([](auto x) { return x * matrix{1, -2, 3, -4, 5, -6}; }, counted,
                          matrix{1, -4, 9, -16, 25, -36}, matrix{1, 8, 27, 64, 125, 216}),
    constant<op::scan>([](auto x) { return loop(x).first; }, counted, array<3>{4.5, 6, 7.5},
                       matrix{2.25, 3, 3.75, 4.5, 6, 7.5}),
    constant<op::output>([](auto x) { return loop(x).second; }, counted,
                         matrix{1, 2, 3, 4.5, 6, 7.5}, matrix{3.25, 5, 6.75, 4.5, 6, 7.5}),
    constant<op::broadcast>([](auto x) { return us::broadcast_to<2, 2, 3>(x); }, counted,
                            array<2, 2, 3>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6},
                            matrix{2, 4, 6, 8, 10, 12}),
    constant<op::reshape>([](auto x) { return us::reshape<3, 2>(x); }, counted,
                          array<3, 2>{1, 2, 3, 4, 5, 6}, counted),
    constant<op::transpose>([](auto x) { return us::transpose(x); }, counted,
                            array<3, 2>{1, 4, 2, 5, 3, 6}, counted),
    constant<op::reverse>([](auto x) { return us::flip<1>(x); }, counted, matrix{3, 2, 1, 6, 5, 4},
                          counted),
    constant<op::slice>([](auto x) { return us::slice<1, 1, 3>(x); }, counted,
                        array<2, 2>{2, 3, 5, 6}, matrix{0, 2, 3, 0, 5, 6}),
    constant<op::pad>([](auto x) { return us::pad<1, 0, 1>(x); }, counted,
                      array<2, 4>{1, 2, 3, 0, 4, 5, 6, 0}, counted),
    constant<op::concatenate>([](auto x) { return us::concatenate(x, -x); }, counted,
                              array<4, 3>{1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6},
                              matrix{2, 4, 6, 8, 10, 12}),
    constant<op::gather>(
        [](auto x) {
            return us::take(x, us::constant(array<3>{1, 0, -1}));
        },
        counted, array<3, 3>{4, 5, 6, 1, 2, 3, 4, 5, 6}, matrix{1, 2, 3, 8, 10, 12}),
    constant<op::scatter_add>(
        [](auto x) {
            return us::scatter_add<2>(us::constant(array<2>{0, -2}), x);
        },
        counted, matrix{5, 7, 9, 0, 0, 0}, matrix{5, 7, 9, 5, 7, 9}),
    constant<op::sum>([](auto x) { return us::sum<0>(x); }, counted, array<3>{5, 7, 9},
                      matrix{5, 7, 9, 5, 7, 9}),
    constant<op::reduce_max>([](auto x) { return us::max<1>(x); }, counted, array<2>{3, 6},
                             matrix{0, 0, 3, 0, 0, 6}),
    constant<op::dot>([](auto x) { return us::dot(x, us::transpose(x)); }, counted,
                      array<2, 2>{14, 32, 32, 77}, matrix{284, 376, 468, 680, 898, 1116}),
    constant<op::stop_gradient>([](auto x) { return us::stop_gradient(x); }, signs,
                                row{-1.25, -0.5, 0.75, 2}, row{0, 0, 0, 0}),
    constant<op::add>([](auto x) { return x + us::square(x); }, signs,
                      row{0.3125, -0.25, 1.3125, 6}, row{-0.46875, 0, 3.28125, 30}),
    constant<op::subtract>([](auto x) { return us::square(x) - x; }, signs,
                           row{2.8125, 0.75, -0.1875, 2}, row{-9.84375, -1.5, -0.09375, 6}),
    constant<op::multiply>(
        [](auto x) { return x * us::sin(x); }, signs,
        row{1.1862307741944829, 0.2397127693021015, 0.5112290700175006, 1.8185948536513634},
        row{-1.5932711222980496, -0.22010829663395212, 0.6290190143570017, 0.14003863024775542}),
    constant<op::divide>([](auto x) { return x / (1 + us::square(x)); }, signs,
                         row{-0.4878048780487805, -0.4, 0.48, 0.4},
                         row{0.04178697349138869, -0.192, 0.086016, -0.048}),
    constant<op::negate>([](auto x) { return -x; }, signs, row{1.25, 0.5, -0.75, -2},
                         row{-1.25, -0.5, 0.75, 2}),
    constant<op::less>([](auto x) { return x < -0.5; }, signs, row{1, 0, 0, 0}, row{0, 0, 0, 0}),
    constant<op::less_equal>([](auto x) { return x <= -0.5; }, signs, row{1, 1, 0, 0},
                             row{0, 0, 0, 0}),
    constant<op::equal>([](auto x) { return x == -0.5; }, signs, row{0, 1, 0, 0}, row{0, 0, 0, 0}),
    constant<op::select>([](auto x) { return us::select(x < 0, us::square(x), 3 * x); }, signs,
                         row{1.5625, 0.25, 2.25, 6}, row{-3.90625, -0.25, 6.75, 18}),
    constant<op::maximum>([](auto x) { return us::maximum(x, us::square(x)); }, signs,
                          row{1.5625, 0.25, 0.75, 4}, row{-3.90625, -0.25, 0.75, 16}),
    constant<op::minimum>([](auto x) { return us::minimum(x, us::square(x)); }, signs,
                          row{-1.25, -0.5, 0.5625, 2}, row{-1.25, -0.5, 0.84375, 2}),
    constant<op::relu>([](auto x) { return us::relu(x); }, signs, row{0, 0, 0.75, 2},
                       row{0, 0, 0.75, 2}),
    constant<op::absolute>([](auto x) { return us::abs(x); }, signs, row{1.25, 0.5, 0.75, 2},
                           row{-1.25, -0.5, 0.75, 2}),
    constant<op::exp>(
        [](auto x) { return us::exp(x); }, signs,
        row{0.2865047968601901, 0.6065306597126334, 2.117000016612675, 7.38905609893065},
        row{0.0820849986238988, 0.36787944117144233, 4.4816890703380645, 54.598150033144236}),
    constant<op::log>(
        [](auto x) { return us::log(x); }, positive,
        row{-1.3862943611198906, -0.6931471805599453, -0.2876820724517809, 0.6931471805599453},
        row{-5.545177444479562, -1.3862943611198906, -0.38357609660237457, 0.34657359027997264}),
    constant<op::log1p>(
        [](auto x) { return us::log1p(x); }, positive,
        row{0.22314355131420976, 0.4054651081081644, 0.5596157879354227, 1.0986122886681098},
        row{0.1785148410513678, 0.2703100720721096, 0.31978045024881296, 0.3662040962227032}),
    constant<op::tanh>(
        [](auto x) { return us::tanh(x); }, signs,
        row{-0.8482836399575129, -0.46211715726000974, 0.6351489523872873, 0.9640275800758169},
        row{-0.23787134338173627, -0.36343099069179363, 0.3789208511390107, 0.06810934371355652}),
    constant<op::sigmoid>(
        [](auto x) { return us::sigmoid(x); }, signs,
        row{0.22270013882530884, 0.37754066879814546, 0.679178699175393, 0.8807970779778824},
        row{0.0385504600945546, 0.08872345867463688, 0.14798963841997922, 0.09247804322982979}),
    constant<op::sin>(
        [](auto x) { return us::sin(x); }, signs,
        row{-0.9489846193555862, -0.479425538604203, 0.6816387600233341, 0.9092974268256817},
        row{-0.2992360720519783, -0.42073549240394825, 0.4987474933020272, -0.3784012476539641}),
    constant<op::cos>(
        [](auto x) { return us::cos(x); }, signs,
        row{0.3153223623952687, 0.8775825618903728, 0.7316888688738209, -0.4161468365471424},
        row{0.2992360720519783, 0.42073549240394825, -0.4987474933020272, 0.3784012476539641}),
    constant<op::sqrt>([](auto x) { return us::sqrt(x); }, positive,
                       row{0.5, 0.7071067811865476, 0.8660254037844386, 1.4142135623730951},
                       row{0.5, 0.5, 0.5, 0.5}),
    constant<op::square>([](auto x) { return us::square(x); }, signs, row{1.5625, 0.25, 0.5625, 4},
                         row{-3.90625, -0.25, 0.84375, 16}),
    constant<op::expm1>(
        [](auto x) { return us::expm1(x); }, signs,
        row{-0.7134952031398099, -0.3934693402873666, 1.1170000166126746, 6.38905609893065},
        row{-0.2044197982362913, -0.2386512185411911, 2.36468905372539, 47.20909393421359}),
    constant<op::erf>(
        [](auto x) { return us::erf(x); }, signs,
        row{-0.9229001282564583, -0.5204998778130465, 0.7111556336535151, 0.9953222650189527},
        row{-0.21828537424196612, -0.45740622496013295, 0.45722405190904963, 0.020570310673748426}),
    constant<op::atan>(
        [](auto x) { return us::atan(x); }, signs,
        row{-0.8960553845713439, -0.4636476090008061, 0.6435011087932844, 1.1071487177940904},
        row{-0.349680150076622, -0.3709180872006449, 0.41184070962770203, 0.2214297435588181}),
    constant<op::softplus>(
        [](auto x) { return us::softplus(x); }, signs,
        row{0.2519290813453729, 0.4740769841801067, 1.1368710061148999, 2.1269280110429727},
        row{0.05610464138974707, 0.1789833416691653, 0.7721385710633379, 1.8733919771959595}),
    constant<op::floor>([](auto x) { return us::floor(x); }, signs, row{-2, -1, 0, 2},
                        row{0, 0, 0, 0}),
    constant<op::round>([](auto x) { return us::round(x); }, signs, row{-1, 0, 1, 2},
                        row{0, 0, 0, 0}),
    constant<op::sign>([](auto x) { return us::sign(x); }, signs, row{-1, -1, 1, 1},
                       row{0, 0, 0, 0}),
    constant<op::pow>(
        [](auto x) { return us::pow(x, x); }, positive,
        row{0.7071067811865476, 0.7071067811865476, 0.8059274488676564, 4},
        row{-0.19314718055994531, 0.15342640972002736, 0.4626640656208807, 27.090354888959126})};

/// The place of an operation's entry, behind the last if it has none.
template <class Op, class... Entry>
constexpr std::size_t place(std::tuple<Entry...> const&) {
    std::size_t i = 0;
    (void)((std::is_same_v<Op, typename Entry::operation> || (++i, false)) || ...);
    return i;
}

template <class Op>
constexpr bool holds() {
    constexpr std::size_t at = place<Op>(table);
    constexpr bool listed = at < std::tuple_size_v<decltype(table)>;
    static_assert(listed,
                  "unspool: an operation of op::all has no line in test/static/operations.cpp");
    if constexpr (listed) {
        constexpr auto const& line = std::get<at>(table);
        static_assert(std::remove_cvref_t<decltype(line)>::traced,
                      "the function has another operation");
        static_assert(line.value_holds());
        static_assert(line.gradient_holds());
    }
    return listed;
}
/// No function of the language is traced to it: passes put it where a kernel needs its elements in
/// order.
template <>
constexpr bool holds<op::contiguous>() {
    us::graph g;
    us::ref const x = g.argument(us::shape::of(2, 3));
    g.results.push_back(g.contiguous(g.transpose(x, {1, 0})));
    us::graph const pulled = us::vjp(g, {{0}, 1, true});
    us::evaluator<double> e(pulled);
    array<3, 2> const cotangent{1, 4, 2, 5, 3, 6};
    e.run({counted.data(), cotangent.data()});
    array<3, 2> value;
    matrix gradient;
    for (int i = 0; i < 6; ++i) {
        value[i] = e.result(0)[i];
        gradient[i] = e.result(1)[i];
    }
    return value == cotangent && gradient == counted;
}

template <class... Op>
constexpr bool all_hold(op::operation_set<Op...>) {
    return (holds<Op>() && ...);
}
static_assert(all_hold(op::all{}));

// A wrong number is found.
constexpr auto wrong_value = constant<op::square>([](auto x) { return us::square(x); }, signs,
                                                  row{1.5625, 0.25, 0.5625, 4 + 1e-14}, row{});
static_assert(wrong_value.traced && !wrong_value.value_holds() && !wrong_value.gradient_holds());
static_assert(!entry<op::multiply, decltype(wrong_value.f), row, row>::traced);

}  // namespace
