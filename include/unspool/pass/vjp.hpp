// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/activity.hpp>
#include <unspool/pass/partition.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

/// The sum of the contributions to one cotangent. Slices pull back to zeros around them; where such
/// contributions tile the whole value along one axis, they are put side by side instead of added.
constexpr ref total_cotangent(graph& g, list<ref> const& parts) {
    list<ref> pads;
    ref rest = none;
    for (ref id : parts) {
        if (g.is<op::pad>(id)) pads.push_back(id);
        else rest = g.add(rest, id);
    }
    if (pads.size() > 1) {
        shape const dims = g.dims(pads[0]);
        int axis = 0;
        while (g.dims(g.operand(pads[0], 0)).extent[axis] == dims.extent[axis]) ++axis;
        list<ref> tiles;
        int at = 0;
        for (bool found = true; found && at < dims.extent[axis];) {
            found = false;
            for (ref id : pads) {
                shape inner = g.dims(g.operand(id, 0));
                int const extent = inner.extent[axis];
                inner.extent[axis] = dims.extent[axis];
                if (g.attr(id)[axis] != at || !(inner == dims)) continue;
                tiles.push_back(g.operand(id, 0));
                at += extent;
                found = true;
                break;
            }
        }
        if (at == dims.extent[axis] && tiles.size() == pads.size())
            return g.add(rest, g.concatenate(tiles, axis));
    }
    for (ref id : pads) rest = g.add(rest, id);
    return rest;
}

/// Reverse mode over one graph: copies it into `target` with its loops saving residuals, then pulls
/// cotangents back from results to arguments.
class reverse_sweep {
public:
    constexpr reverse_sweep(graph const& source, graph& target, list<char> const& active_arguments,
                            list<char> const& useful_results)
        : source_(&source), target_(&target), active_(mark_active(source, active_arguments)),
          useful_(mark_back(source, useful_results, through::differentiable)) {
        map_.resize(source.size(), none);
        cotangents_.resize(source.size(), {});
        loops_.resize(source.bodies.size(), {});
        chosen_from_.resize(source.size(), 0);
        for (ref id = source.size() - 1; id >= 0; --id) {
            bool const selects = source.is<op::select>(id);
            if (source.is<op::scan>(id) || !(selects || chosen_from_[id])) continue;
            for (int k = selects && !chosen_from_[id] ? 1 : 0; k < source[id].count; ++k)
                chosen_from_[source.operand(id, k)] = 1;
        }
    }

    /// Copies the forward computation; `arguments` are the target's.
    constexpr void forward(list<ref> const& arguments) {
        graph const& s = *source_;
        for (int i = 0; i < arguments.size(); ++i) map_[s.arguments[i]] = arguments[i];
        for (ref id = 0; id < s.size(); ++id) {
            if (s.is<op::argument>(id)) continue;
            list<ref> const x = mapped_operands(s, id, map_);
            map_[id] = s.is<op::scan>(id) ? forward_loop(id, x) : target_->copy(s, id, x);
        }
    }
    constexpr ref value(ref id) const { return map_[id]; }
    constexpr void seed(ref id, ref cotangent) {
        if (visits(id)) cotangents_[id].push_back(cotangent);
    }
    /// Whether a cotangent of this value will be asked for.
    constexpr bool visits(ref id) const { return active_.node[id] && useful_.node[id]; }

    constexpr void backward() {
        graph const& s = *source_;
        constexpr auto rules = op::table<cotangent_rule>;
        for (ref id = s.size() - 1; id >= 0; --id) {
            if (s.is<op::scan>(id)) {
                backward_loop(id);
                continue;
            }
            if (s.is<op::output>(id) || !visits(id) || cotangents_[id].empty()) continue;
            list<ref> const x = mapped_operands(s, id, map_);
            if (x.empty()) continue;
            ref const ct = cotangent(id);
            for (int k = first_differentiable_operand(s, id); k < x.size(); ++k) {
                ref const operand = s.operand(id, k);
                if (!visits(operand)) continue;
                ref part = rules[s[id].code](*target_, site_of(s, id, x, map_[id]), k, ct);
                if (chosen_from_[id] && op::table<op::scales_cotangent>[s[id].code])
                    part = nothing_from_nothing(ct, part);
                if (part != none) cotangents_[operand].push_back(part);
            }
        }
    }
    /// The cotangent of a value, `none` if it is zero by structure.
    constexpr ref cotangent(ref id) {
        list<ref>& parts = cotangents_[id];
        if (parts.empty()) return none;
        ref const total = total_cotangent(*target_, parts);
        parts = list<ref>{total};
        return total;
    }

private:
    graph const* source_;
    graph* target_;
    marks active_, useful_;
    list<ref> map_;
    list<list<ref>> cotangents_;
    list<parted_loop> loops_;
    list<char> chosen_from_;  ///< values that a select may leave out, up to the next loop

    /// `part`, but 0 where the cotangent it comes from is 0: what a select does not take passes on
    /// nothing, not even through a derivative that is infinite there.
    constexpr ref nothing_from_nothing(ref ct, ref part) {
        if (part == none) return none;
        ref const zero = target_->constant(0, target_->dims(ct));
        return target_->apply<op::select>(target_->apply<op::equal>(ct, zero), zero, part);
    }
    constexpr bool visits_result(ref loop, int k) const {
        int const body = (*source_)[loop].body;
        return active_.loop[body][k] && useful_.loop[body][k];
    }
    constexpr ref forward_loop(ref id, list<ref> const& x) {
        graph const& s = *source_;
        op::scan_layout const l = s.layout(id);
        list<char> results;
        bool any = false;
        for (int k = 0; k < l.results(); ++k) {
            results.push_back(visits_result(id, k));
            any = any || results[k];
        }
        if (!any) return target_->copy(s, id, x);
        parted_loop& p = loops_[s[id].body];
        p = partition(joint(id, results));
        ref const loop = target_->scan(p.forward_layout, x, std::move(p.forward));
        for (int k = 0; k < p.forward_layout.results() - l.results(); ++k)
            target_->output(loop, l.results() + k);
        return loop;
    }
    /// One step of the loop and of its reverse sweep.
    constexpr joint_step joint(ref id, list<char> const& results) const;

