// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/evaluate.hpp>
#include <unspool/pass/plan.hpp>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

/// The plain meaning of a plan, element by element and suspicious: every address is checked,
/// nothing may be read before it is written, and kernels may take their elements in any order.
namespace unspool_test {

/// How the elements of one instruction are taken. A plan must mean the same in each: kernels work
/// in blocks of vectors, and an instruction that overwrites what another element of it still reads
/// would differ.
enum class element_order { ascending, descending, all_loads_first };

struct plan_error : std::runtime_error {
    using runtime_error::runtime_error;
};

class plan_interpreter {
public:
    using plan = unspool::plan;
    using place = unspool::place;
    using shape = unspool::shape;
    using instruction = unspool::instruction;
    using micro_op = unspool::micro_op;

    plan_interpreter(plan const& p, element_order order) : plan_(p), order_(order) {}

    /// Element counts of the results come from `sizes`.
    std::vector<std::vector<double>> run(std::vector<std::vector<double>> const& arguments,
                                         std::vector<int> const& sizes) {
        double const unwritten = std::numeric_limits<double>::signaling_NaN();
        arrays_ = arguments;
        for (int n : sizes) arrays_.emplace_back(static_cast<std::size_t>(n), unwritten);
        arrays_.emplace_back(plan_.literals.begin(), plan_.literals.end());
        arrays_.emplace_back(static_cast<std::size_t>(plan_.workspace), unwritten);
        execute(0, plan_.code.size());
        return {arrays_.begin() + plan_.arguments,
                arrays_.begin() + plan_.arguments + plan_.results};
    }

private:
    plan const& plan_;
    element_order order_;
    std::vector<std::vector<double>> arrays_;
    int time_[unspool::max_loops] = {};
    int iteration_[unspool::max_loops] = {};

    void execute(int begin, int end) {
        for (int at = begin; at < end;) {
            instruction const& self = plan_.code[at];
            switch (self.what) {
            case instruction::kind::group:
                group(self);
                break;
            case instruction::kind::product:
                product(self);
                break;
            case instruction::kind::reduce:
                reduce(self);
                break;
            case instruction::kind::pack:
            case instruction::kind::copy:
                copy(self);
                break;
            case instruction::kind::gather:
            case instruction::kind::scatter_add:
                indexing(self);
                break;
            case instruction::kind::loop:
                for (int i = 0; i < self.steps; ++i) {
                    iteration_[self.depth] = i;
                    time_[self.depth] = self.reverse ? self.steps - 1 - i : i;
                    execute(at + 1, self.end);
                }
                at = self.end;
                continue;
            }
            ++at;
        }
    }

    // ---- elements of places

    static std::vector<std::vector<int>> indices(shape const& space) {
        std::vector<std::vector<int>> all;
        std::vector<int> index(static_cast<std::size_t>(space.rank), 0);
        for (int i = 0; i < space.size(); ++i) {
            int rest = i;
            for (int axis = space.rank - 1; axis >= 0; --axis) {
                index[static_cast<std::size_t>(axis)] = rest % space.extent[axis];
                rest /= space.extent[axis];
            }
            all.push_back(index);
        }
        return all;
    }
    double& element(place const& p, std::vector<int> const& index, bool written) {
        if (!p.exists() || p.is_uniform()) throw plan_error("a place that has no address");
        if (written && p.base < plan_.arguments) throw plan_error("an argument is written");
        if (written && p.base == plan_.literal_base()) throw plan_error("a literal is written");
        int at = p.offset;
        for (std::size_t i = 0; i < index.size(); ++i) at += index[i] * p.step[i];
        for (int d = 0; d < unspool::max_loops; ++d)
            at += time_[d] * p.loop_step[d] + (iteration_[d] & 1) * p.loop_flip[d];
        auto& array = arrays_.at(static_cast<std::size_t>(p.base));
        if (at < 0 || at >= static_cast<int>(array.size()))
            throw plan_error("an address outside of array " + std::to_string(p.base));
        return array[static_cast<std::size_t>(at)];
    }
    place const& place_of(instruction const& self, int k) const {
        return plan_.places[self.first + k];
    }
    std::vector<double> read(place const& p, shape const& space) {
        std::vector<double> values;
        for (auto const& index : indices(space)) values.push_back(element(p, index, false));
        return values;
    }
    /// Writes a whole result. Where operands were read before, their memory may be overwritten; a
    /// kernel that streams has overwritten some of it by then, so it is spoilt first.
    void write(place const& p, shape const& space, std::vector<double> const& values) {
        auto const all = indices(space);
        for (std::size_t i = 0; i < all.size(); ++i) element(p, all[i], true) = values[i];
    }
    void spoil(place const& p, shape const& space) {
        for (auto const& index : indices(space))
            element(p, index, true) = std::numeric_limits<double>::signaling_NaN();
    }

