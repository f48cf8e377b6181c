// SPDX-License-Identifier: BSL-1.0
// The losses of the audio example, with respect to prediction and target.
#include "grad/check.hpp"

using namespace unspool_test;

namespace {

using signal = us::tensor<double, 33, 3>;

template <class F>
void check_loss(F loss) {
    auto const prediction = random<signal>(1);
    auto const target = random<signal>(2);
    check_differences(loss, prediction, target);
    check_adjoints(20, loss, prediction, target);
}

}  // namespace

TEST_CASE("the gradient of the mean squared error", "[grad][losses]") {
    check_loss([](auto y, auto t) { return us::mean_squared_error(y, t); });
}
TEST_CASE("the gradient of the error-to-signal ratio", "[grad][losses]") {
    check_loss([](auto y, auto t) { return us::error_to_signal(y, t); });
}
TEST_CASE("the gradient of the error-to-signal ratio with pre-emphasis", "[grad][losses]") {
    check_loss([](auto y, auto t) {
        return us::error_to_signal(us::pre_emphasis(y), us::pre_emphasis(t), 1e-3);
    });
}
TEST_CASE("the gradient of the DC error", "[grad][losses]") {
    check_loss([](auto y, auto t) { return us::dc_error(y, t); });
}
TEST_CASE("the gradient of the audio example's loss", "[grad][losses]") {
    check_loss([](auto y, auto t) {
        return 0.75 * us::error_to_signal(us::pre_emphasis(y), us::pre_emphasis(t), 1e-5) +
               0.25 * us::dc_error(y, t, 1e-5);
    });
}

TEST_CASE("an LSTM with a dense layer, skip connection and the audio loss", "[grad][losses]") {
    using cell_params = us::lstm_params<double, 1, 7>;
    using layer_params = us::dense_params<double, 7, 1>;
    auto const loss = [](auto p, auto state, auto xs, auto target) {
        auto const r = us::lstm(p.first, xs, state);
        auto const y = us::dense(p.second, r.outputs) + xs;
        auto const value =
            0.75 * us::error_to_signal(us::pre_emphasis(y), us::pre_emphasis(target)) +
            0.25 * us::dc_error(y, target);
        return std::pair{value, r.state};
    };
    using sequence = us::tensor<double, 17, 3, 1>;
    std::pair const p{random<cell_params>(1, 0.5), random<layer_params>(2)};
    auto const state = random<us::lstm_state<double, 3, 7>>(3);
    auto const checked =
        us::check_gradient<0, 1, 2>(loss, p, state, random<sequence>(4), random<sequence>(5));
    INFO(checked.text());
    CHECK(checked);
    CHECK(us::adjoint_error<0, 1>(20, loss, p, state, random<sequence>(4), random<sequence>(5)) <=
          tolerance::adjoint_identity<double>);
}
