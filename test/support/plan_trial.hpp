// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/graph_trial.hpp"
#include "support/plan_interpreter.hpp"

namespace unspool_test {

/// A core on which everything that can be packed, taken from registers or spread is.
inline unspool::machine eager() {
    unspool::machine core;
    core.packing_rows = 1;
    core.packing_bytes = 0;
    core.epilogue_rows = 1000;
    core.registers = 1000;
    core.store_to_load = 1e9;
    core.conflict_bytes = 1;
    return core;
}

/// That a plan of the graph means what the graph means, whatever the order of elements. Empty, or
/// what is wrong.
inline std::string plan_trial(graph const& g, argument_values<double> const& at,
                              unspool::plan const& p) {
    auto const expected = evaluated(g, at.pointers());
    std::vector<int> sizes;
    for (auto const& v : expected) sizes.push_back(static_cast<int>(v.size()));
    for (element_order order :
         {element_order::ascending, element_order::descending, element_order::all_loads_first}) {
        try {
            auto const got = plan_interpreter(p, order).run(at.values, sizes);
            if (auto const wrong = rounding_trial(g, at, expected, got); !wrong.empty())
                return wrong + " in order " + std::to_string(static_cast<int>(order));
        } catch (plan_error const& wrong) {
            return wrong.what();
        }
    }
    return {};
}

inline std::string plan_trial(graph const& g, argument_values<double> const& at) {
    return plan_trial(g, at, unspool::make_plan(g, unspool::machine{}, sizeof(double)));
}

}  // namespace unspool_test
