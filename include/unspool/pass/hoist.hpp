// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/cost.hpp>
#include <unspool/pass/rules.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

/// What leaves a loop, by its step.
struct hoisted_arrays {
    double elements = 0;  ///< of products before the loop, and of factors stacked for sums after it
    double sums = 0;      ///< elements of those sums
};

/// Moves computations of one loop's body out of the loop:
///
///   what depends on loop constants alone is computed once before it;
///   a product of step inputs is computed for all steps before it, by its batch rule, as one tall
///   product, together with what else needs nothing but that;
///   a sum of products `acc += aᵀ·b` is computed after it, over all steps at once;
///   a loop-constant matrix that the body multiplies with transposed is laid out once before it.
///
/// The second and third only where the cost model says that better products pay for the arrays.
class loop_hoist {
public:
    constexpr loop_hoist(graph const& source, ref loop, graph& target, list<ref> operands,
                         machine const& core, int element_bytes)
        : body_(source.body(loop)), layout_(source.layout(loop)), target_(&target),
          outer_(std::move(operands)), core_(core), bytes_(element_bytes) {}

    /// What stands for each result of the loop in the target.
    constexpr list<ref> run() {
        classify();
        rebuild();
        return emit();
    }

    /// What `run` would make of each step.
    constexpr hoisted_arrays arrays() {
        classify();
        find_late_sums();
        hoisted_arrays n;
        for (ref id = 0; id < body_.size(); ++id)
            if (tall_[id] && body_.is<op::dot>(id)) n.elements += body_.dims(id).size();
        list<ref> counted;
        for (late_sum const& s : late_) {
            n.sums += body_.dims(body_.results[s.carry]).size();
            for (ref x : {s.a, s.b}) {
                if (s.a == none || is_input(x) || counted.contains(x)) continue;
                counted.push_back(x);
                n.elements += body_.dims(x).size();
            }
        }
        return n;
    }

private:
    enum : char { varies, invariant, input_only };

    graph const& body_;
    op::scan_layout layout_;
    graph* target_;
    list<ref> outer_;
    machine core_;
    int bytes_;
    list<char> kind_;   ///< of each body value
    list<char> tall_;   ///< input-only values that are computed for all steps before the loop
    list<ref> before_;  ///< each value's counterpart before the loop; of tall ones, stacked
    graph inner_;
    list<ref> map_;
    list<ref> constants_, constants_inner_, inputs_, inputs_inner_, carries_inner_;
    list<ref> outputs_;  ///< body values stacked, beyond the loop's own results

    struct late_sum {
        int carry;
        ref a, b;  ///< `acc += aᵀ·b`; a is `none` for `acc += b`
    };
    list<late_sum> late_;

    constexpr bool is_carry(int k) const {
        return k >= layout_.first_carry() && k < layout_.first_input();
    }

    constexpr void classify() {
        kind_.resize(body_.size(), varies);
        tall_.resize(body_.size(), 0);
        before_.resize(body_.size(), none);
        for (int k = 0; k < layout_.operands(); ++k) {
            if (is_carry(k)) continue;
            ref const id = body_.arguments[k];
            kind_[id] = k < layout_.constants ? invariant : input_only;
            before_[id] = outer_[k];
        }
        for (ref id = 0; id < body_.size(); ++id) {
            if (body_.is<op::argument>(id)) continue;
            char kind = invariant;
            for (int i = 0; i < body_[id].count; ++i) {
                char const of = kind_[body_.operand(id, i)];
                if (of == varies) kind = varies;
                else if (of == input_only && kind == invariant) kind = input_only;
            }
            // A loop inside of the body has no batch rule.
            if (kind == input_only && body_.kind(id) == op::family::loop) kind = varies;
            kind_[id] = kind;
            if (kind == input_only) tall_[id] = pays(id);
        }
        // What needs only what is tall already comes along, and what is tall needs its operands.
        for (ref id = 0; id < body_.size(); ++id) {
            if (kind_[id] != input_only || tall_[id] || body_.is<op::argument>(id)) continue;
            bool any = false;
            bool all = true;
            for (int i = 0; i < body_[id].count; ++i) {
                ref const x = body_.operand(id, i);
                if (kind_[x] != input_only) continue;
                if (tall_[x]) any = true;
                else if (!body_.is<op::argument>(x)) all = false;
            }
            tall_[id] = any && all;
        }
        for (ref id = body_.size() - 1; id >= 0; --id)
            for (int i = 0; tall_[id] && i < body_[id].count; ++i) {
                ref const x = body_.operand(id, i);
                if (kind_[x] == input_only && !body_.is<op::argument>(x)) tall_[x] = 1;
            }
    }

