// SPDX-License-Identifier: BSL-1.0
// Operations on shapes drawn by chance, with broadcasting: the value, the adjoint identity through
// the passes, and the plan of value and gradient. A failure is shrunk to the smallest shapes.
// RC_PARAMS="seed=… max_success=…" asks for others.
#include "laws/operations.hpp"
#include "support/catch.hpp"
#include "support/plan_trial.hpp"

#include <unspool/pass/fuse.hpp>
#include <unspool/pass/hoist.hpp>
#include <unspool/pass/simplify.hpp>

#if __has_include(<rapidcheck.h>)
#include <rapidcheck.h>

#include <sstream>

using namespace unspool_test;

namespace {

/// The graph of a use with its gradient as a program prepares it.
graph optimised_gradient(use const& u) {
    laid_out at(u);
    at.g.results.push_back(at.y);
    unspool::list<int> wrt;
    for (int k = u.indices != 0 ? 1 : 0; k < u.count(); ++k) wrt.push_back(k);
    graph const gradient = unspool::simplify(unspool::vjp(at.g, {wrt, 1, true}));
    return unspool::fuse(unspool::simplify(unspool::hoist(gradient, {}, sizeof(double))));
}

std::string shape_law(use const& u, std::uint64_t seed) {
    if (std::string wrong = value_law<double>(u, seed); !wrong.empty()) return wrong;
    if (std::string wrong = value_law<float>(u, seed); !wrong.empty()) return wrong;
    if (std::string wrong = pass_law(u, seed, false); !wrong.empty()) return wrong;
    dice random(seed);
    auto x = as_arguments<double>(elements_for(u, seed));
    graph const g = optimised_gradient(u);
    x.values.push_back(random_vector(random, g.dims(g.arguments[u.count()]).size()));
    return plan_trial(g, x);
}

/// Empty, or the smallest case found for which `draw()`, a use made of numbers drawn by chance, has
/// not the law.
template <class Draw>
std::string counterexample(Draw draw) {
    setenv("RC_PARAMS", "seed=1 max_success=400", 0);  // the same cases in each run
    auto const result = rc::detail::checkTestable(
        [&] {
            use const u = draw();
            std::string const wrong = shape_law(u, *rc::gen::inRange<std::uint64_t>(0, 1000));
            if (!wrong.empty()) RC_FAIL(wrong);
        },
        rc::detail::TestMetadata(), rc::detail::configuration().testParams);
    if (result.template is<rc::detail::SuccessResult>()) return {};
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    return text.str();
}

int drawn(int low, int high) { return *rc::gen::inRange(low, high + 1); }
bool coin() { return *rc::gen::arbitrary<bool>(); }
/// The last axis first, so that shrinking the rank leaves it.
shape drawn_shape(int least_rank, int largest_rank) {
    shape s;
    s.rank = drawn(least_rank, largest_rank);
    for (int axis = s.rank - 1; axis >= 0; --axis) s.extent[axis] = drawn(1, 6);
    return s;
}

/// Operands that broadcast together, and what they give.
template <class Op>
use drawn_elementwise() {
    shape const y = drawn_shape(0, 4);
    unspool::list<shape> operands;
    for (int k = 0; k < Op::arity; ++k) {
        int const dropped = drawn(0, y.rank);
        shape x;
        for (int axis = dropped; axis < y.rank; ++axis)
            x.extent[x.rank++] = coin() ? 1 : y.extent[axis];
        operands.push_back(coin() ? y : x);
    }
    return laws<Op>::on(operands, y);
}
template <class Op>
use drawn_reduction() {
    shape const x = drawn_shape(1, 3);
    ints axes;
    for (int axis = 0; axis < x.rank; ++axis)
        if (coin()) axes.push_back(axis);
    if (axes.empty()) axes.push_back(0);
    return laws<Op>::on(x, axes);
}
use drawn_product() {
    ints batch;
    for (int i = drawn(0, 2); i > 0; --i) batch.push_back(drawn(1, 3));
    return product_use(batch, drawn(1, 9), drawn(1, 9), drawn(1, 9), coin(), coin(), coin());
}

/// Where a window of the shape `inner` may lie in `outer`, or the reverse for a pad.
ints drawn_start(shape const& outer, shape const& inner) {
    ints start;
    for (int i = 0; i < outer.rank; ++i)
        start.push_back(drawn(0, outer.extent[i] - inner.extent[i]));
    return start;
}
shape drawn_window(shape const& outer) {
    shape inner = outer;
    for (int i = 0; i < outer.rank; ++i) inner.extent[i] = drawn(1, outer.extent[i]);
    return inner;
}
template <class Op>
use drawn_structure() {
    shape const s = drawn_shape(1, 4);
    if constexpr (std::is_same_v<Op, op::broadcast>) {
        shape x;
        ints to;
        for (int axis = 0; axis < s.rank; ++axis) {
            if (coin()) continue;
            x.extent[x.rank++] = s.extent[axis];
            to.push_back(axis);
        }
        return broadcast_use(x, to, s);
    } else if constexpr (std::is_same_v<Op, op::transpose>) {
        ints order;
        for (int axis = 0; axis < s.rank; ++axis) order.insert(drawn(0, axis), axis);
        return laws<Op>::turned(s, order);
    } else if constexpr (std::is_same_v<Op, op::reverse>) {
        ints flags;
        for (int axis = 0; axis < s.rank; ++axis) flags.push_back(coin());
        return laws<Op>::turned_back(s, flags);
    } else if constexpr (std::is_same_v<Op, op::slice>) {
        shape const y = drawn_window(s);
        return laws<Op>::cut(s, drawn_start(s, y), y);
    } else if constexpr (std::is_same_v<Op, op::pad>) {
        shape const x = drawn_window(s);
        return laws<Op>::placed(x, drawn_start(s, x), s);
    } else if constexpr (std::is_same_v<Op, op::concatenate>) {
        int const axis = drawn(0, s.rank - 1);
        unspool::list<shape> parts;
        for (int i = drawn(1, 4); i > 0; --i) {
            parts.push_back(s);
            parts.back().extent[axis] = drawn(1, 4);
        }
        return laws<Op>::joined(parts, axis);
    } else if constexpr (std::is_same_v<Op, op::gather>) {
        return laws<Op>::taken(drawn_shape(0, 2), s);
    } else if constexpr (std::is_same_v<Op, op::scatter_add>) {
        shape index = s;
        index.rank = drawn(0, std::min(s.rank, 3));
        return laws<Op>::added(index, s, drawn(1, 5));
    }
}

}  // namespace

