// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/ranged_builder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

/// Random valid graphs, for passes to be tried on: every operation, mixed shapes, loops in loops,
/// and the corner cases of a loop's edge (a carry handed on, swapped or never changed, an output
/// that is an argument, an operand nobody reads, one step only).
///
/// Each value's range is tracked by interval arithmetic, so that logarithms, roots and quotients
/// stay away from their singularities and nothing grows: what a pass changes by rounding stays near
/// rounding. Comparisons are of values that differ or are equal exactly, never by rounding.
namespace unspool_test {

class graph_generator : ranged_builder {
public:
    graph_generator(dice& random, random_graph_options const& options, int depth = 0)
        : ranged_builder(random, options), depth_(depth) {}

    /// A graph with one to three results.
    graph make() {
        int const arguments = random_.between(1, 4);
        for (int i = 0; i < arguments; ++i) argument(random_shape(), {-1, 1});
        fill(options_.values);
        g_.results.push_back(random_.one_in(2) ? scalar(mixture()) : mixture());
        int const more = random_.below(3);
        for (int i = 0; i < more; ++i) g_.results.push_back(late_value());
        return std::move(g_);
    }

private:
    struct carried {
        shape dims;
        interval range;  ///< holds at each step
        enum class update { squashed, accumulated, kept, handed_on } how;
    };

    int depth_;

    ref any_value() {
        for (;;) {
            ref const id = random_.below(g_.size());
            bool const dull = !live(id) && !random_.one_in(8);
            if (!g_.is<op::scan>(id) && !dull) return id;
        }
    }
    /// A value that depends on several others, and on the last loop.
    ref mixture() {
        ref total = late_value();
        for (int i = 0; i < 3; ++i) {
            ref from = late_value();
            for (ref id = 0; i == 0 && id < g_.size(); ++id)
                if (g_.is<op::output>(id) && (live(id) || random_.one_in(4))) from = id;
            ref const more = fit(from, dims(total));
            total = note(g_.apply<op::add>(times(total, 0.75), more),
                         {0.75 * range(total).low + range(more).low,
                          0.75 * range(total).high + range(more).high});
        }
        return tame(total);
    }
    ref late_value() {
        ref const a = any_value();
        ref const b = any_value();
        return random_.one_in(8) ? a : std::max(a, b);
    }
    /// Mostly a value computed lately, so that graphs get deep.
    ref operand() { return random_.one_in(3) ? any_value() : late_value(); }

    // ---- operations

    void fill(int count) {
        for (int i = 0; i < count; ++i) {
            int const kind = random_.below(100);
            if (kind < 22) unary();
            else if (kind < 48) binary();
            else if (kind < 58) chosen();
            else if (kind < 64) combined();
            else if (kind < 69) viewed();
            else if (kind < 71) indexed();
            else if (kind < 77) some_reduction();
            else if (kind < 88) matrix_product();
            else if (kind < 91) literal(random_shape());
            else if (kind < 93) some_number();
            else if (kind < 94 && !options_.smooth)
                note(g_.apply<op::stop_gradient>(any_value()), {});
            else if (depth_ >= options_.loop_depth) unary();
            else if (random_.one_in(3)) recurrent_layer();
            else loop();
            repair_stop_gradient();
        }
    }
    void some_number() {
        double const c = random_number();
        number(c, random_shape());
    }
    /// stop_gradient has its operand's range; every other operation notes its own.
    void repair_stop_gradient() {
        ref const id = g_.size() - 1;
        if (g_.is<op::stop_gradient>(id)) note(id, range(g_.operand(id, 0)));
    }

