// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "laws/operations.hpp"
#include "laws/special.hpp"
#include "support/catch.hpp"

#include <unspool/run/compile.hpp>
#include <unspool/run/executor.hpp>
#include <unspool/run/workspace.hpp>

/// The laws of values by compiled plans, for each instruction set that the build has. Plans are
/// constants: the uses of an operation stand side by side in one graph, which is planned once with
/// and once without its gradient.
namespace unspool_test {

/// Few enough to compile: of an operation with many uses, each form and each shape, not each with
/// each.
template <class Op>
constexpr unspool::list<use> executed_uses() {
    if constexpr (Op::kind == op::family::elementwise) {
        unspool::list<use> const all = laws<Op>::uses();
        return {all[2], laws<Op>::broadcasting()};
    } else {
        unspool::list<use> some;
        int k = 0;
        unspool::list<use> const all = laws<Op>::uses();
        int const stride = all.size() / 7 + 1;
        for (use const& u : all)
            if (k++ % stride == 0) some.push_back(u);
        return some;
    }
}

/// Arguments: those of all uses, and with the gradient a cotangent of each result. Results: those
/// of all uses, and with the gradient a cotangent of each operand but indices.
template <class Op, bool Gradient>
struct side_by_side {
    constexpr graph operator()() const {
        graph g;
        unspool::list<int> wrt;
        for (use const& u : executed_uses<Op>()) {
            unspool::list<ref> x;
            for (int k = 0; k < u.count(); ++k) {
                if (k > 0 || u.indices == 0) wrt.push_back(g.arguments.size());
                x.push_back(g.argument(u.operands[k]));
            }
            g.results.push_back(u.build(g, x.data()));
        }
        if (!Gradient) return g;
        return unspool::vjp(g, {wrt, g.results.size(), true});
    }
};

template <class Make>
struct frozen {
    static constexpr auto value = unspool::freeze<Make>();
};

/// Runs the plan of a graph: the arrays are those of its arguments and results.
template <class T, class Arch, class Make>
void run_plan(std::vector<T*> const& arrays) {
    namespace run = unspool::run;
    using plan = run::planned_graph<Arch, sizeof(T), frozen<Make>>;
    run::storage<T, plan::value.workspace> workspace;
    run::frame<T, run::array_count<plan>> f;
    T** const rest = std::copy(arrays.begin(), arrays.end(), f.array);
    rest[0] = const_cast<T*>(run::literals<plan, T>.data());
    rest[1] = workspace.data();
    run::execute<plan, 0, plan::value.size.code, Arch, T>(f);
}

/// A graph of uses side by side and its plan.
template <class T>
struct compiled {
    graph g;
    void (*run)(std::vector<T*> const&);

    template <class Arch, class Make>
    static compiled make() {
        return {unspool::thaw(frozen<Make>::value), &run_plan<T, Arch, Make>};
    }
    /// From and into arrays that end where their elements do.
    std::vector<std::vector<T>> operator()(std::vector<std::vector<T>> x) const {
        std::vector<std::vector<T>> results;
        for (ref id : g.results)
            results.emplace_back(g.dims(id).size(), std::numeric_limits<T>::quiet_NaN());
        std::vector<T*> arrays;
        for (auto& v : x) arrays.push_back(v.data());
        for (auto& v : results) arrays.push_back(v.data());
        run(arrays);
        return results;
    }
};

/// The value of each use against its formula, and the cotangents of its operands, if the graph has
/// them, against the evaluator's. `given`: the operands' elements. `sums`: also the cotangents of
/// operands that were broadcast, which are sums: of huge terms, the order decides what overflows.
template <class T>
std::string executor_law(compiled<T> const& plan, unspool::list<use> const& uses,
                         std::vector<elements> const& given, std::uint64_t seed, bool sums = true) {
    argument_values<T> x;
    for (elements const& e : given)
        for (auto& v : as_arguments<T>(e).values) x.values.push_back(std::move(v));
    dice random(seed);
    for (int k = static_cast<int>(x.values.size()); k < plan.g.arguments.size(); ++k) {
        auto const v = random_vector(random, plan.g.dims(plan.g.arguments[k]).size());
        x.values.emplace_back(v.begin(), v.end());
    }
    auto const got = plan(x.values);
    std::size_t k = 0;
    for (use const& u : uses) {
        std::string const wrong = formula_law(u, as_arguments<T>(given[k]).values, got[k]);
        if (!wrong.empty()) return wrong;
        ++k;
    }
    auto const expected = evaluated<T>(plan.g, x.pointers());
    std::size_t const compared = sums ? got.size() : std::min(got.size(), k + given[0].size());
    for (; k < compared; ++k) {
        double const error =
            array_error(got[k].data(), expected[k].data(), static_cast<int>(got[k].size()), 1);
        if (!(error <= tolerance::derivative_ulp * std::numeric_limits<T>::epsilon()))
            return "a cotangent is off by " + shown(error);
    }
    return {};
}

/// With elements drawn by chance and, if `special`, with every combination of special numbers.
template <class T>
void check_executor(compiled<T> const& plan, unspool::list<use> const& uses, bool special) {
    auto const holds = [&](auto draw, int times, bool sums) {
        std::string wrong;
        for (int i = 0; i < times && wrong.empty(); ++i) {
            std::vector<elements> given;
            for (use const& u : uses) given.push_back(draw(u, i));
            wrong = executor_law(plan, uses, given, static_cast<std::uint64_t>(i), sums);
        }
        CHECK(wrong == "");
    };
    holds([](use const& u, int i) { return elements_for(u, static_cast<std::uint64_t>(i)); }, 5,
          true);
    if (special) holds(special_elements<T>, special_rounds<T>(uses[0]), false);
}

template <class T, class Arch, class Op>
void check_executor() {
    INFO(Op::name << " by " << Arch::name << ", " << sizeof(T) << " bytes");
    constexpr bool special = Op::kind == op::family::elementwise;
    constexpr bool gradient = !op::never_differentiable<Op> && Op::kind != op::family::source;
    auto const uses = executed_uses<Op>();
    check_executor(compiled<T>::template make<Arch, side_by_side<Op, false>>(), uses, special);
    if constexpr (gradient)
        check_executor(compiled<T>::template make<Arch, side_by_side<Op, true>>(), uses, special);
}

/// On every instruction set for the operations that `Chosen` says.
template <class Arch, template <class> class Chosen>
void check_executors() {
    if constexpr (Arch::available) {
        for_each_operation(op::all{}, []<class Op>() {
            if constexpr (Chosen<Op>::value) {
                check_executor<float, Arch, Op>();
                check_executor<double, Arch, Op>();
            }
        });
    } else {
        UNSPOOL_SKIP(std::string("this build has no ") + Arch::name);
    }
}

}  // namespace unspool_test
