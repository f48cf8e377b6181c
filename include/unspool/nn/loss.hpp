// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/reduction.hpp>

/// @file
/// Losses. `prediction` and `target` have one shape; of sequences, the first axis is time. A loss
/// is a scalar.

namespace unspool {
inline namespace v0 {

namespace detail {

template <class Prediction, class Target>
constexpr auto prediction_and_target() {
    if constexpr (!std::is_arithmetic_v<Target>)
        static_assert(Prediction::dims == Target::dims,
                      "unspool: a loss takes a prediction and a target of one shape; both stand in "
                      "prediction_and_target<prediction, target>");
    return true;
}

}  // namespace detail

/// mean((ŷ − y)²).
template <expression Prediction, operand Target>
constexpr auto mean_squared_error(Prediction const& prediction, Target const& target) {
    detail::prediction_and_target<Prediction, Target>();
    return mean(square(prediction - target));
}

/// Σ(y − ŷ)² / (Σy² + floor): the power of the error as a fraction of the target's. A target that
/// may be silent needs a floor. Source: Wright et al., Real-Time Guitar Amplifier Emulation with
/// Deep Learning, Applied Sciences 10 (2020), eq. 5.
template <expression Prediction, expression Target>
constexpr auto error_to_signal(Prediction const& prediction, Target const& target,
                               double floor = 0) {
    detail::prediction_and_target<Prediction, Target>();
    return sum(square(target - prediction)) / (sum(square(target)) + floor);
}

/// The filter 1 − coefficient·z⁻¹ along time, from silence: it weighs high frequencies as the ear
/// does. With 0.85 it is the pre-emphasis of amplifier modelling (source as above).
template <expression Signal>
constexpr auto pre_emphasis(Signal const& x, double coefficient = 0.85) {
    constexpr bool fits = Signal::rank > 0 && Signal::dims.extent[0] > 1;
    static_assert(
        fits, "unspool: pre-emphasis takes a signal of two samples or more, its first axis being "
              "time; it stands in pre_emphasis<signal>");
    if constexpr (fits) {
        constexpr int steps = Signal::dims.extent[0];
        auto const later = slice<0, 1, steps>(x) - coefficient * slice<0, 0, steps - 1>(x);
        return concatenate<0>(slice<0, 0, 1>(x), later);
    } else {
        return detail::no_result<op::concatenate, element_t<Signal>, Signal::dims>(
            fault::kind::told, x.scope);
    }
}

/// mean over sequences of (mean(y) − mean(ŷ))², the means over time, divided by mean(y²) + floor:
/// the part of the error that is constant. Source as above, eq. 7.
template <expression Prediction, expression Target>
constexpr auto dc_error(Prediction const& prediction, Target const& target, double floor = 0) {
    detail::prediction_and_target<Prediction, Target>();
    auto const offset = mean(square(mean<0>(target) - mean<0>(prediction)));
    return offset / (mean(square(target)) + floor);
}

}  // namespace v0
}  // namespace unspool