    // ---- instructions

    void group(instruction const& self) {
        run_micros(self.space, self.first, self.count, [](auto const&, int) { return 0.0; });
    }
    /// `given(index, which)` is what a product hands to its epilogue.
    template <class Given>
    void run_micros(shape const& space, int first, int count, Given given) {
        auto all = indices(space);
        if (order_ == element_order::descending)
            std::vector<std::vector<int>>(all.rbegin(), all.rend()).swap(all);
        auto const steps = static_cast<std::size_t>(count);
        std::vector<std::vector<double>> registers(all.size(), std::vector<double>(steps));
        auto const pass = [&](std::size_t i, bool stores) {
            for (int s = 0; s < count; ++s) {
                micro_op const& m = plan_.micros[first + s];
                double& value = registers[i][static_cast<std::size_t>(s)];
                auto const operand = [&](int k) {
                    return registers[i].at(static_cast<std::size_t>(m.x[k]));
                };
                if (m.code == micro_op::store) {
                    if (stores) element(plan_.places[m.place], all[i], true) = operand(0);
                } else if (order_ == element_order::all_loads_first && stores) {
                    continue;
                } else if (m.code == micro_op::load) {
                    value = element(plan_.places[m.place], all[i], false);
                } else if (m.code == micro_op::uniform) {
                    value = m.value;
                } else if (m.code == micro_op::product) {
                    value = given(all[i], m.x[0]);
                } else {
                    value = compute(m, operand);
                }
            }
        };
        if (order_ == element_order::all_loads_first)
            for (std::size_t i = 0; i < all.size(); ++i) pass(i, false);
        for (std::size_t i = 0; i < all.size(); ++i) pass(i, true);
    }
    /// A product's elements are formed one by one, each before its epilogue runs: what the epilogue
    /// of one element writes, no other element may read.
    void product_with_epilogue(instruction const& self) {
        int const rows = self.space.extent[0];
        int const width = self.space.extent[1] / self.groups;
        shape const space = unspool::squeezed(shape::of(rows, width));
        run_micros(space, self.epilogue, self.epilogue_count,
                   [&](std::vector<int> const& index, int block) {
                       int const row = rows == 1 ? 0 : index.front();
                       int const column = block * width + index.back();
                       double sum = 0;
                       if (self.count > 3) sum = element(place_of(self, 3), {row, column}, false);
                       for (int i = 0; i < self.inner; ++i)
                           sum += element(place_of(self, 0), {row, i}, false) *
                                  element(place_of(self, 1), {i, column}, false);
                       return sum;
                   });
    }
    template <class Operand>
    static double compute(micro_op const& m, Operand operand) {
        constexpr auto functions =
            unspool::op::table<unspool::detail::evaluation_table<double>::template make>;
        double x[3] = {};
        double const* p[3] = {&x[0], &x[1], &x[2]};
        for (int k = 0; k < 3; ++k)
            if (m.x[k] != unspool::none) x[k] = operand(k);
        double y = 0;
        unspool::op::evaluation<double> e;
        e.x = p;
        e.y = &y;
        functions[m.code](e);
        return y;
    }

