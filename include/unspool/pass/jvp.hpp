// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/activity.hpp>
#include <unspool/pass/rules.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

/// Forward mode over one graph: values and tangents side by side.
class forward_sweep {
public:
    constexpr forward_sweep(graph const& source, graph& target, list<char> const& active_arguments)
        : source_(&source), target_(&target), active_(mark_active(source, active_arguments)) {
        value_.resize(source.size(), none);
        tangent_.resize(source.size(), none);
    }

    /// `values` and `tangents` are the target's; a tangent may be `none`.
    constexpr void run(list<ref> const& values, list<ref> const& tangents) {
        graph const& s = *source_;
        constexpr auto rules = op::table<tangent_rule>;
        list<list<ref>> loop_tangents(s.bodies.size(), {});
        for (int i = 0; i < values.size(); ++i) {
            value_[s.arguments[i]] = values[i];
            tangent_[s.arguments[i]] = tangents[i];
        }
        for (ref id = 0; id < s.size(); ++id) {
            if (s.is<op::argument>(id)) continue;
            if (s.is<op::scan>(id)) {
                loop(id, loop_tangents[s[id].body]);
                continue;
            }
            list<ref> const x = mapped_operands(s, id, value_);
            if (s.is<op::output>(id)) {
                int const body = s[s.operand(id, 0)].body;
                int const k = s.attr(id)[0];
                value_[id] = target_->output(x[0], loop_value(s.operand(id, 0), k));
                tangent_[id] = loop_tangents[body].empty() ? none : loop_tangents[body][k];
                continue;
            }
            value_[id] = target_->copy(s, id, x);
            if (!active_.node[id]) continue;
            list<ref> const v = mapped_operands(s, id, tangent_);
            tangent_[id] = rules[s[id].code](*target_, site_of(s, id, x, value_[id]), v.data());
        }
    }
    constexpr ref value(ref id) const { return value_[id]; }
    constexpr ref tangent(ref id) const { return tangent_[id]; }

private:
    graph const* source_;
    graph* target_;
    marks active_;
    list<ref> value_, tangent_;

    constexpr int active_carries(ref loop) const {
        op::scan_layout const l = source_->layout(loop);
        int n = 0;
        for (int k = 0; k < l.carries; ++k) n += active_.loop[(*source_)[loop].body][k];
        return n;
    }
    /// Where result k of a loop lies among the results of the loop with tangents.
    constexpr int loop_value(ref loop, int k) const {
        return k < source_->layout(loop).carries ? k : k + active_carries(loop);
    }
    constexpr void loop(ref id, list<ref>& tangents) {
        graph const& s = *source_;
        op::scan_layout const l = s.layout(id);
        graph const& body = s.body(id);
        list<char> const& results = active_.loop[s[id].body];
        bool any = false;
        for (char active : results) any = any || active;
        if (!any) {
            value_[id] = target_->copy(s, id, mapped_operands(s, id, value_));
            return;
        }
        // Operands in groups of constants, carries, inputs; in each, values first, then tangents.
        graph inner;
        op::scan_layout wide = l;
        wide.residuals = 0;
        list<ref> operands, values(l.operands(), none), inner_tangents(l.operands(), none);
        list<char> active;
        auto group = [&](int first, int count, int& total) {
            for (int k = first; k < first + count; ++k) {
                values[k] = inner.argument(body.dims(body.arguments[k]));
                operands.push_back(value_[s.operand(id, k)]);
            }
            for (int k = first; k < first + count; ++k) {
                bool const carried = k >= l.first_carry() && k < l.first_input();
                ref const outer = s.operand(id, k);
                bool const on = carried ? results[k - l.first_carry()] : tangent_[outer] != none;
                active.push_back(on);
                if (!on) continue;
                inner_tangents[k] = inner.argument(body.dims(body.arguments[k]));
                operands.push_back(tangent_[outer] != none ? tangent_[outer]
                                                           : target_->constant(0, s.dims(outer)));
                ++total;
            }
        };
        group(0, l.constants, wide.constants);
        group(l.first_carry(), l.carries, wide.carries);
        group(l.first_input(), l.inputs, wide.inputs);
        forward_sweep inside(body, inner, active);
        inside.run(values, inner_tangents);
        tangents.resize(l.results(), none);
        auto emit = [&](int first, int last) {
            for (int k = first; k < last; ++k)
                inner.results.push_back(inside.value(body.results[k]));
            for (int k = first; k < last; ++k) {
                if (!results[k]) continue;
                ref const t = inside.tangent(body.results[k]);
                tangents[k] = inner.results.size();
                inner.results.push_back(t == none ? inner.constant(0, body.dims(body.results[k]))
                                                  : t);
                if (k >= l.carries) ++wide.outputs;
            }
        };
        emit(0, l.carries);
        emit(l.carries, l.results());
        value_[id] = target_->scan(wide, operands, std::move(inner));
        for (ref& t : tangents)
            if (t != none) t = target_->output(value_[id], t);
    }
};

}  // namespace detail

/// Forward-mode differentiation. Arguments of the new graph: those of `g`, then a tangent for each
/// argument in `wrt`. Results: those of `g`, then the tangent of each.
constexpr graph jvp(graph const& g, list<int> const& wrt) {
    graph target;
    list<ref> values;
    list<ref> tangents(g.arguments.size(), none);
    list<char> active(g.arguments.size(), 0);
    for (ref id : g.arguments) values.push_back(target.argument(g.dims(id)));
    for (int i : wrt) {
        tangents[i] = target.argument(g.dims(g.arguments[i]));
        active[i] = 1;
    }
    detail::forward_sweep sweep(g, target, active);
    sweep.run(values, tangents);
    for (ref id : g.results) target.results.push_back(sweep.value(id));
    for (ref id : g.results) {
        ref const t = sweep.tangent(id);
        target.results.push_back(t == none ? target.constant(0, g.dims(id)) : t);
    }
    return target;
}

}  // namespace v0
}  // namespace unspool
