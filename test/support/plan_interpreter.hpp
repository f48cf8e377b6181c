// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/math/math.hpp>
#include <unspool/op/all.hpp>
#include <unspool/pass/program_plan.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

/// @file
/// Runs any plan at run time, element by element, with no kernel: what the planner's decisions
/// (fusion, order, places, memory in turns) are tested with on random graphs. Every element of the
/// workspace starts as NaN, so that a value read before it is written shows.

namespace unspool_test {

class plan_interpreter {
public:
    explicit plan_interpreter(unspool::plan const& p) : plan_(p) {}

    std::vector<std::vector<double>> run(std::vector<std::vector<double>> arguments,
                                         std::vector<std::size_t> const& result_sizes) {
        arrays_ = std::move(arguments);
        for (std::size_t n : result_sizes) arrays_.emplace_back(n, nan);
        arrays_.emplace_back();
        for (double x : plan_.literals) arrays_.back().push_back(x);
        arrays_.emplace_back(static_cast<std::size_t>(plan_.workspace), nan);
        execute(0, plan_.code.size());
        auto const first = arrays_.begin() + plan_.arguments;
        return {first, first + plan_.results};
    }

private:
    static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    unspool::plan const& plan_;
    std::vector<std::vector<double>> arrays_;
    int time_[unspool::max_loops] = {};
    int iteration_[unspool::max_loops] = {};

    double& at(unspool::place const& p, int const* index, int rank) {
        long k = p.offset;
        for (int i = 0; i < rank; ++i) k += long(index[i]) * p.step[i];
        for (int i = 0; i < unspool::max_loops; ++i)
            k += long(time_[i]) * p.loop_step[i] + (iteration_[i] & 1) * p.loop_flip[i];
        return arrays_.at(static_cast<std::size_t>(p.base)).at(static_cast<std::size_t>(k));
    }
    double read(unspool::place const& p, int const* index, int rank) {
        return p.is_uniform() ? p.value : at(p, index, rank);
    }
    template <class F>
    static void for_each_index(unspool::shape const& s, F f) {
        int index[unspool::max_rank] = {};
        for (int k = 0; k < s.size(); ++k) {
            for (int i = s.rank - 1, rest = k; i >= 0; --i) {
                index[i] = rest % s.extent[i];
                rest /= s.extent[i];
            }
            f(index);
        }
    }
    void execute(int begin, int end) {
        using kind = unspool::instruction::kind;
        for (int i = begin; i < end;) {
            unspool::instruction const& it = plan_.code[i];
            unspool::place const* p = plan_.places.data() + it.first;
            int const rank = it.space.rank;
            if (it.what == kind::loop) {
                for (int n = 0; n < it.steps; ++n) {
                    iteration_[it.depth] = n;
                    time_[it.depth] = it.reverse ? it.steps - 1 - n : n;
                    execute(i + 1, it.end);
                }
                time_[it.depth] = iteration_[it.depth] = 0;
                i = it.end;
                continue;
            }
            if (it.what == kind::group) group(it);
            else if (it.what == kind::product) product(it, p);
            else if (it.what == kind::reduce) reduce(it, p);
            else
                for_each_index(it.space, [&](int const* index) {
                    at(p[0], index, rank) = read(p[1], index, rank);
                });
            ++i;
        }
    }
    void group(unspool::instruction const& it) {
        constexpr auto functions = unspool::op::table<scalar_of>;
        std::vector<double> v(static_cast<std::size_t>(it.count));
        for_each_index(it.space, [&](int const* index) {
            for (int i = 0; i < it.count; ++i) {
                unspool::micro_op const& m = plan_.micros[it.first + i];
                auto const x = [&](int k) { return m.x[k] < 0 ? 0.0 : v[std::size_t(m.x[k])]; };
                if (m.code == unspool::micro_op::load)
                    v[std::size_t(i)] = at(plan_.places[m.place], index, it.space.rank);
                else if (m.code == unspool::micro_op::uniform) v[std::size_t(i)] = m.value;
                else if (m.code == unspool::micro_op::store)
                    at(plan_.places[m.place], index, it.space.rank) = x(0);
                else v[std::size_t(i)] = functions[m.code](x(0), x(1), x(2));
            }
        });
    }
    void product(unspool::instruction const& it, unspool::place const* p) {
        int const rank = it.space.rank;
        std::vector<double> y;
        for_each_index(it.space, [&](int const* index) {
            double sum = it.count > 3 ? read(p[3], index, rank) : 0;
            int a[unspool::max_rank], b[unspool::max_rank];
            std::copy(index, index + unspool::max_rank, a);
            std::copy(index, index + unspool::max_rank, b);
            for (int k = 0; k < it.inner; ++k) {
                a[rank - 1] = k;
                b[rank - 2] = k;
                sum += read(p[0], a, rank) * read(p[1], b, rank);
            }
            y.push_back(sum);
        });
        // All operands before any result: only the addend may share the result's memory.
        std::size_t n = 0;
        for_each_index(it.space, [&](int const* index) { at(p[2], index, rank) = y[n++]; });
    }
    void reduce(unspool::instruction const& it, unspool::place const* p) {
        int const rank = it.space.rank;
        for_each_index(it.space, [&](int const* index) {
            bool first = true;
            for (int i = 0; i < rank; ++i)
                if ((it.reduced >> i & 1) && index[i] != 0) first = false;
            double const x = read(p[0], index, rank);
            double& y = at(p[1], index, rank);
            bool const sum = it.code == unspool::op::code<unspool::op::sum>;
            y = first ? x : sum ? y + x : unspool::op::maximum::value(y, x);
        });
    }
    template <class Op>
    struct scalar_of {
        static double apply(double a, double b, double c) {
            if constexpr (Op::kind == unspool::op::family::elementwise) {
                if constexpr (Op::arity == 1) return Op::value(a);
                else if constexpr (Op::arity == 2) return Op::value(a, b);
                else return Op::value(a, b, c);
            } else {
                return nan;
            }
        }
        static constexpr double (*value)(double, double, double) = &apply;
    };
};

}  // namespace unspool_test
