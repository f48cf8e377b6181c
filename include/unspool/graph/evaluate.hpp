// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

/// The plain meaning of a graph: each node in order, each by one flat loop, no optimisation. It runs
/// in constant evaluation, and at run time it is what passes and kernels are tested against.
namespace unspool {
inline namespace v0 {
namespace detail {

template <class T, class Op>
constexpr void evaluate_elementwise(op::evaluation<T> const& e) {
    int const n = e.dims.size();
    T* y = e.y;
    T const* a = e.x[0];
    if constexpr (Op::arity == 1) {
        for (int i = 0; i < n; ++i) y[i] = Op::value(a[i]);
    } else if constexpr (Op::arity == 2) {
        T const* b = e.x[1];
        for (int i = 0; i < n; ++i) y[i] = Op::value(a[i], b[i]);
    } else {
        T const* b = e.x[1];
        T const* c = e.x[2];
        for (int i = 0; i < n; ++i) y[i] = Op::value(a[i], b[i], c[i]);
    }
}

template <class T, class Op>
constexpr void evaluate_view(op::evaluation<T> const& e) {
    op::strides const x_step(e.x_dims[0]);
    op::axes const view = Op::view(e.x_dims[0], e.attr);
    int step[max_rank] = {};
    for (int i = 0; i < e.dims.rank; ++i) step[i] = view.step(i, x_step.step);
    int const inner = op::inner_step(e.dims, step);
    T const* x = e.x[0];
    T* y = e.y;
    op::walk(e.dims, step, view.offset(e.x_dims[0], x_step.step), [=](int to, int from, int n) {
        for (int i = 0; i < n; ++i, from += inner) y[to + i] = x[from];
    });
}

template <class T>
using evaluate_function = void (*)(op::evaluation<T> const&);

template <class T>
struct evaluation_table {
    template <class Op>
    struct make {
        static constexpr evaluate_function<T> pick() {
            if constexpr (Op::kind == op::family::elementwise) return &evaluate_elementwise<T, Op>;
            else if constexpr (requires { &Op::view; }) return &evaluate_view<T, Op>;
            else if constexpr (Op::kind == op::family::combine) return &op::evaluate_combine<Op, T>;
            else if constexpr (Op::kind == op::family::reduction)
                return &op::evaluate_reduction<Op, T>;
            else if constexpr (Op::kind == op::family::product) return &op::evaluate_dot<T>;
            else return nullptr;
        }
        static constexpr evaluate_function<T> value = pick();
    };
};

}  // namespace detail

/// Evaluates a graph for given arguments. The values of all nodes live as long as the evaluator.
template <class T>
class evaluator {
public:
    /// `g` must outlive the evaluator.
    constexpr explicit evaluator(graph const& g) : graph_(&g) {
        int total = 0;
        for (ref id = 0; id < g.size(); ++id) {
            offset_.push_back(total);
            if (owns_elements(id)) total += g.dims(id).size();
        }
        arena_.resize(total);
        at_.resize(g.size(), nullptr);
        for (ref id = 0; id < g.size(); ++id) {
            if (!owns_elements(id)) continue;
            T* y = arena_.data() + offset_[id];
            at_[id] = y;
            int const n = g.dims(id).size();
            if (g.is<op::constant>(id)) {
                for (int i = 0; i < n; ++i) y[i] = static_cast<T>(g[id].value);
            } else if (g.is<op::literal>(id)) {
                double const* source = g.data.data() + g.attr(id)[0];
                for (int i = 0; i < n; ++i) y[i] = static_cast<T>(source[i]);
            }
        }
    }

    /// One element pointer per argument of the graph, row-major.
    constexpr void run(list<T const*> const& arguments) {
        graph const& g = *graph_;
        for (int i = 0; i < g.arguments.size(); ++i) at_[g.arguments[i]] = arguments[i];
        for (ref id = 0; id < g.size(); ++id) {
            if (g.kind(id) == op::family::source) continue;
            if (g.is<op::reshape>(id)) at_[id] = at_[g.operand(id, 0)];
            else if (g.is<op::scan>(id)) run_scan(id);
            else if (!g.is<op::output>(id)) run_node(id);
        }
    }
    constexpr T const* value(ref id) const { return at_[id]; }
    constexpr T const* result(int k) const { return at_[graph_->results[k]]; }

private:
    graph const* graph_;
    list<int> offset_;
    list<T> arena_;
    list<T const*> at_;

    constexpr bool owns_elements(ref id) const {
        return !(graph_->is<op::argument>(id) || graph_->is<op::reshape>(id) ||
                 graph_->is<op::scan>(id));
    }
    constexpr void run_node(ref id) {
        graph const& g = *graph_;
        node const& n = g[id];
        op::evaluation<T> e;
        T const* x[3] = {};
        shape x_dims[3];
        list<T const*> many;
        list<shape> many_dims;
        e.x = x;
        e.x_dims = x_dims;
        if (n.count > 3) {
            many.resize(n.count, nullptr);
            many_dims.resize(n.count, {});
            e.x = many.data();
            e.x_dims = many_dims.data();
        }
        for (int k = 0; k < n.count; ++k) {
            ref const source = g.operand(id, k);
            (n.count > 3 ? many[k] : x[k]) = at_[source];
            (n.count > 3 ? many_dims[k] : x_dims[k]) = g.dims(source);
        }
        e.dims = n.dims;
        e.attr = g.attr(id);
        e.attrs = n.attrs;
        e.count = n.count;
        e.y = arena_.data() + offset_[id];
        functions[n.code](e);
    }
    constexpr void run_scan(ref id) {
        graph const& g = *graph_;
        op::scan_layout const l = g.layout(id);
        graph const& body = g.body(id);
        evaluator inside(body);
        list<T const*> x(l.operands(), nullptr);
        list<list<T>> carry(l.carries, {});
        for (int k = 0; k < l.operands(); ++k) x[k] = at_[g.operand(id, k)];
        for (int k = 0; k < l.carries; ++k) {
            int const at = l.first_carry() + k;
            carry[k] = list<T>(x[at], body.dims(body.arguments[at]).size());
        }
        list<T*> out(l.results(), nullptr);
        for (ref reader = id + 1; reader < g.size(); ++reader)
            if (g.is<op::output>(reader) && g.operand(reader, 0) == id)
                out[g.attr(reader)[0]] = arena_.data() + offset_[reader];
        for (int i = 0; i < l.steps; ++i) {
            int const t = l.reverse ? l.steps - 1 - i : i;
            list<T const*> step_x = x;
            for (int k = 0; k < l.carries; ++k) step_x[l.first_carry() + k] = carry[k].data();
            for (int k = 0; k < l.inputs; ++k) {
                int const at = l.first_input() + k;
                step_x[at] = x[at] + t * body.dims(body.arguments[at]).size();
            }
            inside.run(step_x);
            for (int k = l.carries; k < l.results(); ++k)
                if (out[k] != nullptr) copy(inside.result(k), body.dims(body.results[k]), out[k], t);
            // A carry may be the value of another one before this step: take all before storing.
            list<list<T>> next;
            for (int k = 0; k < l.carries; ++k)
                next.push_back(list<T>(inside.result(k), carry[k].size()));
            carry = std::move(next);
        }
        for (int k = 0; k < l.carries; ++k)
            if (out[k] != nullptr) copy(carry[k].data(), body.dims(body.results[k]), out[k], 0);
    }
    static constexpr void copy(T const* from, shape const& dims, T* to, int step) {
        int const n = dims.size();
        to += step * n;
        for (int i = 0; i < n; ++i) to[i] = from[i];
    }
    static constexpr auto functions = op::table<detail::evaluation_table<T>::template make>;
};

}  // namespace v0
}  // namespace unspool
