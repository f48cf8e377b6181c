// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/activity.hpp>
#include <unspool/pass/rules.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

/// Rebuilds what `results` need of `source` in `target`, through the builder that folds and shares,
/// and shrinks each loop on the way: results nobody reads, operands nobody uses, operands that are
/// the same at every step.
class rebuilder {
public:
    constexpr rebuilder(graph const& source, graph& target, list<ref> map)
        : source_(&source), target_(&target), map_(std::move(map)),
          loops_(source.bodies.size(), {}) {}

    constexpr void run(marks const& needed) {
        graph const& s = *source_;
        for (ref id = 0; id < s.size(); ++id) {
            if (map_[id] != none) continue;
            if (s.is<op::scan>(id)) {
                list<char> const& wanted = needed.loop[s[id].body];
                bool any = false;
                for (char flag : wanted) any = any || flag;
                if (any) loops_[s[id].body] = loop(id, wanted);
            } else if (needed.node[id]) {
                if (s.is<op::output>(id))
                    map_[id] = loops_[s[s.operand(id, 0)].body][s.attr(id)[0]];
                else map_[id] = target_->copy(s, id, mapped_operands(s, id, map_));
            }
        }
    }
    constexpr ref value(ref id) const { return map_[id]; }

private:
    graph const* source_;
    graph* target_;
    list<ref> map_;
    list<list<ref>> loops_;  ///< for each loop, what stands for each of its results

    /// An operand of the new loop, and the argument of the body that it feeds. Equal ones are
    /// shared.
    struct operand_group {
        list<ref> outer, inner;
        constexpr ref add(graph& body, ref value, shape const& dims) {
            int const known = outer.find(value);
            if (known >= 0) return inner[known];
            outer.push_back(value);
            inner.push_back(body.argument(dims));
            return inner.back();
        }
    };

    /// The value whose copies along the first axis `id` is made of, or `none`.
    constexpr ref same_at_every_step(ref id) {
        graph& t = *target_;
        shape const dims = t.dims(id);
        if (t.is<op::constant>(id)) return t.constant(t[id].value, dims.without_front());
        if (!t.is<op::broadcast>(id)) return none;
        ref const from = t.operand(id, 0);
        list<int> to;
        for (int i = 0; i < t.dims(from).rank; ++i) {
            int const axis = t.attr(id)[i];
            if (axis == 0) return none;
            to.push_back(axis - 1);
        }
        return t.broadcast(from, to, dims.without_front());
    }

    constexpr list<ref> loop(ref id, list<char> const& wanted) {
        graph const& s = *source_;
        graph const& body = s.body(id);
        op::scan_layout const l = s.layout(id);
        marked_loop const live = mark_back_through(body, l, wanted, through::everything);
        marks const needed = mark_back(body, live.results, through::everything);

        graph inner;
        operand_group constants, inputs;
        list<ref> carry_arguments, carry_starts;
        list<int> carries;
        list<ref> map(body.size(), none);
        auto constant = [&](ref argument, ref value) {
            map[argument] = target_->is<op::constant>(value)
                                ? inner.constant((*target_)[value].value, target_->dims(value))
                                : constants.add(inner, value, body.dims(argument));
        };
        for (int k = 0; k < l.operands(); ++k) {
            ref const argument = body.arguments[k];
            ref const outer = map_[s.operand(id, k)];
            int const carry = k - l.first_carry();
            bool const carried = k >= l.first_carry() && k < l.first_input();
            if (carried && live.results[carry] && body.results[carry] != argument) {
                map[argument] = inner.argument(body.dims(argument));
                carries.push_back(carry);
                carry_arguments.push_back(map[argument]);
                carry_starts.push_back(outer);
            } else if (!needed.node[argument]) {
                continue;
            } else if (k < l.first_input()) {
                constant(argument, outer);  // a loop constant, or a carry that never changes
            } else if (ref const same = same_at_every_step(outer); same != none) {
                constant(argument, same);
            } else {
                map[argument] = inputs.add(inner, outer, body.dims(argument));
            }
        }
        rebuilder inside(body, inner, std::move(map));
        inside.run(needed);

        op::scan_layout layout;
        layout.steps = l.steps;
        layout.reverse = l.reverse;
        layout.constants = constants.outer.size();
        layout.carries = carries.size();
        layout.inputs = inputs.outer.size();
        for (int carry : carries) inner.results.push_back(inside.value(body.results[carry]));
        list<ref> outputs;  // distinct values that are stacked
        list<int> place(l.results(), none);
        list<ref> result(l.results(), none);
        for (int k = 0; k < l.results(); ++k) {
            if (!wanted[k]) continue;
            if (k < l.carries) {
                int const kept = carries.find(k);
                if (kept >= 0) place[k] = kept;
                else result[k] = map_[s.operand(id, l.first_carry() + k)];
                continue;
            }
            ref const value = inside.value(body.results[k]);
            int const input = inputs.inner.find(value);
            int const constant_at = constants.inner.find(value);
            if (inner.is<op::constant>(value)) {
                result[k] =
                    target_->constant(inner[value].value, inner.dims(value).with_front(l.steps));
            } else if (input >= 0) {
                result[k] = inputs.outer[input];
            } else if (constant_at >= 0) {
                result[k] = target_->behind_front(constants.outer[constant_at], l.steps);
            } else {
                int at = outputs.find(value);
                if (at < 0) {
                    at = outputs.size();
                    outputs.push_back(value);
                    if (k >= l.results() - l.residuals) ++layout.residuals;
                }
                place[k] = carries.size() + at;
            }
        }
        inner.results.append(outputs);
        layout.outputs = outputs.size();
        if (inner.results.empty()) return result;
        inner.arguments = constants.inner;
        inner.arguments.append(carry_arguments);
        inner.arguments.append(inputs.inner);
        list<ref> operands = constants.outer;
        operands.append(carry_starts);
        operands.append(inputs.outer);
        ref const loop = target_->scan(layout, operands, std::move(inner));
        for (int k = 0; k < l.results(); ++k)
            if (place[k] != none) result[k] = target_->output(loop, place[k]);
        return result;
    }
};

}  // namespace detail

/// Removes what no result needs, shares what is equal, folds what is constant; in loops and around
/// them. Arguments stay. Postcondition: the same results, no more nodes or flops. Not idempotent:
/// what a fold leaves unread in the new graph only another run removes, and a search for it here
/// would cost each program as much as one; runs come to rest, though. Cost: linear.
constexpr graph simplify(graph const& g) {
    graph target;
    list<ref> map(g.size(), none);
    for (ref id : g.arguments) map[id] = target.argument(g.dims(id));
    list<char> const every_result(g.results.size(), 1);
    detail::rebuilder rebuild(g, target, std::move(map));
    rebuild.run(mark_back(g, every_result, through::everything));
    for (ref id : g.results) target.results.push_back(rebuild.value(id));
    return target;
}

}  // namespace v0
}  // namespace unspool
