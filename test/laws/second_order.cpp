// SPDX-License-Identifier: BSL-1.0
// Derivatives of derivatives of each operation: forward over reverse against differences of the
// gradient, and the Hessian against its transpose.
#include "laws/operations.hpp"
#include "support/catch.hpp"

using namespace unspool_test;

namespace {

graph forward_mode(graph const& g, unspool::list<int> const& wrt) { return unspool::jvp(g, wrt); }

/// H = the derivative of x ↦ Jᵀ(x)w: Hv agrees with differences of Jᵀw along v, and ⟨Hv, u⟩ with
/// ⟨v, Hu⟩. `Forward` makes H.
std::string second_order_law(use const& u, std::uint64_t seed,
                             graph (*forward)(graph const&, unspool::list<int> const&)) {
    laid_out at(u);
    at.g.results.push_back(at.y);
    unspool::list<int> wrt;
    for (int k = u.indices != 0 ? 1 : 0; k < u.count(); ++k) wrt.push_back(k);
    if (wrt.empty()) return {};
    graph gradient = unspool::vjp(at.g, {wrt, 1, true});
    gradient.results.erase(0);
    graph const hessian = forward(gradient, wrt);
    if (char const* wrong = unspool::violation(hessian)) return wrong + in_words(u);

    dice random(seed);
    auto x = as_arguments<double>(elements_for(u, seed));
    x.values.push_back(random_vector(random, at.g.dims(at.y).size()));
    auto const direction = [&] {
        elements v;
        for (int k : wrt) v.push_back(random_vector(random, u.operands[k].size()));
        return v;
    };
    auto const times = [&](elements const& v) {  // Hv
        auto with_tangents = x;
        for (auto const& part : v) with_tangents.values.push_back(part);
        auto all = evaluated(hessian, with_tangents.pointers());
        all.erase(all.begin(), all.begin() + wrt.size());
        return all;
    };
    elements const v = direction();
    elements const w = direction();
    auto const hv = times(v);
    auto const hw = times(w);
    auto const moved = [&](double by) {
        auto there = x;
        for (int k = 0; k < wrt.size(); ++k)
            for (int i = 0; i < u.operands[wrt[k]].size(); ++i)
                there.values[static_cast<std::size_t>(wrt[k])][static_cast<std::size_t>(i)] +=
                    by * v[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
        return evaluated(gradient, there.pointers());
    };
    product_sum one;
    product_sum other;
    auto const differences = five_point_differences(moved, tolerance::gradient_difference_step);
    // Gradients have size 1 also where their derivative vanishes.
    for (std::size_t k = 0; k < v.size(); ++k) {
        if (std::string wrong = tangent_law(hv[k], differences[k], 1); !wrong.empty())
            return "second order: " + wrong + in_words(u);
        for (std::size_t i = 0; i < v[k].size(); ++i) {
            one.add(hv[k][i], w[k][i]);
            other.add(hw[k][i], v[k][i]);
        }
    }
    double const error = identity_error(one, other);
    if (!(error <= tolerance::adjoint_identity<double>))
        return "the Hessian is not symmetric" + in_words(u) + ", by " + shown(error);
    return {};
}

/// Each use, and for elementwise operations one with broadcasting.
template <class Op>
unspool::list<use> all_uses() {
    auto all = laws<Op>::uses();
    if constexpr (Op::kind == op::family::elementwise) all.push_back(laws<Op>::broadcasting());
    return all;
}

}  // namespace

TEST_CASE("forward over reverse of each operation is the derivative of its gradient") {
    for_each_operation(op::all{}, []<class Op>() {
        for (use const& u : all_uses<Op>()) {
            std::string wrong;
            for (std::uint64_t seed = 0; seed < 10 && wrong.empty(); ++seed)
                wrong = second_order_law(u, seed, forward_mode);
            INFO(Op::name << in_words(u));
            CHECK(wrong == "");
        }
    });
}

namespace {

/// Tangents of the last operand off by a millionth.
graph skewed_forward(graph const& g, unspool::list<int> const& wrt) {
    graph h = unspool::jvp(g, wrt);
    ref& last = h.results.back();
    last = h.apply<op::multiply>(h.constant(1 + 1e-6, h.dims(last)), last);
    return h;
}

}  // namespace

TEST_CASE("a second derivative that is wrong is caught") {
    for (use const& u : {laws<op::pow>::uses()[2], laws<op::exp>::uses()[2],
                         laws<op::scan>::uses()[0], laws<op::dot>::uses()[0]}) {
        CHECK(second_order_law(u, 1, forward_mode) == "");
        CHECK(second_order_law(u, 1, skewed_forward) != "");
    }
}
