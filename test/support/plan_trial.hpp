// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/graph_trial.hpp"
#include "support/plan_interpreter.hpp"

namespace unspool_test {

/// That the plan of a graph means what the graph means, whatever the order of elements. Empty, or
/// what is wrong.
inline std::string plan_trial(graph const& g, argument_values<double> const& at) {
    auto const expected = evaluated(g, at.pointers());
    unspool::plan const p = unspool::make_plan(g, sizeof(double));
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

}  // namespace unspool_test