TEST_CASE("elementwise operations on any shapes that broadcast") {
    for_each_operation(op::all{}, []<class Op>() {
        if constexpr (Op::kind == op::family::elementwise) {
            INFO(Op::name);
            CHECK(counterexample(drawn_elementwise<Op>) == "");
        }
    });
}

TEST_CASE("reductions, products, views and rows by index on any shapes") {
    CHECK(counterexample(drawn_reduction<op::sum>) == "");
    CHECK(counterexample(drawn_reduction<op::reduce_max>) == "");
    CHECK(counterexample(drawn_product) == "");
    CHECK(counterexample(drawn_structure<op::broadcast>) == "");
    CHECK(counterexample(drawn_structure<op::transpose>) == "");
    CHECK(counterexample(drawn_structure<op::reverse>) == "");
    CHECK(counterexample(drawn_structure<op::slice>) == "");
    CHECK(counterexample(drawn_structure<op::pad>) == "");
    CHECK(counterexample(drawn_structure<op::concatenate>) == "");
    CHECK(counterexample(drawn_structure<op::gather>) == "");
    CHECK(counterexample(drawn_structure<op::scatter_add>) == "");
}

TEST_CASE("a rule that is wrong on some shapes is found and shrunk") {
    // Off by one where the last axis has more than three elements.
    auto const wrong = [] {
        shape const s = drawn_shape(1, 4);
        use u = laws<op::negate>::on({s}, s);
        u.formula = [s](elements const& x) {
            std::vector<double> y;
            for (double v : x[0]) y.push_back(-v);
            if (s.extent[s.rank - 1] > 3) y.back() += 1;
            return y;
        };
        return u;
    };
    CHECK_THAT(counterexample(wrong), ContainsSubstring("of [4] is"));
}

#else

TEST_CASE("operations on shapes drawn by chance") { UNSPOOL_SKIP("rapidcheck is not installed"); }

#endif
