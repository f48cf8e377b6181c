// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/epilogue.hpp>
#include <unspool/pass/memory.hpp>
#include <unspool/pass/program_plan.hpp>
#include <unspool/pass/units.hpp>

namespace unspool {
inline namespace v0 {
namespace detail {

/// Turns a graph into instructions over fixed memory.
class planner {
public:
    constexpr planner(graph const& g, machine const& core, int element_bytes)
        : memory_(element_bytes), core_(core), bytes_(element_bytes) {
        plan_.arguments = g.arguments.size();
        plan_.results = g.results.size();
        list<place> arguments, wanted;
        for (int i = 0; i < plan_.arguments; ++i)
            arguments.push_back(place::row_major(i, g.dims(g.arguments[i])));
        for (int i = 0; i < plan_.results; ++i)
            wanted.push_back(place::row_major(plan_.arguments + i, g.dims(g.results[i])));
        memory_.open_region();
        region(g, arguments, wanted, units_of(g, arguments), {}, 0, 1);
        memory_.close_region();
        plan_.workspace = memory_.total();
        for (place& p : plan_.places) {
            if (p.base < first_buffer()) continue;
            p.offset += memory_.offset(p.base - first_buffer());
            p.base = plan_.workspace_base();
        }
    }
    constexpr plan take() { return std::move(plan_); }

private:
    /// The state of one graph while its instructions are emitted.
    struct frame {
        graph const& g;
        units u;
        list<char> reshaped;      ///< values that a reshape shows
        list<list<ref>> outputs;  ///< for each loop by its body, the node of each result
        list<place> at;           ///< where each value lies, once it does
        list<place> home;         ///< where a value is to be computed, if somebody wants it there
        list<int> slot;           ///< the step of the current group that holds a value
        list<place> packed;       ///< for a product in a loop, its B packed before the loop
        int depth;
        double trips;  ///< how often the region runs
    };

    plan plan_;
    memory_planner memory_;
    machine core_;
    int bytes_;

    // ---- places

    constexpr int first_buffer() const { return plan_.arguments + plan_.results + 2; }
    constexpr place new_buffer(shape const& dims) {
        return place::row_major(first_buffer() + memory_.add(dims.size()), dims);
    }
    constexpr void touch(place const& p) {
        if (p.base >= first_buffer()) memory_.touch(p.base - first_buffer());
    }
    /// Where a value lies; views are derived from what they show.
    constexpr place where(frame& f, ref id) {
        if (f.at[id].exists()) return f.at[id];
        f.at[id] = place_of_view(f.g, id, where(f, f.g.operand(id, 0)));
        return f.at[id];
    }
    static constexpr bool same_place(place const& a, place const& b, shape const& dims) {
        if (a.base != b.base || a.offset != b.offset || a.is_uniform()) return false;
        for (int i = 0; i < dims.rank; ++i)
            if (dims.extent[i] != 1 && a.step[i] != b.step[i]) return false;
        for (int i = 0; i < max_loops; ++i)
            if (a.loop_step[i] != b.loop_step[i] || a.loop_flip[i] != b.loop_flip[i]) return false;
        return true;
    }
    /// Where a value is computed: where it is wanted, or in a buffer of its own.
    constexpr place settle(frame& f, ref id) {
        f.at[id] = f.home[id].exists() ? f.home[id] : new_buffer(f.g.dims(id));
        return f.at[id];
    }
    static constexpr int last_step(place const& p, shape const& dims) {
        return dims.rank == 0 || dims.extent[dims.rank - 1] == 1 ? 1 : p.step[dims.rank - 1];
    }

    // ---- instructions

    constexpr instruction& emit(frame const& f, instruction::kind what, shape const& space) {
        instruction i;
        i.what = what;
        i.space = space;
        i.depth = f.depth;
        plan_.code.push_back(i);
        return plan_.code.back();
    }
    constexpr void emit_places(instruction& i, list<place> const& places) {
        i.first = plan_.places.size();
        i.count = places.size();
        for (place const& p : places) {
            touch(p);
            plan_.places.push_back(p);
        }
    }
    constexpr void copy(frame const& f, place const& to, place const& from, shape const& dims) {
        if (same_place(to, from, dims)) return;
        memory_.advance();
        emit_places(emit(f, instruction::kind::copy, dims), {to, from});
    }
    /// `from` as an array whose last axis, and with it each row, is contiguous, and that runs
    /// forwards.
    constexpr place as_rows(frame const& f, place const& from, shape const& dims) {
        if (!from.is_uniform() && last_step(from, dims) == 1 && !from.is_reversed(dims))
            return from;
        place const to = new_buffer(dims);
        copy(f, to, from, dims);
        return to;
    }

    // ---- before emission

    /// Views that no strides can express: they become copies. Found by placing every other value
    /// row-major.
    constexpr list<char> find_copied(graph const& g, list<place> const& arguments) const {
        list<char> copied(g.size(), 0);
        list<place> at(g.size(), place{});
        for (int i = 0; i < arguments.size(); ++i) at[g.arguments[i]] = arguments[i];
        for (ref id = 0; id < g.size(); ++id) {
            if (at[id].exists()) continue;
            if (g.is<op::constant>(id)) {
                at[id] = place::everywhere(g[id].value);
            } else if (g.kind(id) == op::family::view) {
                at[id] = place_of_view(g, id, at[g.operand(id, 0)]);
                copied[id] = !at[id].exists();
            }
            if (!at[id].exists()) at[id] = place::row_major(0, g.dims(id));
        }
        return copied;
    }
    constexpr units units_of(graph const& g, list<place> const& arguments) const {
        list<char> const copied = find_copied(g, arguments);
        units u = find_units(g, copied);
        fuse_epilogues(g, u, copied, core_, bytes_);
        return u;
    }
    static constexpr bool can_be_placed(frame const& f, ref id) {
        op::family const kind = f.g.kind(id);
        return f.u.of[id] != none && kind != op::family::view && !f.g.is<op::scan>(id) &&
               !f.home[id].exists();
    }
    /// A value that a reshape shows, and those whose memory it shows through other views.
    static constexpr void mark_reshaped(frame& f, ref id) {
        f.reshaped[id] = 1;
        while (f.g.kind(id) == op::family::view && f.u.of[id] == none) {
            id = f.g.operand(id, 0);
            f.reshaped[id] = 1;
        }
    }
    /// One look at every reader. Strides other than row-major would spoil a reshape of a value.
    static constexpr void find_readers(frame& f) {
        graph const& g = f.g;
        f.reshaped.resize(g.size(), 0);
        f.outputs.resize(g.bodies.size(), {});
        for (ref id = 0; id < g.size(); ++id) {
            if (g.is<op::reshape>(id)) mark_reshaped(f, g.operand(id, 0));
            if (g.is<op::scan>(id)) f.outputs[g[id].body].resize(g.layout(id).results(), none);
            if (g.is<op::output>(id)) f.outputs[g[g.operand(id, 0)].body][g.attr(id)[0]] = id;
        }
    }
    /// Lets values be computed where they are wanted: in a result, in their part of a
    /// concatenation.
    constexpr void choose_homes(frame& f, list<place> const& wanted) {
        graph const& g = f.g;
        for (int k = 0; k < wanted.size(); ++k) {
            if (!wanted[k].exists()) continue;
            ref id = g.results[k];
            place p = wanted[k];
            while (g.is<op::reshape>(id) && f.u.of[id] == none) {
                ref const x = g.operand(id, 0);
                p = reshaped(p, g.dims(id), g.dims(x));
                if (!p.exists()) break;
                id = x;
            }
            bool const rows = p.exists() && p.is_row_major(g.dims(id));
            if (rows && can_be_placed(f, id)) f.home[id] = p;
        }
        for (ref id = g.size() - 1; id >= 0; --id) {
            bool const whole = g.is<op::concatenate>(id) || g.is<op::contiguous>(id);
            if (!whole || f.u.of[id] == none) continue;
            if (!f.home[id].exists()) f.home[id] = new_buffer(g.dims(id));
            for (int k = 0; k < g[id].count; ++k) {
                ref const x = g.operand(id, k);
                if (can_be_placed(f, x) && !f.reshaped[x]) f.home[x] = part(g, id, k, f.home[id]);
            }
        }
    }
    static constexpr place part(graph const& g, ref id, int k, place const& whole) {
        list<shape> x;
        for (int i = 0; i < g[id].count; ++i) x.push_back(g.dims(g.operand(id, i)));
        int start[max_rank] = {};
        if (g.is<op::concatenate>(id))
            op::concatenate::place(x.data(), k, g.attr(id), g.dims(id), start);
        else if (g.is<op::pad>(id)) op::pad::place(x.data(), k, g.attr(id), g.dims(id), start);
        return inside_at(whole, x[k], start);
    }

    // ---- emission

    /// Emits the instructions of a graph; its results end up where they are wanted.
    constexpr list<place> region(graph const& g, list<place> const& arguments,
                                 list<place> const& wanted, units u, list<place> packed, int depth,
                                 double trips) {
        frame f{g, std::move(u), {}, {}, {}, {}, {}, std::move(packed), depth, trips};
        find_readers(f);
        f.at.resize(g.size(), place{});
        f.home.resize(g.size(), place{});
        f.slot.resize(g.size(), none);
        for (int i = 0; i < arguments.size(); ++i) f.at[g.arguments[i]] = arguments[i];
        for (ref id = 0; id < g.size(); ++id) {
            if (g.is<op::constant>(id)) f.at[id] = place::everywhere(g[id].value);
            if (!g.is<op::literal>(id)) continue;
            f.at[id] = place::row_major(plan_.literal_base(), g.dims(id), plan_.literals.size());
            for (int i = 0; i < g.dims(id).size(); ++i)
                plan_.literals.push_back(g.data[g.attr(id)[0] + i]);
        }
        choose_homes(f, wanted);
        for (unit const& next : f.u.all) {
            if (next.group) group(f, next);
            else if (!next.members.empty()) single(f, next.members[0]);
        }
        list<place> results;
        for (int k = 0; k < g.results.size(); ++k) {
            place const from = where(f, g.results[k]);
            if (wanted[k].exists()) copy(f, wanted[k], from, g.dims(g.results[k]));
            results.push_back(wanted[k].exists() ? wanted[k] : from);
        }
        return results;
    }

    constexpr void single(frame& f, ref id) {
        graph const& g = f.g;
        if (g.is<op::scan>(id)) return loop(f, id);
        if (g.is<op::output>(id)) return;
        if (g.is<op::dot>(id)) return product(f, id);
        if (g.kind(id) == op::family::reduction) return reduce(f, id);
        if (g.kind(id) == op::family::indexing) return indexing(f, id);
        if (g.kind(id) == op::family::view) {
            place const from = where(f, g.operand(id, 0));
            shape const dims = g.dims(g.operand(id, 0));
            place const to = settle(f, id);
            return copy(f, place::row_major(to.base, dims, to.offset), from, dims);
        }
        place const whole = settle(f, id);
        if (g.is<op::pad>(id)) copy(f, whole, place::everywhere(0), g.dims(id));
        for (int k = 0; k < g[id].count; ++k) {
            ref const x = g.operand(id, k);
            copy(f, part(g, id, k, whole), where(f, x), g.dims(x));
        }
    }

    /// The instruction of a product; with a group, which takes its results, it has no C.
    constexpr void product(frame& f, ref id, unit const* group = nullptr) {
        graph const& g = f.g;
        shape const dims = g.dims(id);
        int const rank = dims.rank;
        ref const x = g.operand(id, 0);
        place a = where(f, x);
        if (a.is_uniform() || a.is_reversed(g.dims(x))) a = as_rows(f, a, g.dims(x));
        bool const packed = !f.packed.empty() && f.packed[id].exists();
        list<place> places{swapped(a, rank, g.attr(id)[0]),
                           packed ? f.packed[id] : second_factor(f, id)};
        place addend;
        if (g[id].count > 2) addend = as_rows(f, where(f, g.operand(id, 2)), dims);
        list<micro_op> micros;
        memory_.advance();
        if (group != nullptr) {
            places.push_back(place{});
            micros = group_micros(f, *group);
        } else {
            if (f.home[id].exists() && last_step(f.home[id], dims) != 1) f.home[id] = place{};
            if (!f.home[id].exists() && !f.reshaped[id]) f.home[id] = spread_rows(dims);
            places.push_back(settle(f, id));
        }
        if (addend.exists()) places.push_back(addend);
        instruction& i = emit(f, instruction::kind::product, dims);
        i.inner = op::dot::inner(g.dims(x), g.attr(id));
        i.packed = packed;
        i.epilogue = plan_.micros.size();
        i.epilogue_count = micros.size();
        if (group != nullptr) i.groups = group->product_groups;
        plan_.micros.append(micros);
        plan_.flops += f.trips * 2.0 * dims.size() * i.inner;
        emit_places(i, places);
    }
    /// Memory for a matrix, a cache line between rows that would meet in a few sets of a cache.
    constexpr place spread_rows(shape const& dims) {
        constexpr int line = memory_planner::alignment;
        if (dims.rank != 2 || dims.extent[0] == 1 ||
            dims.extent[1] * bytes_ % core_.conflict_bytes != 0)
            return new_buffer(dims);
        shape padded = dims;
        padded.extent[1] += line / bytes_;
        return new_buffer(padded);
    }
    static constexpr place swapped(place p, int rank, bool swap) {
        if (swap) std::swap(p.step[rank - 1], p.step[rank - 2]);
        return p;
    }
    /// B as a product's kernel takes it: rows or columns contiguous.
    constexpr place second_factor(frame& f, ref id) {
        graph const& g = f.g;
        ref const x = g.operand(id, 1);
        shape const dims = g.dims(x);
        int const rank = dims.rank;
        place b = where(f, x);
        bool const column = !b.is_uniform() && !b.is_reversed(dims) &&
                            (dims.extent[rank - 2] == 1 || b.step[rank - 2] == 1);
        if (!column) b = as_rows(f, b, dims);
        return swapped(b, rank, g.attr(id)[1]);
    }

    constexpr void reduce(frame& f, ref id) {
        graph const& g = f.g;
        ref const x = g.operand(id, 0);
        shape const dims = g.dims(x);
        place from = where(f, x);
        if (from.is_uniform()) from = as_rows(f, from, dims);
        place const to = settle(f, id);
        place spread = to.without_steps();
        memory_.advance();
        instruction& i = emit(f, instruction::kind::reduce, dims);
        i.code = g[id].code;
        for (int axis = 0, kept = 0; axis < dims.rank; ++axis) {
            if (op::has_axis(g.attr(id), g[id].attrs, axis)) i.reduced |= 1 << axis;
            else spread.step[axis] = to.step[kept++];
        }
        plan_.flops += f.trips * dims.size();
        emit_places(i, {from, spread});
    }

    constexpr void indexing(frame& f, ref id) {
        graph const& g = f.g;
        auto as_array = [&](ref x) {
            place const from = where(f, x);
            shape const dims = g.dims(x);
            if (!from.is_uniform() && from.is_row_major(dims)) return from;
            place const to = new_buffer(dims);
            copy(f, to, from, dims);
            return to;
        };
        bool const scatters = g.is<op::scatter_add>(id);
        ref const index = g.operand(id, 0);
        ref const x = g.operand(id, 1);
        place const at = as_array(index);
        place const rows = as_array(x);
        if (f.home[id].exists() && !f.home[id].is_row_major(g.dims(id))) f.home[id] = place{};
        place const to = settle(f, id);
        memory_.advance();
        instruction& i =
            emit(f, scatters ? instruction::kind::scatter_add : instruction::kind::gather,
                 g.dims(index));
        i.extent = g.dims(scatters ? id : x).extent[0];
        i.inner = g.dims(scatters ? x : id).size() / g.dims(index).size();
        emit_places(i, {to, at, rows});
    }

    /// The place of a value as the iteration space of a group sees it: without axes of extent 1.
    static constexpr place over_space(place const& p, shape const& dims) {
        place q = p.without_steps();
        for (int i = 0, at = 0; i < dims.rank; ++i)
            if (dims.extent[i] != 1) q.step[at++] = p.step[i];
        return q;
    }
    constexpr void group(frame& f, unit const& u) {
        if (u.product != none) return product(f, u.product, &u);
        memory_.advance();
        list<micro_op> const micros = group_micros(f, u);
        instruction& i = emit(f, instruction::kind::group, u.space);
        i.first = plan_.micros.size();
        i.count = micros.size();
        plan_.micros.append(micros);
    }
    constexpr list<micro_op> group_micros(frame& f, unit const& u) {
        graph const& g = f.g;
        list<int>& slot = f.slot;
        list<ref> used;
        list<micro_op> micros;
        for (ref id : u.members) {
            micro_op m;
            m.code = g[id].code;
            for (int k = 0; k < g[id].count; ++k) {
                ref const operand = g.operand(id, k);
                ref const x = behind_relabelling(g, operand);
                bool const computed =
                    f.u.of[x] != none && f.u.of[x] == f.u.of[id] && x != u.product;
                ref const source = computed ? x : operand;
                if (slot[source] == none) {
                    slot[source] = micros.size();
                    used.push_back(source);
                    micros.push_back(incoming(f, u, source));
                }
                m.x[k] = slot[source];
            }
            slot[id] = micros.size();
            used.push_back(id);
            micros.push_back(m);
            double const work = f.trips * g.dims(id).size();
            if (op::table<op::is_transcendental>[g[id].code]) plan_.transcendentals += work;
            else plan_.flops += work;
        }
        for (ref id : u.members) {
            if (!f.u.stored[id]) continue;
            micro_op m;
            m.code = micro_op::store;
            m.x[0] = slot[id];
            m.place = plan_.places.size();
            place const to = settle(f, id);
            touch(to);
            plan_.places.push_back(over_space(to, g.dims(id)));
            micros.push_back(m);
        }
        for (ref id : used) slot[id] = none;
        return micros;
    }
    constexpr micro_op incoming(frame& f, unit const& u, ref id) {
        micro_op m;
        if (u.product != none && behind_views(f.g, id) == u.product) {
            shape const whole = f.g.dims(u.product);
            place const block = place_of_view(f.g, id, u.product, place::row_major(0, whole));
            m.code = micro_op::product;
            m.x[0] = block.offset / (whole.extent[1] / u.product_groups);
            return m;
        }
        place const from = where(f, id);
        if (from.is_uniform()) {
            m.code = micro_op::uniform;
            m.value = from.value;
            return m;
        }
        m.code = micro_op::load;
        m.place = plan_.places.size();
        touch(from);
        plan_.places.push_back(over_space(from, f.g.dims(id)));
        return m;
    }

    // ---- loops

    /// How a carry keeps its value from step to step.
    struct carry_memory {
        place before, after;  ///< inside of the body, at its step
        place start, last;    ///< outside
    };
    constexpr void loop(frame& f, ref id);
    constexpr carry_memory place_carry(frame& f, ref id, int k, units const& body_units,
                                       list<place>& stacked);
    constexpr list<place> pack_constants(frame& f, graph const& body, op::scan_layout const& l,
                                         list<place> const& arguments, units const& u);
    static constexpr bool can_update_in_place(graph const& body, op::scan_layout const& l, int k,
                                              units const& u);
    /// One step's share of a stacked value.
    static constexpr place at_step(place const& all, int rank, int depth) {
        place p = all.without_steps();
        if (all.is_uniform()) return p;
        p.loop_step[depth] += all.step[0];
        for (int i = 1; i < rank; ++i) p.step[i - 1] = all.step[i];
        return p;
    }
    /// The node that reads result k of a loop, or `none`.
    static constexpr ref output_node(frame const& f, ref loop, int k) {
        return f.outputs[f.g[loop].body][k];
    }
};

}  // namespace detail

/// Lays a graph out as a program: which operations share a kernel, the order of kernels, and where
/// every value lies. Values that no kernel but their own reads never reach memory; views cost
/// nothing; a value is computed in place where it is wanted; what is stacked over a loop is stored
/// once. Precondition: verified, loops at most `max_loops` deep. Cost: linear but for a search of
/// each value's readers.
constexpr plan make_plan(graph const& g, machine const& core, int element_bytes);

}  // namespace v0
}  // namespace unspool

#include <unspool/pass/plan_loop.hpp>
