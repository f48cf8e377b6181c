// SPDX-License-Identifier: BSL-1.0
// The graph in constant evaluation: built, verified, differentiated, frozen and evaluated by the
// compiler, at its default limits.
#include <unspool/graph/evaluate.hpp>
#include <unspool/graph/freeze.hpp>
#include <unspool/graph/verify.hpp>
#include <unspool/pass/jvp.hpp>
#include <unspool/pass/simplify.hpp>
#include <unspool/pass/vjp.hpp>

using namespace unspool;

namespace {

constexpr double distance(double a, double b) { return a < b ? b - a : a - b; }

// ---- one value per operation

template <class Op, class... X>
constexpr double apply(X... x) {
    graph g;
    double const values[] = {x...};
    list<ref> operands;
    for (int i = 0; i < Op::arity; ++i) operands.push_back(g.argument({}));
    g.results.push_back(g.elementwise(op::code<Op>, operands.data(), Op::arity));
    if (violation(g) != nullptr) return -1e300;
    list<double const*> at;
    for (int i = 0; i < Op::arity; ++i) at.push_back(&values[i]);
    evaluator<double> e(g);
    e.run(at);
    return e.result(0)[0];
}

static_assert(apply<op::add>(2.0, 3.0) == 5);
static_assert(apply<op::subtract>(2.0, 3.0) == -1);
static_assert(apply<op::multiply>(2.0, 3.0) == 6);
static_assert(apply<op::divide>(3.0, 2.0) == 1.5);
static_assert(apply<op::negate>(2.0) == -2);
static_assert(apply<op::square>(-3.0) == 9);
static_assert(apply<op::absolute>(-3.0) == 3);
static_assert(apply<op::relu>(-3.0) == 0 && apply<op::relu>(3.0) == 3);
static_assert(apply<op::less>(1.0, 2.0) == 1 && apply<op::less>(2.0, 2.0) == 0);
static_assert(apply<op::less_equal>(2.0, 2.0) == 1 && apply<op::less_equal>(3.0, 2.0) == 0);
static_assert(apply<op::equal>(2.0, 2.0) == 1 && apply<op::equal>(3.0, 2.0) == 0);
static_assert(apply<op::select>(1.0, 2.0, 3.0) == 2 && apply<op::select>(0.0, 2.0, 3.0) == 3);
static_assert(apply<op::maximum>(1.0, 2.0) == 2 && apply<op::minimum>(1.0, 2.0) == 1);
static_assert(apply<op::stop_gradient>(2.0) == 2);
static_assert(apply<op::sqrt>(2.25) == 1.5);
static_assert(distance(apply<op::exp>(1.0), 2.718281828459045) < 1e-15);
static_assert(distance(apply<op::log>(2.0), 0.6931471805599453) < 1e-15);
static_assert(distance(apply<op::log1p>(1e-10), 9.9999999995e-11) < 1e-25);
static_assert(distance(apply<op::tanh>(0.5), 0.46211715726000975) < 1e-15);
static_assert(distance(apply<op::sigmoid>(0.5), 0.6224593312018546) < 1e-15);
static_assert(distance(apply<op::sin>(1.0), 0.8414709848078965) < 1e-15);
static_assert(distance(apply<op::cos>(1.0), 0.5403023058681398) < 1e-15);
static_assert(distance(apply<op::expm1>(1e-10), 1.00000000005e-10) < 1e-25);
static_assert(distance(apply<op::erf>(0.5), 0.5204998778130465) < 1e-15);
static_assert(distance(apply<op::atan>(2.0), 1.1071487177940904) < 1e-15);
static_assert(distance(apply<op::softplus>(0.0), 0.6931471805599453) < 1e-15);
static_assert(apply<op::softplus>(1000.0) == 1000 && apply<op::softplus>(-1000.0) == 0);
static_assert(distance(apply<op::pow>(2.0, 0.5), 1.4142135623730951) < 1e-15);
static_assert(apply<op::pow>(-2.0, 3.0) == -8 && apply<op::pow>(0.0, 0.0) == 1);
static_assert(apply<op::floor>(-2.5) == -3 && apply<op::floor>(1e300) == 1e300);
static_assert(apply<op::round>(2.5) == 2 && apply<op::round>(-3.5) == -4);
static_assert(apply<op::sign>(-2.5) == -1 && apply<op::sign>(0.0) == 0);

// ---- a loop, its gradient and its tangent

/// loss(w, xs) = h_T · h_T of h ← tanh(w·h + x_t) over three steps, two units.
constexpr graph recurrence() {
    graph body;
    ref const w = body.argument(shape::of(2, 2));
    ref const h = body.argument(shape::of(1, 2));
    ref const x = body.argument(shape::of(1, 2));
    body.results.push_back(body.apply<op::tanh>(body.apply<op::add>(body.dot(h, w), x)));
    graph g;
    ref const weights = g.argument(shape::of(2, 2));
    ref const xs = g.argument(shape::of(3, 1, 2));
    ref const loop = g.scan({3, false, 1, 1, 1, 0, 0},
                            {weights, g.constant(0, shape::of(1, 2)), xs}, std::move(body));
    g.results.push_back(g.sum(g.apply<op::square>(g.output(loop, 0)), {0, 1}));
    return g;
}

struct gradient {
    constexpr graph operator()() const { return simplify(vjp(recurrence(), {{0, 1}, 1, false})); }
};
struct tangent {
    constexpr graph operator()() const { return simplify(jvp(recurrence(), {0, 1})); }
};

constexpr auto gradient_graph = freeze<gradient>();
constexpr auto tangent_graph = freeze<tangent>();
static_assert(violation(thaw(gradient_graph)) == nullptr);
static_assert(violation(thaw(tangent_graph)) == nullptr);

constexpr double weights[] = {0.3, -0.8, 0.6, 0.2};
constexpr double inputs[] = {0.5, -1.0, 0.25, 0.75, -0.5, 1.25};
constexpr double weights_direction[] = {1.0, -0.5, 0.25, 2.0};
constexpr double inputs_direction[] = {0.5, 1.0, -1.0, 0.75, 0.1, -0.3};

struct values {
    double loss = 0;
    double derivative = 0;
};

constexpr values reverse_values() {
    graph const g = thaw(gradient_graph);
    evaluator<double> e(g);
    e.run({weights, inputs});
    values v{e.result(0)[0], 0};
    for (int i = 0; i < 4; ++i) v.derivative += e.result(1)[i] * weights_direction[i];
    for (int i = 0; i < 6; ++i) v.derivative += e.result(2)[i] * inputs_direction[i];
    return v;
}
constexpr values forward_values() {
    graph const g = thaw(tangent_graph);
    evaluator<double> e(g);
    e.run({weights, inputs, weights_direction, inputs_direction});
    return {e.result(0)[0], e.result(1)[0]};
}
constexpr double loss_at(double step) {
    double moved_weights[4] = {};
    double moved_inputs[6] = {};
    for (int i = 0; i < 4; ++i) moved_weights[i] = weights[i] + step * weights_direction[i];
    for (int i = 0; i < 6; ++i) moved_inputs[i] = inputs[i] + step * inputs_direction[i];
    graph const g = recurrence();
    evaluator<double> e(g);
    e.run({moved_weights, moved_inputs});
    return e.result(0)[0];
}
constexpr double h = 1e-3;
constexpr double differences =
    (loss_at(-2 * h) - 8 * loss_at(-h) + 8 * loss_at(h) - loss_at(2 * h)) / (12 * h);
constexpr values reverse = reverse_values();
constexpr values forward = forward_values();

static_assert(reverse.loss == forward.loss);
static_assert(distance(reverse.derivative, forward.derivative) < 1e-14);
static_assert(distance(reverse.derivative, differences) < 1e-9);
static_assert(distance(reverse.derivative, 0) > 0.1);  // the direction is not one of no change

}  // namespace