    void unary() {
        ref const x = tame(operand());
        interval const r = range(x);
        switch (random_.below(options_.smooth ? 14 : 19)) {
        case 0:
            note(g_.apply<op::negate>(x), {-r.high, -r.low});
            break;
        case 1:
            tame(note(g_.apply<op::exp>(x), {std::exp(r.low), std::exp(r.high)}));
            break;
        case 2: {
            ref const safe = above(x, 0.25);
            note(g_.apply<op::log>(safe), {std::log(range(safe).low), std::log(range(safe).high)});
            break;
        }
        case 3: {
            ref const safe = r.low > -0.75 ? x : times(squashed(x), 0.75);
            note(g_.apply<op::log1p>(safe),
                 {std::log1p(range(safe).low), std::log1p(range(safe).high)});
            break;
        }
        case 4:
            note(g_.apply<op::tanh>(x), {std::tanh(r.low), std::tanh(r.high)});
            break;
        case 5:
            note(g_.apply<op::sigmoid>(x), {0, 1});
            break;
        case 6:
            note(g_.apply<op::sin>(x), {-1, 1});
            break;
        case 7:
            note(g_.apply<op::cos>(x), {-1, 1});
            break;
        case 8: {
            ref const safe = above(x, 0.25);
            note(g_.apply<op::sqrt>(safe),
                 {std::sqrt(range(safe).low), std::sqrt(range(safe).high)});
            break;
        }
        case 9:
            tame(squared(x));
            break;
        case 10:
            tame(note(g_.apply<op::expm1>(x), {std::expm1(r.low), std::expm1(r.high)}));
            break;
        case 11:
            note(g_.apply<op::erf>(x), {-1, 1});
            break;
        case 12:
            note(g_.apply<op::atan>(x), {std::atan(r.low), std::atan(r.high)});
            break;
        case 13:
            tame(note(g_.apply<op::softplus>(x), {0, 1 + std::max(r.high, 0.0)}));
            break;
        case 14:
            note(g_.apply<op::relu>(x), {0, std::max(r.high, 0.0)});
            break;
        case 15:
            note(g_.apply<op::floor>(off_steps(x)), {std::floor(r.low), std::ceil(r.high) + 1});
            break;
        case 16:
            note(g_.apply<op::round>(off_steps(x)), {std::floor(r.low), std::ceil(r.high) + 1});
            break;
        case 17:
            note(g_.apply<op::sign>(off_steps(x)), {-1, 1});
            break;
        default:
            note(g_.apply<op::absolute>(x), {0, r.magnitude()});
            break;
        }
    }

    /// x moved by an odd amount: what is a whole number, a half or zero but for rounding would step
    /// either way.
    ref off_steps(ref x) { return plus(x, random_.uniform(0.1, 0.2)); }

    /// Rows by indices from a table of whole numbers.
    void indexed() {
        ref x = operand();
        if (dims(x).rank == 0 || dims(x).rank == unspool::max_rank) return unary();
        int const extent = dims(x).extent[0];
        bool const scatters = random_.one_in(2);
        int const rows = random_.between(1, options_.largest_extent);
        shape const index = shape::of(scatters ? extent : rows);
        int const most = scatters ? rows : extent;
        if (dims(x).size() / extent * rows > 2 * options_.largest_size) return unary();
        std::vector<double> table;
        for (int i = 0; i < index.size(); ++i) table.push_back(random_.below(2 * most) - most);
        ref const at = note(g_.literal(table.data(), index), {-double(most), double(most)});
        if (scatters)
            tame(note(g_.scatter_add(at, x, most),
                      detail::hull({0, 0}, detail::scaled(range(x), extent))));
        else note(g_.gather(at, x), range(x));
    }

    void binary() {
        ref const a = operand();
        ref const b =
            random_.one_in(6) ? number(random_number(), dims(a)) : fit(operand(), dims(a));
        bool const swap = random_.one_in(2);
        ref const x = swap ? b : a;
        ref const y = swap ? a : b;
        interval const p = range(x);
        interval const q = range(y);
        switch (random_.below(options_.smooth ? 8 : 10)) {
        case 0:
        case 1:
            tame(note(g_.apply<op::add>(x, y), {p.low + q.low, p.high + q.high}));
            break;
        case 2:
            tame(note(g_.apply<op::subtract>(x, y), {p.low - q.high, p.high - q.low}));
            break;
        case 3:
        case 4:
        case 5:
            tame(note(g_.apply<op::multiply>(x, y), detail::product(p, q)));
            break;
        case 6: {
            ref const safe = above(y, 0.25);
            interval const inverse{1 / range(safe).high, 1 / range(safe).low};
            tame(note(g_.apply<op::divide>(x, safe), detail::product(p, inverse)));
            break;
        }
        case 7: {
            ref const base = squashed(x);
            ref const safe = range(base).low >= 0.25 ? base : plus(squared(base), 0.25);
            ref const exponent = squashed(y);
            // 0.25 <= base <= 1.25 and |exponent| <= 1
            note(g_.apply<op::pow>(safe, exponent), {0.25, 4});
            break;
        }
        case 8:
            note(g_.apply<op::maximum>(x, y), {std::max(p.low, q.low), std::max(p.high, q.high)});
            break;
        default:
            note(g_.apply<op::minimum>(x, y), {std::min(p.low, q.low), std::min(p.high, q.high)});
            break;
        }
    }