    constexpr void backward_loop(ref id) {
        graph const& s = *source_;
        parted_loop& p = loops_[s[id].body];
        if (p.wiring.empty()) return;
        op::scan_layout const l = s.layout(id);
        list<ref> results(l.results(), none);
        for (ref reader = id + 1; reader < s.size(); ++reader)
            if (s.is<op::output>(reader) && s.operand(reader, 0) == id)
                results[s.attr(reader)[0]] = cotangent(reader);
        graph const& body = s.body(id);
        list<ref> operands;
        for (wire const& w : p.wiring) {
            ref const outer = w.from == wire::source::operand || w.from == wire::source::zero
                                  ? map_[s.operand(id, w.index)]
                                  : none;
            if (w.from == wire::source::operand) {
                operands.push_back(outer);
            } else if (w.from == wire::source::zero) {
                operands.push_back(target_->constant(0, target_->dims(outer)));
            } else if (w.from == wire::source::residual) {
                operands.push_back(target_->output(map_[id], l.results() + w.index));
            } else if (results[w.index] != none) {
                operands.push_back(results[w.index]);
            } else {
                shape dims = body.dims(body.results[w.index]);
                if (w.index >= l.carries) dims = dims.with_front(l.steps);
                operands.push_back(target_->constant(0, dims));
            }
        }
        ref const loop = target_->scan(p.reverse_layout, operands, std::move(p.reverse));
        for (int i = 0; i < p.gradient_of.size(); ++i) {
            ref const operand = s.operand(id, p.gradient_of[i]);
            if (visits(operand)) cotangents_[operand].push_back(target_->output(loop, i));
        }
    }
};

constexpr joint_step reverse_sweep::joint(ref id, list<char> const& results) const {
    graph const& s = *source_;
    graph const& body = s.body(id);
    joint_step j;
    j.layout = s.layout(id);
    op::scan_layout const& l = j.layout;
    for (ref argument : body.arguments) j.primal.push_back(j.both.argument(body.dims(argument)));
    list<char> active;
    for (int k = 0; k < l.operands(); ++k) {
        int const carry = k - l.first_carry();
        bool const carried = carry >= 0 && carry < l.carries;
        // A carry is active if its start is, or if a step makes it so.
        active.push_back(carried ? active_.loop[s[id].body][carry]
                                 : active_.node[s.operand(id, k)]);
    }
    reverse_sweep inside(body, j.both, active, results);
    inside.forward(j.primal);
    j.forward_nodes = j.both.size();
    for (int k = 0; k < l.results(); ++k) {
        ref const result = body.results[k];
        j.results.push_back(inside.value(result));
        ref ct = none;
        if (results[k]) {
            ct = j.both.argument(body.dims(result));
            inside.seed(result, ct);
        }
        j.cotangents.push_back(ct);
    }
    inside.backward();
    for (int k = 0; k < l.operands(); ++k) {
        j.gradients.push_back(inside.cotangent(body.arguments[k]));
        int const carry = k - l.first_carry();
        bool const carried = carry >= 0 && carry < l.carries;
        j.wanted.push_back(carried ? results[carry] : visits(s.operand(id, k)));
    }
    return j;
}

}  // namespace detail

/// How results are differentiated: `seeded`, with a cotangent argument for each of the first
/// `results` ones behind the graph's own arguments; otherwise result 0, a scalar, with seed 1.
struct vjp_request {
    list<int> wrt;  ///< positions of arguments
    int results = 1;
    bool seeded = false;
};

/// Reverse-mode differentiation. Results of the new graph: those of `g`, then the cotangent of each
/// argument in `wrt`, zeros where there is no path.
constexpr graph vjp(graph const& g, vjp_request const& request) {
    list<char> active(g.arguments.size(), 0);
    for (int i : request.wrt) active[i] = 1;
    list<char> useful(g.results.size(), 0);
    for (int i = 0; i < request.results; ++i) useful[i] = 1;
    graph target;
    list<ref> arguments;
    for (ref id : g.arguments) arguments.push_back(target.argument(g.dims(id)));
    detail::reverse_sweep sweep(g, target, active, useful);
    sweep.forward(arguments);
    for (int i = 0; i < request.results; ++i) {
        shape const dims = g.dims(g.results[i]);
        sweep.seed(g.results[i], request.seeded ? target.argument(dims) : target.constant(1, dims));
    }
    sweep.backward();
    for (ref id : g.results) target.results.push_back(sweep.value(id));
    for (int i : request.wrt) {
        ref const ct = sweep.cotangent(g.arguments[i]);
        target.results.push_back(ct == none ? target.constant(0, g.dims(g.arguments[i])) : ct);
    }
    return target;
}

/// The positions in `wrt` of arguments that the first `results` results do not depend on through
/// differentiable operations.
constexpr list<int> unused_arguments(graph const& g, vjp_request const& request) {
    list<char> useful(g.results.size(), 0);
    for (int i = 0; i < request.results; ++i) useful[i] = 1;
    marks const m = mark_back(g, useful, through::differentiable);
    list<int> unused;
    for (int i = 0; i < request.wrt.size(); ++i)
        if (!m.node[g.arguments[request.wrt[i]]]) unused.push_back(i);
    return unused;
}

}  // namespace v0
}  // namespace unspool
