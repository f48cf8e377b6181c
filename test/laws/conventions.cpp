// SPDX-License-Identifier: BSL-1.0
// What rules promise beside the laws: JAX's conventions at kinks, ties and poles, where there is no
// derivative, and cheap forms.
#include "support/catch.hpp"
#include "support/graph_trial.hpp"

#include <limits>

using namespace unspool_test;
using unspool::shape;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The sum of `make(g, x...)` of rows like these, and their elements as its arguments.
template <class Make>
graph sum_of(std::vector<std::vector<double>> const& at, Make make) {
    graph g;
    unspool::list<ref> x;
    for (auto const& v : at) x.push_back(g.argument(shape::of(v.size())));
    ref const y = make(g, x);
    g.results.push_back(g.dims(y).rank == 0 ? y : g.sum(y, {0}));
    return g;
}
unspool::list<int> every_argument(graph const& g) {
    unspool::list<int> wrt;
    for (int k = 0; k < g.arguments.size(); ++k) wrt.push_back(k);
    return wrt;
}

/// The gradient of that sum with respect to each x, by reverse mode.
template <class Make>
std::vector<std::vector<double>> pulled_back(std::vector<std::vector<double>> const& at,
                                             Make make) {
    graph const g = sum_of(at, make);
    argument_values<double> const x{at};
    auto results = evaluated(unspool::vjp(g, {every_argument(g), 1, false}), x.pointers());
    results.erase(results.begin());
    return results;
}

/// The same, and that forward mode follows the same conventions. An infinite or NaN derivative is
/// for reverse mode alone, since forward mode multiplies it by each tangent of 0.
template <class Make>
std::vector<std::vector<double>> gradients(std::vector<std::vector<double>> const& at, Make make) {
    auto const results = pulled_back(at, make);
    graph const g = sum_of(at, make);
    graph const forward = unspool::jvp(g, every_argument(g));
    for (std::size_t k = 0; k < at.size(); ++k) {
        for (std::size_t i = 0; i < at[k].size(); ++i) {
            argument_values<double> tangents{at};
            for (auto const& v : at) tangents.values.emplace_back(v.size(), 0.0);
            tangents.values[at.size() + k][i] = 1;
            double const got = evaluated(forward, tangents.pointers())[1][0];
            INFO("operand " << k << ", element " << i);
            CHECK(got == results[k][i]);
        }
    }
    return results;
}

template <class Op>
std::vector<double> unary(std::vector<double> const& at) {
    return gradients({at}, [](graph& g, auto const& x) { return g.apply<Op>(x[0]); })[0];
}

using row = std::vector<double>;

}  // namespace

TEST_CASE("the derivatives of relu and abs are 0 at 0") {
    CHECK(unary<op::relu>({-1, -0.0, 0, 1}) == row{0, 0, 0, 1});
    CHECK(unary<op::absolute>({-1, -0.0, 0, 1}) == row{-1, 0, 0, 1});
}

TEST_CASE("the derivative of a root at 0 is infinite") {
    graph g;
    ref const x = g.argument(shape::of(1));
    g.results.push_back(g.sum(g.apply<op::sqrt>(x), {0}));
    double const zero = 0;
    auto const got = evaluated(unspool::vjp(g, {{0}, 1, false}), {&zero});
    CHECK(got[1][0] == infinity);
}

TEST_CASE("ties of max and min share the derivative equally") {
    row const a{1, 2, 3};
    row const b{1, 3, 2};
    auto const larger = gradients(
        {a, b}, [](graph& g, auto const& x) { return g.template apply<op::maximum>(x[0], x[1]); });
    CHECK(larger[0] == row{0.5, 0, 1});
    CHECK(larger[1] == row{0.5, 1, 0});
    auto const smaller = gradients(
        {a, b}, [](graph& g, auto const& x) { return g.template apply<op::minimum>(x[0], x[1]); });
    CHECK(smaller[0] == row{0.5, 1, 0});
    CHECK(smaller[1] == row{0.5, 0, 1});
    auto const largest = gradients({{4, 1, 4, 4, -2}}, [](graph& g, auto const& x) {
        return g.template reduce<op::reduce_max>(x[0], {0});
    });
    CHECK(largest[0] == row{1.0 / 3, 0, 1.0 / 3, 1.0 / 3, 0});
}

