// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

/// The plain meaning of a graph: each node in order, each by one flat loop, no optimisation. It
/// runs in constant evaluation, and at run time it is what passes and kernels are tested against.
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
            else if constexpr (std::is_same_v<Op, op::gather>) return &op::evaluate_gather<T>;
            else if constexpr (std::is_same_v<Op, op::scatter_add>)
                return &op::evaluate_scatter_add<T>;
            else return nullptr;
        }
        static constexpr evaluate_function<T> value = pick();
    };
};

}  // namespace detail

/// Watches nothing. Another watch has `saw(g, id, values of all nodes)` called behind each node
/// and `enter(t)` and `leave()` around each step of a loop.
struct unwatched {};

/// Evaluates a graph for given arguments. The values of all nodes live as long as the evaluator.
template <class T, class Watch = unwatched>
class evaluator {
public:
    /// `g` and the watch must outlive the evaluator.
    constexpr explicit evaluator(graph const& g, Watch* watch = nullptr)
        : graph_(&g), watch_(watch) {
        int total = 0;
        int operands = 0;
        for (ref id = 0; id < g.size(); ++id) {
            offset_.push_back(total);
            if (owns_elements(id)) total += g.dims(id).size();
            operands += g[id].count;
        }
        arena_.resize(total);
        at_.resize(g.size(), nullptr);
        x_.resize(operands, nullptr);
        x_dims_.resize(operands);
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
        prepare();
    }

    /// One element pointer per argument of the graph, row-major.
    constexpr void run(list<T const*> const& arguments) {
        graph const& g = *graph_;
        for (int i = 0; i < g.arguments.size(); ++i) at_[g.arguments[i]] = arguments[i];
        for (call const& c : calls_) {
            if (c.first < 0) {
                if (g.is<op::scan>(c.id)) run_scan(c.id);
                else at_[c.id] = at_[g.operand(c.id, 0)];  // a reshape: the same elements
                continue;
            }
            ref const* operands = g.operands(c.id);
            for (int k = 0; k < c.what.count; ++k) x_[c.first + k] = at_[operands[k]];
            c.function(c.what);
            if constexpr (!std::is_same_v<Watch, unwatched>) watch_->saw(g, c.id, at_);
        }
    }
    constexpr T const* value(ref id) const { return at_[id]; }
    constexpr T const* result(int k) const { return at_[graph_->results[k]]; }

private:
    /// A node with all that does not change from run to run, since a loop's body runs many times.
    struct call {
        ref id = none;
        /// Where its operands stand in x_; negative for what has no function. Told by this and not
        /// by the pointer: with -fsanitize=undefined, g++ 12 does not compare functions in
        /// constants.
        int first = -1;
        detail::evaluate_function<T> function = nullptr;
        op::evaluation<T> what;
    };

    graph const* graph_;
    Watch* watch_;
    list<int> offset_;
    list<T> arena_;
    list<T const*> at_;
    list<call> calls_;
    list<T const*> x_;
    list<shape> x_dims_;

    constexpr bool owns_elements(ref id) const {
        return !(graph_->is<op::argument>(id) || graph_->is<op::reshape>(id) ||
                 graph_->is<op::scan>(id));
    }
    constexpr void prepare() {
        graph const& g = *graph_;
        int first = 0;
        for (ref id = 0; id < g.size(); ++id) {
            node const& n = g[id];
            if (g.kind(id) == op::family::source || g.is<op::output>(id)) continue;
            call c;
            c.id = id;
            if (!g.is<op::reshape>(id) && !g.is<op::scan>(id)) {
                c.first = first;
                c.function = functions[n.code];
                c.what = {n.dims,
                          g.attr(id),
                          n.attrs,
                          x_.data() + first,
                          x_dims_.data() + first,
                          n.count,
                          arena_.data() + offset_[id]};
                for (int k = 0; k < n.count; ++k) x_dims_[first + k] = g.dims(g.operand(id, k));
                first += n.count;
            }
            calls_.push_back(c);
        }
    }
    constexpr void run_scan(ref id) {
        graph const& g = *graph_;
        op::scan_layout const l = g.layout(id);
        graph const& body = g.body(id);
        evaluator inside(body, watch_);
        list<T const*> x;
        list<int> carry_offset, size;
        int carried = 0;
        for (int k = 0; k < l.operands(); ++k) {
            x.push_back(at_[g.operand(id, k)]);
            size.push_back(body.dims(body.arguments[k]).size());
            if (k < l.first_carry() || k >= l.first_input()) continue;
            carry_offset.push_back(carried);
            carried += size[k];
        }
        list<T> carries(carried, T(0));
        for (int k = 0; k < l.carries; ++k) {
            int const at = l.first_carry() + k;
            copy(x[at], size[at], carries.data() + carry_offset[k]);
            x[at] = carries.data() + carry_offset[k];
        }
        list<T*> out(l.results(), nullptr);
        for (ref reader = id + 1; reader < g.size(); ++reader)
            if (g.is<op::output>(reader) && g.operand(reader, 0) == id)
                out[g.attr(reader)[0]] = arena_.data() + offset_[reader];
        list<T const*> const first = x;
        list<T> next(carried, T(0));
        for (int i = 0; i < l.steps; ++i) {
            int const t = l.reverse ? l.steps - 1 - i : i;
            for (int k = l.first_input(); k < l.operands(); ++k) x[k] = first[k] + t * size[k];
            if constexpr (!std::is_same_v<Watch, unwatched>) watch_->enter(t);
            inside.run(x);
            if constexpr (!std::is_same_v<Watch, unwatched>) watch_->leave();
            for (int k = l.carries; k < l.results(); ++k) {
                if (out[k] == nullptr) continue;
                int const n = body.dims(body.results[k]).size();
                copy(inside.result(k), n, out[k] + t * n);
            }
            // A carry may be the value of another one before this step: take all before storing.
            for (int k = 0; k < l.carries; ++k)
                copy(inside.result(k), size[l.first_carry() + k], next.data() + carry_offset[k]);
            copy(next.data(), carried, carries.data());
        }
        for (int k = 0; k < l.carries; ++k)
            if (out[k] != nullptr)
                copy(carries.data() + carry_offset[k], size[l.first_carry() + k], out[k]);
    }
    static constexpr void copy(T const* from, int n, T* to) {
        for (int i = 0; i < n; ++i) to[i] = from[i];
    }
    static constexpr auto functions = op::table<detail::evaluation_table<T>::template make>;
};

}  // namespace v0
}  // namespace unspool
