// SPDX-License-Identifier: BSL-1.0
// Long sequences: 2048 steps, checked along directions, in double and float.
#include "grad/lstm.hpp"

using namespace unspool_test;

TEST_CASE("the gradient over 2048 steps", "[grad][long]") {
    auto const m = std::make_unique<model<double, 2048, 3, 1, 10>>();
    us::gradient_check const checked = us::check_gradient<0, 1, 2, 3>(
        {.tolerance = tolerance::differences, .every_entry_up_to = 64, .directions = 48}, rich,
        m->cell, m->xs, m->state, m->weights);
    INFO(checked.text());
    CHECK(checked);
    CHECK(us::adjoint_error<0, 1, 2>(5, layer, m->cell, m->xs, m->state) <=
          tolerance::adjoint_identity<double>);
}

TEST_CASE("the gradient over 2048 steps in float", "[grad][long]") {
    auto const m = std::make_unique<model<float, 2048, 1, 1, 17>>();
    CHECK(us::adjoint_error<0, 1, 2>(5, layer, m->cell, m->xs, m->state) <=
          tolerance::adjoint_identity<float>);
    // Against the same in double.
    auto const f = us::grad<0, 1, 2>(rich);
    auto run = [&](auto const& m_) {
        using program =
            us::program<std::remove_const_t<decltype(f)>, std::remove_cvref_t<decltype(m_.cell)>,
                        std::remove_cvref_t<decltype(m_.xs)>,
                        std::remove_cvref_t<decltype(m_.state)>,
                        std::remove_cvref_t<decltype(m_.weights)>>;
        auto result = std::make_unique<typename program::result_type>();
        (*std::make_unique<program>())(m_.cell, m_.xs, m_.state, m_.weights, *result);
        return result;
    };
    auto const exact = std::make_unique<model<double, 2048, 1, 1, 17>>();
    us::check::assign(exact->cell, m->cell);
    us::check::assign(exact->xs, m->xs);
    us::check::assign(exact->state, m->state);
    us::check::assign(exact->weights, m->weights);
    auto const in_float = run(*m);
    auto const in_double = run(*exact);
    auto rounded = std::make_unique<std::remove_cvref_t<decltype(*in_double)>>();
    us::check::assign(*rounded, *in_float);
    CHECK(apart(*rounded, *in_double) <= 1e-4);
}