TEST_CASE("floor, round and sign have no derivative, wherever") {
    row const at{-infinity, -1.5, -1, -0.0, 0, 0.5, 2, 1e300, infinity, not_a_number};
    row const zero(at.size(), 0);
    CHECK(unary<op::floor>(at) == zero);
    CHECK(unary<op::round>(at) == zero);
    CHECK(unary<op::sign>(at) == zero);
}

TEST_CASE("derivatives at infinity and far out are limits") {
    CHECK(unary<op::expm1>({-infinity, -1000, -0.0, 0}) == row{0, 0, 1, 1});
    CHECK(unary<op::expm1>({1000}) == row{infinity});
    CHECK(unary<op::expm1>({infinity}) == row{infinity});
    CHECK(unary<op::softplus>({-infinity, -1000, 0, 1000, infinity}) == row{0, 0, 0.5, 1, 1});
    double const slope = 2 / std::sqrt(std::acos(-1.0));
    row const erf = unary<op::erf>({-infinity, -1e200, -0.0, 1e-310, 40, infinity});
    CHECK(erf == row{0, 0, slope, slope, 0, 0});
    CHECK(unary<op::atan>({-infinity, -1e200, -0.0, 1e-310, infinity}) == row{0, 0, 1, 1, 0});
}

TEST_CASE("NaN reaches the derivatives that depend on it") {
    auto const unary_at_nan = []<class Op>(Op) {
        return pulled_back({{not_a_number}}, [](graph& g, auto const& x) {
            return g.template apply<Op>(x[0]);
        })[0][0];
    };
    CHECK(std::isnan(unary_at_nan(op::expm1{})));
    CHECK(std::isnan(unary_at_nan(op::erf{})));
    CHECK(std::isnan(unary_at_nan(op::atan{})));
    CHECK(std::isnan(unary_at_nan(op::softplus{})));
    auto const power =
        pulled_back({{not_a_number, 2}, {2, not_a_number}},
                    [](graph& g, auto const& x) { return g.template apply<op::pow>(x[0], x[1]); });
    for (row const& v : power)
        for (double d : v) CHECK(std::isnan(d));
}

TEST_CASE("a power of 0 has no NaN in its derivatives") {
    row const x{0, 0, 0, -0.0, 0};
    row const y{0, 1, 2, 3, 1.5};
    auto const got = gradients(
        {x, y}, [](graph& g, auto const& a) { return g.template apply<op::pow>(a[0], a[1]); });
    CHECK(got[0] == row{0, 1, 0, 0, 0});
    CHECK(got[1] == row(x.size(), 0));
}

TEST_CASE("a power of a negative number has a derivative in the base alone") {
    auto const got =
        pulled_back({{-2, -2, -2, -0.5}, {3, 0, -1, 0.5}},
                    [](graph& g, auto const& a) { return g.template apply<op::pow>(a[0], a[1]); });
    CHECK(got[0][0] == 12);
    CHECK(got[0][1] == 0);
    CHECK(got[0][2] == -0.25);
    CHECK(std::isnan(got[0][3]));
    for (double d : got[1]) CHECK(std::isnan(d));
}

TEST_CASE("comparisons and stop_gradient have no derivative") {
    row const a{1, 2};
    row const b{2, 1};
    auto const compared = gradients(
        {a, b}, [](graph& g, auto const& x) { return g.template apply<op::less>(x[0], x[1]); });
    CHECK(compared[0] == row{0, 0});
    CHECK(compared[1] == row{0, 0});
    auto const stopped = gradients({a}, [](graph& g, auto const& x) {
        return g.template apply<op::multiply>(g.template apply<op::stop_gradient>(x[0]), x[0]);
    });
    CHECK(stopped[0] == a);
}

