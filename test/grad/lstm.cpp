// SPDX-License-Identifier: BSL-1.0
// The LSTM's gradient with respect to parameters, inputs and state, by differences and by the
// adjoint identity, in odd sizes and with matrices that do not commute.
#include "grad/lstm.hpp"

namespace {

using namespace unspool_test;

template <class M>
void check_model() {
    auto const m = std::make_unique<M>();
    check_differences(rich, m->cell, m->xs, m->state, m->weights);
    using T = us::argument_element<decltype(m->xs)>;
    CHECK(us::adjoint_error<0, 1, 2>(5, layer, m->cell, m->xs, m->state) <=
          tolerance::adjoint_identity<T>);
}

}  // namespace

TEST_CASE("the gradient of an LSTM of one unit", "[grad][lstm]") {
    check_model<model<double, 3, 1, 1, 1>>();
}
TEST_CASE("the gradient of an LSTM with a batch, odd sizes", "[grad][lstm]") {
    check_model<model<double, 3, 3, 7, 10>>();
}
TEST_CASE("the gradient of a narrow and long LSTM", "[grad][lstm]") {
    check_model<model<double, 33, 1, 1, 3>>();
}
TEST_CASE("the gradient of a wide LSTM", "[grad][lstm]") {
    check_model<model<double, 4, 1, 33, 17>>();
}
TEST_CASE("the gradient of an LSTM in float", "[grad][lstm]") {
    check_model<model<float, 7, 2, 3, 10>>();
}

TEST_CASE("a program, a direct call and the evaluator agree", "[grad][lstm]") {
    auto const m = std::make_unique<model<double, 5, 3, 7, 3>>();
    auto const loss = [](auto cell, auto xs, auto state) {
        auto const r = us::lstm(cell, xs, state);
        return us::mean(us::square(r.outputs)) + us::sum(us::sin(r.state.c));
    };
    auto const f = us::value_and_grad(loss);
    us::program step(f, m->cell, m->xs, m->state);
    auto const& [value, gradient] = step(m->cell, m->xs, m->state);
    auto const direct = f(m->cell, m->xs, m->state);
    CHECK(direct.value == value);
    CHECK(direct.gradient.kernel == gradient.kernel);
    CHECK(direct.gradient.recurrent_kernel == gradient.recurrent_kernel);
    CHECK(direct.gradient.bias == gradient.bias);
    auto const plain =
        us::run::evaluate_constant<std::remove_const_t<decltype(f)>>(m->cell, m->xs, m->state);
    using unspool_test::array_error;
    double const allowed = tolerance::pass;
    CHECK(plain.value == Approx(value).epsilon(allowed));
    CHECK(array_error(plain.gradient.kernel.data(), gradient.kernel.data(),
                      gradient.kernel.size()) <= allowed);
    CHECK(array_error(plain.gradient.recurrent_kernel.data(), gradient.recurrent_kernel.data(),
                      gradient.recurrent_kernel.size()) <= allowed);
    CHECK(array_error(plain.gradient.bias.data(), gradient.bias.data(), gradient.bias.size()) <=
          allowed);
}