    /// Whether a product of step inputs gets cheaper as one tall product by more than its result
    /// costs to store and load.
    constexpr bool pays(ref id) const {
        if (!body_.is<op::dot>(id)) return false;
        if (kind_[body_.operand(id, 1)] != invariant) return false;
        shape const a = body_.dims(body_.operand(id, 0));
        if (a.rank != 2 || body_.attr(id)[0]) return false;
        double const m = body_.dims(id).extent[0];
        double const n = body_.dims(id).extent[1];
        double const k = a.extent[1];
        double const t = layout_.steps;
        double const inside = t * core_.product(m, n, k, bytes_);
        double const outside =
            core_.product(t * m, n, k, bytes_) + core_.round_trip(t * m * n * bytes_);
        return k > 1 && outside < inside;
    }

    /// The counterpart of an invariant or tall value before the loop.
    constexpr ref before(ref wanted) {
        // Topological order makes a plain loop of what would be a recursion.
        list<char> needed(wanted + 1, 0);
        needed[wanted] = 1;
        for (ref id = wanted; id >= 0; --id)
            for (int i = 0; needed[id] && before_[id] == none && i < body_[id].count; ++i)
                needed[body_.operand(id, i)] = 1;
        constexpr auto rules = op::table<batch_rule>;
        for (ref id = 0; id <= wanted; ++id) {
            if (!needed[id] || before_[id] != none) continue;
            list<ref> const x = mapped_operands(body_, id, before_);
            if (kind_[id] == invariant) {
                before_[id] = target_->copy(body_, id, x);
                continue;
            }
            list<bool> has_axis;
            for (int i = 0; i < x.size(); ++i)
                has_axis.push_back(kind_[body_.operand(id, i)] == input_only);
            before_[id] = rules[body_[id].code](*target_, site_of(body_, id, x, none), x.data(),
                                                has_axis.data(), layout_.steps);
        }
        return before_[wanted];
    }

    constexpr ref constant_argument(ref value, shape const& dims) {
        if (target_->is<op::constant>(value)) return inner_.constant((*target_)[value].value, dims);
        int const known = constants_.find(value);
        if (known >= 0) return constants_inner_[known];
        constants_.push_back(value);
        constants_inner_.push_back(inner_.argument(dims));
        return constants_inner_.back();
    }
    constexpr ref input_argument(ref value, shape const& dims) {
        int const known = inputs_.find(value);
        if (known >= 0) return inputs_inner_[known];
        inputs_.push_back(value);
        inputs_inner_.push_back(inner_.argument(dims));
        return inputs_inner_.back();
    }

    /// A body value as a value of the new body; operands are there already.
    constexpr ref inside(ref id) {
        if (map_[id] != none) return map_[id];
        bool const is_argument = body_.is<op::argument>(id);
        if (kind_[id] == invariant && body_.kind(id) == op::family::source && !is_argument)
            map_[id] = inner_.copy(body_, id, {});
        else if (kind_[id] == invariant && body_.kind(id) == op::family::view &&
                 !body_.is<op::reshape>(id))
            // Views cost nothing where they are used, and a copy of their source would.
            map_[id] = inner_.copy(body_, id, inside_operands(id));
        else if (kind_[id] == invariant) map_[id] = constant_argument(before(id), body_.dims(id));
        else if (kind_[id] == input_only && (tall_[id] || is_argument))
            map_[id] = input_argument(before(id), body_.dims(id));
        else if (transposed_constant(id))
            map_[id] = inner_.dot(inside(body_.operand(id, 0)), laid_out(body_.operand(id, 1)),
                                  body_.attr(id)[0] != 0, false,
                                  body_[id].count > 2 ? inside(body_.operand(id, 2)) : none);
        else map_[id] = inner_.copy(body_, id, inside_operands(id));
        return map_[id];
    }
    constexpr list<ref> inside_operands(ref id) {
        list<ref> x;
        for (int i = 0; i < body_[id].count; ++i) x.push_back(inside(body_.operand(id, i)));
        return x;
    }
    constexpr bool transposed_constant(ref id) const {
        if (!body_.is<op::dot>(id) || !body_.attr(id)[1]) return false;
        ref const b = body_.operand(id, 1);
        return kind_[b] == invariant && body_.dims(b).rank == 2 && layout_.steps > 1;
    }
    constexpr ref laid_out(ref b) {
        ref const rows = target_->contiguous(target_->transpose(before(b), {1, 0}));
        return constant_argument(rows, target_->dims(rows));
    }