    /// A comparison and, mostly, a choice by it.
    void chosen() {
        if (options_.smooth) return binary();
        ref const a = operand();
        ref const b = fit(operand(), dims(a));
        ref c = unspool::none;
        if (random_.one_in(5)) {
            // Values that are equal exactly where they are equal: zeros of relu, ones and zeros.
            ref const flat = note(g_.apply<op::relu>(a), {0, std::max(range(a).high, 0.0)});
            c = note(g_.apply<op::equal>(flat, number(0, dims(a))), {0, 1});
        } else {
            // The offset keeps values apart that are equal mathematically but rounded differently.
            ref const apart = plus(b, random_.uniform(0.1, 0.2));
            if (random_.one_in(2)) c = note(g_.apply<op::less>(a, apart), {0, 1});
            else c = note(g_.apply<op::less_equal>(apart, a), {0, 1});
        }
        if (random_.one_in(5)) return;
        note(g_.apply<op::select>(c, a, b), detail::hull(range(a), range(b)));
    }

    void combined() {
        ref const x = operand();
        shape const s = dims(x);
        if (s.rank == 0) return binary();
        if (random_.one_in(2)) {
            shape wide = s;
            ints start;
            for (int i = 0; i < s.rank; ++i) {
                int const more = random_.below(3);
                wide.extent[i] += more;
                start.push_back(random_.between(0, more));
            }
            if (wide.size() > 2 * options_.largest_size) return binary();
            note(g_.pad(x, start, wide), wide == s ? range(x) : detail::hull(range(x), {0, 0}));
            return;
        }
        int const axis = random_.below(s.rank);
        unspool::list<ref> parts{x};
        interval r = range(x);
        int const more = random_.between(1, 4);
        for (int k = 0; k < more; ++k) {
            shape part = s;
            part.extent[axis] = random_.between(1, 2);
            parts.push_back(random_.one_in(6) ? x : fit(operand(), part));
            r = detail::hull(r, range(parts.back()));
        }
        int extent = 0;
        for (ref part : parts) extent += dims(part).extent[axis];
        if (s.size() / s.extent[axis] * extent > 2 * options_.largest_size) return binary();
        note(g_.concatenate(parts, axis), r);
    }

    void viewed() {
        if (view(operand()) == unspool::none) unary();
    }

    void some_reduction() {
        ref const x = operand();
        ints axes;
        for (int i = 0; i < dims(x).rank; ++i)
            if (random_.one_in(2)) axes.push_back(i);
        if (axes.empty()) return unary();
        reduced(x, axes);
    }

    void matrix_product() {
        shape a = random_shape(random_.one_in(4) ? 3 : 2);
        ref x = operand();
        if (dims(x).rank == 2 || dims(x).rank == 3) a = dims(x);
        else x = fit(x, a);
        bool const a_transposed = random_.one_in(3);
        bool const b_transposed = random_.one_in(3);
        int const flags[] = {a_transposed, b_transposed};
        int const last = a.rank - 1;
        int const inner = a.extent[a_transposed ? last - 1 : last];
        int const columns = random_.between(1, options_.largest_extent);
        shape b = a;
        b.extent[last - 1] = b_transposed ? columns : inner;
        b.extent[last] = b_transposed ? inner : columns;
        ref const y = random_.one_in(12) && a == b ? x : fit(operand(), b);
        interval const r = detail::scaled(detail::product(range(x), range(y)), inner);
        ref c = unspool::none;
        if (random_.one_in(6)) {
            ref const addend = fit(operand(), op::dot::infer(a, b, flags));
            c = note(g_.dot(x, y, a_transposed, b_transposed, addend),
                     {r.low + range(addend).low, r.high + range(addend).high});
        } else {
            c = note(g_.dot(x, y, a_transposed, b_transposed), r);
        }
        if (a.rank == 2 && dims(c).size() <= options_.largest_size && random_.one_in(2)) {
            ref const bias = fit(operand(), shape::of(dims(c).extent[1]));
            ref const wide = note(g_.broadcast(bias, {1}, dims(c)), range(bias));
            tame(note(g_.apply<op::add>(c, wide),
                      {range(c).low + range(wide).low, range(c).high + range(wide).high}));
        } else {
            tame(c);
        }
    }

    // ---- loops

