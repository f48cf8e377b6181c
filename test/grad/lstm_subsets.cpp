// SPDX-License-Identifier: BSL-1.0
// The LSTM with respect to every subset of parameters, inputs and state.
#include "grad/lstm.hpp"

using namespace unspool_test;

TEST_CASE("adjoints of an LSTM, every subset of active arguments", "[grad][lstm]") {
    auto const m = std::make_unique<model<double, 7, 1, 3, 7>>();
    unspool_test::check_adjoints(100, layer, m->cell, m->xs, m->state);
}
TEST_CASE("adjoints of an LSTM in float, every subset of active arguments", "[grad][lstm]") {
    auto const m = std::make_unique<model<float, 7, 1, 3, 7>>();
    unspool_test::check_adjoints(100, layer, m->cell, m->xs, m->state);
}
TEST_CASE("gradients of an LSTM, every subset of active arguments", "[grad][lstm]") {
    auto const m = std::make_unique<model<double, 7, 1, 3, 7>>();
    auto const loss = [](auto cell, auto xs, auto state) {
        auto const r = us::lstm(cell, xs, state);
        return us::mean(us::square(r.outputs)) + us::sum(us::sin(r.state.c));
    };
    unspool_test::check_subsets(loss, unspool_test::tolerance::pass, m->cell, m->xs, m->state);
}