    /// Sums over the loop that are better formed after it. `acc` may be read by nothing but its
    /// sum.
    constexpr void find_late_sums() {
        list<int> readers(body_.size(), 0);
        for (ref id = 0; id < body_.size(); ++id)
            for (int i = 0; i < body_[id].count; ++i) ++readers[body_.operand(id, i)];
        for (ref id : body_.results) ++readers[id];
        list<ref> stacked;
        for (int c = 0; c < layout_.carries; ++c) {
            ref const term = summed(c, readers);
            if (term == none || !body_.is<op::dot>(term) || readers[term] != 1) continue;
            if (!body_.attr(term)[0] || body_.attr(term)[1] || body_[term].count > 2) continue;
            ref const a = body_.operand(term, 0);
            ref const b = body_.operand(term, 1);
            if (body_.dims(a).rank != 2) continue;
            double const t = layout_.steps;
            double const k = body_.dims(a).extent[0];
            double const m = body_.dims(a).extent[1];
            double const n = body_.dims(b).extent[1];
            double const within =
                t * (core_.product(m, n, k, bytes_) + core_.accumulate(m, n, bytes_));
            double after = core_.product(m, n, t * k, bytes_);
            for (ref x : {a, b})
                if (!is_input(x) && !stacked.contains(x))
                    after += core_.round_trip(t * body_.dims(x).size() * bytes_);
            if (after >= within) continue;
            for (ref x : {a, b}) stacked.push_back(x);
            late_.push_back({c, a, b});
        }
        // Plain sums of what is stacked anyway.
        for (int c = 0; c < layout_.carries; ++c) {
            ref const term = summed(c, readers);
            if (term != none && !is_late(c) && stacked.contains(base_of(term)))
                late_.push_back({c, none, term});
        }
    }
    /// The term of a carry that is a sum over the loop and nothing else, or `none`.
    constexpr ref summed(int carry, list<int> const& readers) const {
        ref const acc = body_.arguments[layout_.first_carry() + carry];
        ref const next = body_.results[carry];
        if (!body_.is<op::add>(next) || readers[acc] != 1 || readers[next] != 1) return none;
        if (body_.operand(next, 0) == acc) return body_.operand(next, 1);
        return body_.operand(next, 1) == acc ? body_.operand(next, 0) : none;
    }
    constexpr bool is_input(ref id) const {
        return kind_[id] == input_only && body_.is<op::argument>(id);
    }
    constexpr bool is_late(int carry) const {
        for (late_sum const& s : late_)
            if (s.carry == carry) return true;
        return false;
    }

    constexpr void rebuild() {
        map_.resize(body_.size(), none);
        find_late_sums();
        for (int k = 0; k < layout_.carries; ++k) {
            ref const id = body_.arguments[layout_.first_carry() + k];
            if (is_late(k)) continue;
            map_[id] = inner_.argument(body_.dims(id));
            carries_inner_.push_back(map_[id]);
        }
        list<char> needed(body_.size(), 0);
        auto need = [&](ref id) { needed[id] = 1; };
        for (int k = 0; k < layout_.results(); ++k)
            if (k >= layout_.carries || !is_late(k)) need(body_.results[k]);
        for (late_sum const& s : late_) {
            if (s.a != none) need(s.a);
            need(s.a == none ? base_of(s.b) : s.b);
        }
        for (ref id = body_.size() - 1; id >= 0; --id) {
            if (!needed[id] || stops(id)) continue;
            for (int i = 0; i < body_[id].count; ++i) need(body_.operand(id, i));
        }
        for (ref id = 0; id < body_.size(); ++id)
            if (needed[id] && !stops(id)) inside(id);
    }
    /// Values that come into the new body from outside, when something there asks for them.
    constexpr bool stops(ref id) const { return kind_[id] == invariant || tall_[id]; }
    constexpr ref base_of(ref term) const {
        bool const sums = body_.is<op::sum>(term) || body_.is<op::reshape>(term);
        return sums ? body_.operand(term, 0) : term;
    }