    void loop() {
        op::scan_layout l;
        l.steps = random_.one_in(6) ? 1 : random_.between(2, 4);
        l.reverse = random_.one_in(2);
        l.constants = random_.below(4);
        l.carries = random_.below(4);
        l.inputs = random_.below(3);
        if (l.carries + l.inputs == 0) l.carries = 1;

        unspool::list<ref> operands;
        graph_generator inside(random_, options_, depth_ + 1);
        for (int k = 0; k < l.constants; ++k) {
            ref const x = operand();
            operands.push_back(x);
            inside.argument(dims(x), range(x), live(x));
        }
        std::vector<carried> carries;
        for (int k = 0; k < l.carries; ++k) {
            ref const x = carry_start(k > 0 ? &carries[0].dims : nullptr);
            carried c{dims(x), {-1, 1}, carried::update::squashed};
            int const kind = random_.below(10);
            if (kind < 2) c.how = carried::update::accumulated;
            else if (kind < 3) c.how = carried::update::kept;
            else if (kind < 5) c.how = carried::update::handed_on;
            if (c.how == carried::update::accumulated) c.range = {-6, 6};
            operands.push_back(x);
            inside.argument(c.dims, c.range);
            carries.push_back(c);
        }
        for (int k = 0; k < l.inputs; ++k) {
            shape s = random_shape(random_.below(3));
            ref const x = fit(operand(), s.with_front(l.steps));
            operands.push_back(x);
            inside.argument(s, range(x), live(x));
        }
        inside.fill(options_.loop_values);
        for (int k = 0; k < l.carries; ++k)
            inside.g_.results.push_back(
                inside.next_carry(carries, k, inside.g_.arguments[l.first_carry() + k], l));
        l.outputs = random_.below(4);
        if (l.carries + l.outputs == 0) l.outputs = 1;
        std::vector<interval> ranges;
        for (carried const& c : carries) ranges.push_back(c.range);
        for (int k = 0; k < l.outputs; ++k) {
            ref const y = inside.late_value();
            inside.g_.results.push_back(y);
            ranges.push_back(inside.range(y));
        }
        graph body = std::move(inside.g_);
        shape stacked[8];
        for (int k = 0; k < l.results(); ++k) stacked[k] = body.dims(body.results[k]);
        ref const id = note(g_.scan(l, operands, std::move(body)), {});
        bool read = false;
        for (int k = 0; k < l.results(); ++k) {
            if (random_.one_in(4) && (read || k + 1 < l.results())) continue;
            note(g_.output(id, k), ranges[static_cast<std::size_t>(k)]);
            read = true;
        }
    }
    /// A loop of the form that models have: a state driven by products with loop-constant matrices,
    /// gates cut out of one product, and perhaps a sum of products over time.
    void recurrent_layer() {
        int const batch = random_.between(1, 3);
        int const width = random_.between(1, 3);
        int const units = random_.between(1, 3);
        int const gates = random_.one_in(2) ? 1 : 3;
        bool const transposed = random_.one_in(3);
        bool const sums = random_.one_in(3);
        op::scan_layout l;
        l.steps = random_.one_in(8) ? 1 : random_.between(2, 4);
        l.reverse = random_.one_in(3);
        l.constants = 3;
        l.carries = sums ? 2 : 1;
        l.inputs = 1;
        l.outputs = random_.between(1, 2);
        shape const state = shape::of(batch, units);
        shape const wide = shape::of(batch, gates * units);
        shape const recurrent =
            transposed ? shape::of(gates * units, units) : shape::of(units, gates * units);
        unspool::list<ref> operands{
            fit(operand(), shape::of(width, gates * units)), fit(operand(), recurrent),
            fit(operand(), shape::of(gates * units)), fit_into_unit(operand(), state)};
        if (sums) operands.push_back(number(0, shape::of(width, units)));
        operands.push_back(fit(operand(), shape::of(l.steps, batch, width)));

        graph_generator inside(random_, options_, depth_ + 1);
        graph& b = inside.g_;
        double const far = l.steps * batch * range(operands.back()).magnitude();
        for (int k = 0; k < operands.size(); ++k) {
            shape s = dims(operands[k]);
            interval r = range(operands[k]);
            if (k == 3) r = {-1, 1};
            if (k == 4 && sums) r = {-far, far};
            if (k + 1 == operands.size()) s = s.without_front();
            inside.argument(s, r, k == 3 || live(operands[k]));
        }
        ref const h = b.arguments[3];
        ref const x = b.arguments[operands.size() - 1];
        auto const product = [&](ref left, ref right, bool turned, int inner) {
            interval const r = detail::product(inside.range(left), inside.range(right));
            return inside.note(b.dot(left, right, false, turned), detail::scaled(r, inner));
        };
        auto const sum = [&](ref left, ref right) {
            interval const p = inside.range(left);
            interval const q = inside.range(right);
            return inside.note(b.apply<op::add>(left, right), {p.low + q.low, p.high + q.high});
        };
        ref const driven = product(x, b.arguments[0], false, width);
        ref const bias =
            inside.note(b.broadcast(b.arguments[2], {1}, wide), inside.range(b.arguments[2]));
        ref z = random_.one_in(2) ? sum(driven, bias) : sum(bias, driven);
        z = sum(z, product(h, b.arguments[1], transposed, units));
        auto const gate = [&](int k) {
            return inside.note(b.slice(z, {0, k * units}, state), inside.range(z));
        };
        ref next = inside.note(b.apply<op::tanh>(gate(0)), {-1, 1});
        if (gates > 1) {
            ref const open = inside.note(b.apply<op::sigmoid>(gate(1)), {0, 1});
            ref const kept = inside.note(b.apply<op::multiply>(open, h), {-1, 1});
            ref const added = inside.note(
                b.apply<op::multiply>(inside.note(b.apply<op::sigmoid>(gate(2)), {0, 1}), next),
                {-1, 1});
            next = inside.note(b.apply<op::tanh>(sum(kept, added)), {-1, 1});
        }
        inside.fill(random_.below(3));
        b.results.push_back(next);
        if (sums) {
            ref const more =
                inside.note(b.dot(x, random_.one_in(2) ? h : next, true, false), {-far, far});
            b.results.push_back(inside.note(b.apply<op::add>(b.arguments[4], more), {-far, far}));
        }
        std::vector<interval> ranges{{-1, 1}};
        if (sums) ranges.push_back({-far, far});
        for (int k = 0; k < l.outputs; ++k) {
            ref const y = k == 0 ? next : inside.late_value();
            b.results.push_back(y);
            ranges.push_back(inside.range(y));
        }
        ref const id = note(g_.scan(l, operands, std::move(b)), {});
        for (int k = 0; k < l.results(); ++k)
            if (k == l.carries || !random_.one_in(3))
                note(g_.output(id, k), ranges[static_cast<std::size_t>(k)]);
    }
    /// Often of the shape of another carry, so that carries can be exchanged.
    ref carry_start(shape const* like) {
        ref x = operand();
        if (like != nullptr && random_.one_in(2)) x = fit(x, *like);
        if (random_.one_in(4)) x = number(random_.one_in(2) ? 0 : random_.uniform(-1, 1), dims(x));
        return range(x).within(1) ? x : squashed(x);
    }
    ref next_carry(std::vector<carried> const& carries, int k, ref self, op::scan_layout const& l) {
        carried const& c = carries[static_cast<std::size_t>(k)];
        switch (c.how) {
        case carried::update::kept:
            return self;
        case carried::update::handed_on:
            for (int other = 0; other < l.carries; ++other) {
                carried const& o = carries[static_cast<std::size_t>(other)];
                bool const fits = o.dims == c.dims && o.how != carried::update::accumulated;
                if (other != k && fits) return g_.arguments[l.first_carry() + other];
            }
            return fit_into_unit(operand(), c.dims);
        case carried::update::accumulated: {
            // At most four steps of at most 1 above a start of at most 1.
            ref const more = fit_into_unit(operand(), c.dims);
            return note(g_.apply<op::add>(self, more), {-6, 6});
        }
        default: {
            ref x = fit(operand(), c.dims);
            if (random_.one_in(2)) {
                x = note(g_.apply<op::add>(x, self),
                         {range(x).low + c.range.low, range(x).high + c.range.high});
            }
            return range(x).within(1) ? x : squashed(x);
        }
        }
    }
    ref fit_into_unit(ref x, shape const& want) {
        ref const y = fit(x, want);
        return range(y).within(1) ? y : squashed(y);
    }
};

/// The graph of a seed.
inline unspool::graph random_graph(std::uint64_t seed, random_graph_options const& options = {}) {
    dice random(seed);
    return graph_generator(random, options).make();
}

}  // namespace unspool_test
