// SPDX-License-Identifier: BSL-1.0
// A GRU as a user writes one, with a parameter struct of her own.
#include "../../examples/gru.hpp"

#include "grad/check.hpp"

using namespace unspool_test;
using examples::gru;
using examples::gru_params;

namespace {

inline constexpr auto loss = [](auto cell, auto xs, auto initial) {
    auto const [last, outputs] = gru(cell, xs, initial);
    return us::mean(us::square(outputs)) + us::sum(us::sin(last));
};

template <class T, int Steps, int Batch, int Inputs, int Units>
struct model {
    gru_params<T, Inputs, Units> cell = random<gru_params<T, Inputs, Units>>(1, 0.5);
    us::tensor<T, Steps, Batch, Inputs> xs = random<us::tensor<T, Steps, Batch, Inputs>>(2);
    us::tensor<T, Batch, Units> state = random<us::tensor<T, Batch, Units>>(3, 0.7);
};

}  // namespace

TEST_CASE("the gradient of a GRU", "[grad][gru]") {
    auto const m = std::make_unique<model<double, 5, 2, 3, 7>>();
    check_differences(loss, m->cell, m->xs, m->state);
    check_adjoints(20, gru, m->cell, m->xs, m->state);
    check_subsets(loss, tolerance::pass, m->cell, m->xs, m->state);
}
TEST_CASE("the gradient of a GRU in float", "[grad][gru]") {
    auto const m = std::make_unique<model<float, 10, 1, 1, 17>>();
    check_differences(loss, m->cell, m->xs, m->state);
    CHECK(us::adjoint_error<0, 1, 2>(20, gru, m->cell, m->xs, m->state) <=
          tolerance::adjoint_identity<float>);
}