TEST_CASE("select passes on nothing of the branch that it does not take") {
    graph g;
    ref const c = g.argument(shape::of(2));
    ref const a = g.argument(shape::of(2));
    ref const b = g.argument(shape::of(2));
    g.results.push_back(g.apply<op::select>(c, a, b));
    row const condition{1, 0};
    row const taken_first{5, not_a_number};
    row const taken_second{not_a_number, 7};
    CHECK(evaluated(g, {condition.data(), taken_first.data(), taken_second.data()})[0] ==
          row{5, 7});

    // Tangents: a NaN on the side not taken stays there.
    row const forward_a{1, not_a_number};
    row const forward_b{infinity, 2};
    auto const pushed = evaluated(unspool::jvp(g, {1, 2}),
                                  {condition.data(), taken_first.data(), taken_second.data(),
                                   forward_a.data(), forward_b.data()});
    CHECK(pushed[1] == row{1, 2});

    // Cotangents: an infinite one goes to the side taken, and exactly 0 to the other.
    row const seed{infinity, not_a_number};
    auto const pulled =
        evaluated(unspool::vjp(g, {{1, 2}, 1, true}),
                  {condition.data(), taken_first.data(), taken_second.data(), seed.data()});
    CHECK(pulled[1][0] == infinity);
    CHECK(pulled[1][1] == 0);
    CHECK(pulled[2][0] == 0);
    CHECK(std::isnan(pulled[2][1]));
}

TEST_CASE("a pole behind the branch that a select does not take leaves no NaN in the gradient") {
    // sum(select(x > 0, log(x) + sqrt(x) / x, 0 * x)): at 0 and below, both log's and sqrt's
    // derivatives are infinite or NaN, and must not be multiplied by the zero of their side.
    auto const gradient = gradients({{-1, 0, 1, 2}}, [](graph& g, auto const& x) {
        ref const zero = g.constant(0, shape::of(4));
        ref const positive = g.template apply<op::less>(zero, x[0]);
        ref const root = g.template apply<op::sqrt>(x[0]);
        ref const ratio = g.template apply<op::divide>(root, x[0]);
        ref const safe = g.template apply<op::add>(g.template apply<op::log>(x[0]), ratio);
        return g.template apply<op::select>(positive, safe,
                                            g.template apply<op::multiply>(zero, x[0]));
    });
    // (log x + x^-1/2)' = 1/x - x^-3/2 / 2
    CHECK(gradient[0][0] == 0);
    CHECK(gradient[0][1] == 0);
    CHECK(std::abs(gradient[0][2] - 0.5) < 1e-15);
    CHECK(std::abs(gradient[0][3] - (0.5 - 0.25 / std::sqrt(2.0))) < 1e-15);
}

TEST_CASE("NaN reaches every result that depends on it") {
    graph g;
    ref const x = g.argument(shape::of(2));
    ref const y = g.argument(shape::of(2));
    g.results.push_back(g.apply<op::maximum>(x, y));
    g.results.push_back(g.apply<op::minimum>(x, y));
    g.results.push_back(g.reduce<op::reduce_max>(x, {0}));
    g.results.push_back(g.apply<op::relu>(x));
    g.results.push_back(g.apply<op::absolute>(x));
    g.results.push_back(g.apply<op::expm1>(x));
    g.results.push_back(g.apply<op::erf>(x));
    g.results.push_back(g.apply<op::atan>(x));
    g.results.push_back(g.apply<op::softplus>(x));
    g.results.push_back(g.apply<op::floor>(x));
    g.results.push_back(g.apply<op::round>(x));
    g.results.push_back(g.apply<op::sign>(x));
    row const a{not_a_number, 1};
    row const b{1, not_a_number};
    auto const got = evaluated(g, {a.data(), b.data()});
    for (double v : got[0]) CHECK(std::isnan(v));
    for (double v : got[1]) CHECK(std::isnan(v));
    for (std::size_t i = 2; i < got.size(); ++i) CHECK(std::isnan(got[i][0]));
}

TEST_CASE("a batch of left operands is multiplied as one tall matrix") {
    graph g;
    ref const a = g.argument(shape::of(5, 2, 3));
    ref const b = g.argument(shape::of(3, 4));
    ref const x[] = {a, b};
    bool const batched[] = {true, false};
    int const flags[] = {0, 0};
    op::site site;
    site.dims = shape::of(2, 4);
    site.attr = flags;
    site.attrs = site.count = 2;
    site.x = x;
    ref const y = op::dot::batch(g, site, x, batched, 5);
    CHECK(g.dims(y) == shape::of(5, 2, 4));
    REQUIRE(g.is<op::reshape>(y));
    ref const product = g.operand(y, 0);
    REQUIRE(g.is<op::dot>(product));
    CHECK(g.dims(product) == shape::of(10, 4));
    CHECK(g.operand(product, 1) == b);
}