    void product(instruction const& self) {
        if (self.epilogue_count > 0) return product_with_epilogue(self);
        shape const& c = self.space;
        int const m = c.extent[c.rank - 2];
        int const n = c.extent[c.rank - 1];
        int const k = self.inner;
        auto const matrices = [&](int rows, int columns) {
            shape s = c;
            s.extent[c.rank - 2] = rows;
            s.extent[c.rank - 1] = columns;
            return s;
        };
        std::vector<double> total(static_cast<std::size_t>(c.size()), 0.0);
        if (self.count > 3) total = read(place_of(self, 3), c);
        if (order_ == element_order::descending) spoil(place_of(self, 2), c);
        auto const a = read(place_of(self, 0), matrices(m, k));
        auto const b = read(place_of(self, 1), matrices(k, n));
        int const batches = c.size() / (m * n);
        for (int z = 0; z < batches; ++z)
            for (int row = 0; row < m; ++row)
                for (int column = 0; column < n; ++column)
                    for (int i = 0; i < k; ++i)
                        total[static_cast<std::size_t>((z * m + row) * n + column)] +=
                            a[static_cast<std::size_t>((z * m + row) * k + i)] *
                            b[static_cast<std::size_t>((z * k + i) * n + column)];
        write(place_of(self, 2), c, total);
    }

    void reduce(instruction const& self) {
        place const& to = place_of(self, 1);
        auto const reduced = [&](std::vector<int> const& index) {
            for (int axis = 0; axis < self.space.rank; ++axis)
                if ((self.reduced >> axis & 1) != 0 && index[static_cast<std::size_t>(axis)] != 0)
                    return true;
            return false;
        };
        auto const all = indices(self.space);
        auto operand = read(place_of(self, 0), self.space);
        if (order_ == element_order::descending) {
            spoil(to, self.space);
            operand = read(place_of(self, 0), self.space);
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            double& y = element(to, all[i], true);
            if (!reduced(all[i])) y = operand[i];
            else if (self.code == unspool::op::code<unspool::op::sum>) y += operand[i];
            else if (!(operand[i] <= y)) y = operand[i];
        }
    }

    /// Everything that an indexing touches is row-major.
    void indexing(instruction const& self) {
        auto const flat = [&](int k) {
            place p = place_of(self, k).without_steps();
            p.step[0] = 1;
            return p;
        };
        bool const scatters = self.what == instruction::kind::scatter_add;
        int const count = self.space.size();
        int const row = self.inner;
        shape const table = shape::of(self.extent * row);
        shape const rows = shape::of(count * row);
        auto const index = read(flat(1), shape::of(count));
        if (order_ == element_order::descending) spoil(flat(0), scatters ? table : rows);
        auto const from = read(flat(2), scatters ? rows : table);
        std::vector<double> to(static_cast<std::size_t>((scatters ? table : rows).size()), 0.0);
        for (int i = 0; i < count; ++i) {
            int at = static_cast<int>(index.at(static_cast<std::size_t>(i)));
            if (at < 0) at += self.extent;
            for (int k = 0; k < row; ++k) {
                auto const in_table = static_cast<std::size_t>(at * row + k);
                auto const in_rows = static_cast<std::size_t>(i * row + k);
                if (scatters) to.at(in_table) += from.at(in_rows);
                else to.at(in_rows) = from.at(in_table);
            }
        }
        write(flat(0), scatters ? table : rows, to);
    }

    void copy(instruction const& self) {
        place const& to = place_of(self, 0);
        place const& from = place_of(self, 1);
        std::vector<double> values(static_cast<std::size_t>(self.space.size()), from.value);
        if (order_ == element_order::descending) spoil(to, self.space);
        if (!from.is_uniform()) values = read(from, self.space);
        write(to, self.space, values);
    }
};

}  // namespace unspool_test
