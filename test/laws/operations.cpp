// SPDX-License-Identifier: BSL-1.0
// Each operation's rules against its laws, and the laws against wrong rules.
#include "laws/operations.hpp"
#include "support/catch.hpp"

using namespace unspool_test;

namespace {

constexpr std::uint64_t seeds = 100;

/// Whether the operation has rules of its own; loops are differentiated by the passes.
template <class Op>
constexpr bool has_rules = Op::kind != op::family::source&& Op::kind != op::family::loop;

template <class Op, class Law>
void hold(Law law, std::uint64_t count = seeds) {
    for (use const& u : laws<Op>::uses()) {
        std::string wrong;
        for (std::uint64_t seed = 0; seed < count && wrong.empty(); ++seed) wrong = law(u, seed);
        INFO(Op::name << in_words(u) << ": " << wrong);
        CHECK(wrong.empty());
    }
}

}  // namespace

TEST_CASE("the value of each operation is its formula's") {
    for_each_operation(op::all{}, []<class Op>() {
        hold<Op>([](use const& u, std::uint64_t seed) { return value_law<double>(u, seed); });
        hold<Op>([](use const& u, std::uint64_t seed) { return value_law<float>(u, seed); });
    });
}

TEST_CASE("each jvp rule agrees with differences") {
    for_each_operation(op::all{}, []<class Op>() {
        if constexpr (has_rules<Op>)
            hold<Op>([](use const& u, std::uint64_t seed) { return jvp_law<Op>(u, seed); });
    });
}

TEST_CASE("each vjp rule is the transpose of the jvp rule") {
    for_each_operation(op::all{}, []<class Op>() {
        if constexpr (has_rules<Op>) {
            hold<Op>([](use const& u, std::uint64_t seed) { return vjp_law<double, Op>(u, seed); });
            hold<Op>([](use const& u, std::uint64_t seed) { return vjp_law<float, Op>(u, seed); });
        }
    });
}

TEST_CASE("each batch rule is the operation on each slice") {
    for_each_operation(op::all{}, []<class Op>() {
        if constexpr (has_rules<Op>)
            hold<Op>([](use const& u, std::uint64_t seed) { return batch_law<Op>(u, seed); }, 10);
    });
}

TEST_CASE("each operation keeps its laws through the passes") {
    for_each_operation(op::all{}, []<class Op>() {
        constexpr bool plain = !op::never_differentiable<Op>;
        hold<Op>([](use const& u, std::uint64_t seed) { return pass_law(u, seed, plain); }, 10);
    });
}

// ---- wrong rules

namespace {

/// A copy of an operation whose derivative and batch rules are off by a factor of 1 + 1e-6.
template <class Op>
struct skewed : Op {
    static constexpr double factor = 1 + 1e-6;

    static ref off(graph& g, ref x) {
        if (x == unspool::none) return x;
        return g.apply<op::multiply>(g.constant(factor, g.dims(x)), x);
    }
    template <int K, class S, class... X>
    static constexpr S derivative(S v, X... x) {
        if constexpr (std::is_same_v<Op, op::select> && K == 0) return v;  // never asked for
        else return factor * Op::template derivative<K>(v, x...);
    }
    template <class... Rest>
    static ref vjp(graph& g, op::site const& s, Rest... rest) requires requires {
        Op::vjp(g, s, rest...);
    }
    { return off(g, Op::vjp(g, s, rest...)); }
    template <class V>
    static ref jvp(graph& g, op::site const& s, V v) requires requires {
        Op::jvp(g, s, v);
    }
    { return off(g, Op::jvp(g, s, v)); }
    template <class... Rest>
    static ref batch(graph& g, op::site const& s, Rest... rest) requires requires {
        Op::batch(g, s, rest...);
    }
    { return off(g, Op::batch(g, s, rest...)); }
};

/// The product's rule with the factors exchanged: right for numbers and for matrices that commute.
struct exchanged_dot : op::dot {
    template <class B>
    static constexpr ref vjp(B& b, op::site const& s, int k, ref ct) {
        if (k == 2) return ct;
        return k == 0 ? b.dot(s.x[1], ct, true, false) : b.dot(ct, s.x[0], false, true);
    }
};

/// The derivative of the logistic function in place of tanh's.
struct confused_tanh : op::tanh {
    template <int, class S>
    static constexpr S derivative(S v, S, S y) {
        return v * (y * (1.0 - y));
    }
};

/// The sign of the second operand forgotten.
struct confused_subtract : op::subtract {
    template <int, class S>
    static constexpr S derivative(S v, S, S, S) {
        return v;
    }
};

template <class Law>
bool caught(use const& u, Law law) {
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        if (!law(u, seed).empty()) return true;
    return false;
}

}  // namespace

TEST_CASE(
    "a derivative or batch rule that is off by a millionth is caught, whatever the operation") {
    for_each_operation(op::all{}, []<class Op>() {
        if constexpr (has_rules<Op>) {
            INFO(Op::name);
            auto const uses = laws<Op>::uses();
            use const u = uses[uses.size() / 2];
            constexpr bool differentiable = !op::never_differentiable<Op>;
            if constexpr (differentiable) {
                CHECK(caught(u, [](use const& at, std::uint64_t seed) {
                    return jvp_law<Op, skewed<Op>>(at, seed);
                }));
                CHECK(caught(u, [](use const& at, std::uint64_t seed) {
                    return vjp_law<double, Op, skewed<Op>>(at, seed);
                }));
            }
            if constexpr (Op::kind != op::family::elementwise) {
                CHECK(caught(u, [](use const& at, std::uint64_t seed) {
                    return batch_law<Op, skewed<Op>>(at, seed);
                }));
            }
        }
    });
}

TEST_CASE("wrong rules of the usual kinds are caught") {
    use const square = product_use({}, 3, 3, 3, false, false, false);
    CHECK(caught(square, [](use const& u, std::uint64_t seed) {
        return vjp_law<double, op::dot, exchanged_dot>(u, seed);
    }));
    CHECK(caught(laws<op::tanh>::uses()[2], [](use const& u, std::uint64_t seed) {
        return jvp_law<op::tanh, confused_tanh>(u, seed);
    }));
    CHECK(caught(laws<op::subtract>::uses()[2], [](use const& u, std::uint64_t seed) {
        return jvp_law<op::subtract, confused_subtract>(u, seed);
    }));
}
