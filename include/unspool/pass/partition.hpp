// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/rules.hpp>

namespace unspool {
inline namespace v0 {

/// One step of a loop and one step of its reverse sweep in one graph, as differentiation makes
/// them: what must be parted into two bodies, with residuals between them.
struct joint_step {
    graph both;
    int forward_nodes = 0;   ///< nodes before this belong to the forward step
    op::scan_layout layout;  ///< of the forward loop
    list<ref> primal;        ///< the body's arguments
    list<ref> results;       ///< carries, then outputs, of the forward step
    list<ref> cotangents;    ///< arguments: one for each result, `none` where there is none
    list<ref> gradients;     ///< results: one for each body argument, `none` where there is none
    list<char> wanted;       ///< whether the gradient of each body argument is asked for
};

/// What a reverse loop's operand is connected to, in the graph around the loops.
struct wire {
    enum class source {
        operand,    ///< operand `index` of the forward loop
        cotangent,  ///< the cotangent of result `index` of the forward loop
        zero,       ///< zeros of the shape of operand `index`: an accumulator's start
        residual,   ///< residual `index` of the forward loop
    } from;
    int index;
};

/// The two loops of a partition. Results of the reverse loop: for each entry of `gradient_of`, the
/// gradient of that operand of the forward loop.
struct parted_loop {
    graph forward;
    op::scan_layout forward_layout;
    graph reverse;
    op::scan_layout reverse_layout;
    list<wire> wiring;
    list<int> gradient_of;
};

namespace detail {

/// Elements of all residuals of a loop beyond which they go through memory, and not a cache.
inline constexpr double residuals_in_cache = 1 << 21;

/// Decides what the reverse sweep finds saved and what it computes again. Saved: each value of the
/// forward step that it reads, once. Computed again: views of what it has, and whatever depends on
/// loop constants alone (hoisting takes that out of the loop); of residuals that fill the caches
/// also a function of one that is there anyway, as tanh(c) of the next step's c, since evaluating
/// it takes less time than its way through memory. A checkpoint policy would decide here.
class residual_choice {
public:
    constexpr explicit residual_choice(joint_step const& j) : j_(&j) {
        graph const& g = j.both;
        available_.resize(g.size(), 0);
        recomputed_.resize(g.size(), 0);
        saved_.resize(g.size(), 0);
        for (int k = 0; k < j.primal.size(); ++k) {
            int const carry = k - j.layout.first_carry();
            if (carry < 0 || carry >= j.layout.carries) available_[j.primal[k]] = 1;
        }
        list<char> invariant(g.size(), 0);
        for (ref id = 0; id < j.forward_nodes; ++id) {
            if (g.is<op::argument>(id)) {
                int const k = j.primal.find(id);
                invariant[id] = k >= 0 && k < j.layout.constants;
                continue;
            }
            bool all = true;
            for (int k = 0; k < g[id].count; ++k) all = all && invariant[g.operand(id, k)];
            invariant[id] = all;
        }
        list<char> needed(g.size(), 0);
        for (int k = 0; k < j.gradients.size(); ++k)
            if (j.wanted[k] && j.gradients[k] != none) needed[j.gradients[k]] = 1;
        for (ref id = g.size() - 1; id >= 0; --id) {
            if (!needed[id] || available_[id]) continue;
            if (id < j.forward_nodes) {
                bool const again = invariant[id] || recomputes(id);
                if (!again) {
                    saved_[id] = 1;
                    continue;
                }
                recomputed_[id] = 1;
            }
            for (int k = 0; k < g[id].count; ++k) needed[g.operand(id, k)] = 1;
        }
        needed_ = std::move(needed);
        if (residual_elements() * j.layout.steps > residuals_in_cache) evaluate_again();
    }
    constexpr bool saved(ref id) const { return saved_[id]; }
    constexpr bool needed(ref id) const { return needed_[id]; }

private:
    joint_step const* j_;
    list<char> available_, recomputed_, saved_, needed_;

    constexpr double residual_elements() const {
        double n = 0;
        for (ref id = 0; id < j_->forward_nodes; ++id)
            if (saved_[id]) n += j_->both.dims(id).size();
        return n;
    }
    /// Functions of what is saved, or of a carry that is saved as it was before the step.
    constexpr void evaluate_again() {
        graph const& g = j_->both;
        for (ref id = 0; id < j_->forward_nodes; ++id) {
            if (!saved_[id] || g.kind(id) != op::family::elementwise || g[id].count != 1) continue;
            ref const x = g.operand(id, 0);
            int const carry = j_->results.find(x);
            bool const is_there =
                saved_[x] || (carry >= 0 && carry < j_->layout.carries &&
                              saved_[j_->primal[j_->layout.first_carry() + carry]]);
            if (!is_there) continue;
            saved_[id] = 0;
            saved_[x] = needed_[x] = 1;
        }
    }

    constexpr bool recomputes(ref id) const {
        graph const& g = j_->both;
        if (g.kind(id) == op::family::source) return !g.is<op::argument>(id);
        if (g.is<op::slice>(id)) return available_[g.operand(id, 0)];
        return g.kind(id) == op::family::view;
    }
};

}  // namespace detail

/// Parts a joint step into a forward body that saves residuals and a reverse body that reads them.
/// Cost: linear in the nodes.
constexpr parted_loop partition(joint_step const& j) {
    graph const& g = j.both;
    op::scan_layout const& l = j.layout;
    detail::residual_choice const choice(j);
    list<ref> residuals;
    for (ref id = 0; id < j.forward_nodes; ++id)
        if (choice.saved(id)) residuals.push_back(id);

    parted_loop p;
    {
        list<ref> map(g.size(), none);
        for (ref id : j.primal) map[id] = p.forward.argument(g.dims(id));
        list<ref> results = j.results;
        results.append(residuals);
        copy_needed(g, results, p.forward, map);
        for (ref id : results) p.forward.results.push_back(map[id]);
        p.forward_layout = l;
        p.forward_layout.outputs += residuals.size();
        p.forward_layout.residuals += residuals.size();
    }

    graph& r = p.reverse;
    list<ref> map(g.size(), none);
    op::scan_layout& rl = p.reverse_layout;
    rl.steps = l.steps;
    rl.reverse = !l.reverse;
    auto argument = [&](ref id, wire::source from, int index) {
        map[id] = r.argument(g.dims(id));
        p.wiring.push_back({from, index});
    };
    for (int k = 0; k < l.constants; ++k) {
        if (!choice.needed(j.primal[k])) continue;
        argument(j.primal[k], wire::source::operand, k);
        ++rl.constants;
    }
    list<int> carried;
    for (int k = 0; k < l.carries; ++k) {
        if (j.cotangents[k] == none) continue;
        argument(j.cotangents[k], wire::source::cotangent, k);
        carried.push_back(k);
    }
    list<ref> accumulators;
    list<int> accumulated;
    for (int k = 0; k < l.constants; ++k) {
        if (!j.wanted[k] || j.gradients[k] == none) continue;
        accumulators.push_back(r.argument(g.dims(j.primal[k])));
        accumulated.push_back(k);
        p.wiring.push_back({wire::source::zero, k});
    }
    rl.carries = carried.size() + accumulated.size();
    for (int k = 0; k < l.outputs; ++k) {
        if (j.cotangents[l.carries + k] == none) continue;
        argument(j.cotangents[l.carries + k], wire::source::cotangent, l.carries + k);
        ++rl.inputs;
    }
    for (int k = l.first_input(); k < l.operands(); ++k) {
        if (!choice.needed(j.primal[k])) continue;
        argument(j.primal[k], wire::source::operand, k);
        ++rl.inputs;
    }
    for (int k = 0; k < residuals.size(); ++k) {
        argument(residuals[k], wire::source::residual, k);
        ++rl.inputs;
    }

    list<ref> wanted;
    for (int k = 0; k < j.gradients.size(); ++k)
        if (j.wanted[k] && j.gradients[k] != none) wanted.push_back(j.gradients[k]);
    copy_needed(g, wanted, r, map);
    auto gradient = [&](int k) {
        ref const id = j.gradients[k];
        return id == none ? r.constant(0, g.dims(j.primal[k])) : map[id];
    };
    for (int k : carried) {
        r.results.push_back(gradient(l.first_carry() + k));
        p.gradient_of.push_back(l.first_carry() + k);
    }
    for (int i = 0; i < accumulated.size(); ++i) {
        r.results.push_back(r.apply<op::add>(accumulators[i], gradient(accumulated[i])));
        p.gradient_of.push_back(accumulated[i]);
    }
    for (int k = l.first_input(); k < l.operands(); ++k) {
        if (!j.wanted[k] || j.gradients[k] == none) continue;
        r.results.push_back(gradient(k));
        p.gradient_of.push_back(k);
        ++rl.outputs;
    }
    return p;
}

}  // namespace v0
}  // namespace unspool