    constexpr list<ref> emit() {
        op::scan_layout l;
        l.steps = layout_.steps;
        l.reverse = layout_.reverse;
        list<ref> starts;
        for (int k = 0; k < layout_.carries; ++k) {
            if (is_late(k)) continue;
            inner_.results.push_back(inside(body_.results[k]));
            starts.push_back(outer_[layout_.first_carry() + k]);
        }
        l.carries = inner_.results.size();
        for (int k = layout_.carries; k < layout_.results(); ++k)
            outputs_.push_back(body_.results[k]);
        for (late_sum const& s : late_) {
            if (s.a != none) stack(s.a);
            stack(s.a == none ? base_of(s.b) : s.b);
        }
        for (ref id : outputs_) inner_.results.push_back(inside(id));
        l.outputs = outputs_.size();
        l.residuals = layout_.residuals;
        if (outputs_.size() != layout_.outputs) l.residuals = 0;  // no longer the last ones
        l.constants = constants_.size();
        l.inputs = inputs_.size();
        inner_.arguments = constants_inner_;
        inner_.arguments.append(carries_inner_);
        inner_.arguments.append(inputs_inner_);
        list<ref> operands = constants_;
        operands.append(starts);
        operands.append(inputs_);
        list<ref> results(layout_.results(), none);
        ref const loop =
            inner_.results.empty() ? none : target_->scan(l, operands, std::move(inner_));
        for (int k = 0, at = 0; k < layout_.carries; ++k)
            if (!is_late(k)) results[k] = target_->output(loop, at++);
        for (int k = 0; k < layout_.outputs; ++k)
            results[layout_.carries + k] = target_->output(loop, l.carries + k);
        for (late_sum const& s : late_) {
            ref const start = outer_[layout_.first_carry() + s.carry];
            ref sum = none;
            if (s.a != none) {
                sum = target_->dot(tall(s.a, loop, l), tall(s.b, loop, l), true, false);
            } else {
                sum = sum_over_time(s.b, stacked(base_of(s.b), loop, l));
            }
            results[s.carry] = target_->apply<op::add>(start, sum);
        }
        return results;
    }
    constexpr void stack(ref id) {
        if (is_input(id)) return;
        if (!outputs_.contains(id)) outputs_.push_back(id);
    }
    /// A body value of all steps: a step input, or a stacked output.
    constexpr ref stacked(ref id, ref loop, op::scan_layout const& l) {
        if (is_input(id)) return before_[id];
        return target_->output(loop, l.carries + outputs_.find(id));
    }
    /// …with time and rows as one axis.
    constexpr ref tall(ref id, ref loop, op::scan_layout const& l) {
        ref const all = stacked(id, loop, l);
        shape const dims = body_.dims(id);
        return target_->reshape(all, shape::of(layout_.steps * dims.extent[0], dims.extent[1]));
    }
    constexpr ref sum_over_time(ref term, ref all) {
        list<int> axes{0};
        if (body_.is<op::sum>(term))
            for (int i = 0; i < body_[term].attrs; ++i) axes.push_back(body_.attr(term)[i] + 1);
        else if (body_.is<op::reshape>(term))
            all = target_->reshape(all, body_.dims(term).with_front(layout_.steps));
        return target_->sum(all, axes);
    }
};

}  // namespace detail

/// Takes out of every loop, innermost first, what need not be in it. Precondition: simplified.
/// Postcondition: the same results up to the order of sums. Cost: quadratic in a loop's body at
/// most.
constexpr graph hoist(graph const& g, machine const& core, int element_bytes) {
    return replace_loops(g, [&](ref id, graph& target, list<ref> x) {
        graph alone;  // the loop with its body hoisted from within
        list<ref> operands;
        for (ref operand : x) operands.push_back(alone.argument(target.dims(operand)));
        ref const loop = alone.scan(g.layout(id), operands, hoist(g.body(id), core, element_bytes));
        return detail::loop_hoist(alone, loop, target, std::move(x), core, element_bytes).run();
    });
}

}  // namespace v0
}  // namespace unspool
