// SPDX-License-Identifier: BSL-1.0
// A GRU as a user writes one, with a parameter struct of her own.
#include "grad/check.hpp"

using namespace unspool_test;

namespace {

template <class T, auto... N>
struct gru_params;
template <class T, auto Inputs, auto Units>
struct gru_params<T, Inputs, Units> {
    BOOST_HANA_DEFINE_STRUCT(gru_params, (us::tensor<T, Inputs, 3 * Units>, kernel),
                             (us::tensor<T, Units, 3 * Units>, recurrent_kernel),
                             (us::tensor<T, 2, 3 * Units>, bias));
};

// Gates z, r, h as in Keras with reset_after.
inline constexpr auto gru = [](auto cell, auto xs, auto initial) {
    auto const step = [&](auto const& h, auto const& x) {
        auto const from_input = us::split<3>(us::dot(x, cell.kernel) + cell.bias[0]);
        auto const from_state = us::split<3>(us::dot(h, cell.recurrent_kernel) + cell.bias[1]);
        auto const z = us::sigmoid(from_input[0] + from_state[0]);
        auto const r = us::sigmoid(from_input[1] + from_state[1]);
        auto const n = us::tanh(from_input[2] + r * from_state[2]);
        auto const next = z * h + (1 - z) * n;
        return std::pair{next, next};
    };
    return us::scan(step, initial, xs);
};
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
