// SPDX-License-Identifier: BSL-1.0
// A model in a header, used by two units of one program.
#pragma once

#include <unspool/unspool.hpp>

namespace model {

using params = unspool::lstm_params<float, 2, 5>;
using sequence = unspool::tensor<float, 6, 3, 2>;

inline constexpr auto loss = [](auto cell, auto xs) {
    return unspool::mean(unspool::lstm(cell, xs).outputs);
};
using gradient = decltype(unspool::value_and_grad(loss));
using program = unspool::program<gradient, params, sequence>;

/// What each unit finds: the address of the function says whether both share one definition.
struct finding {
    float value;
    float bias;
    void const* function;
};
inline finding compute(params const& cell, sequence const& xs) {
    program step;
    auto const& [value, grad] = step(cell, xs);
    return {value, grad.bias[0], &loss};
}
finding compute_elsewhere(params const& cell, sequence const& xs);

}  // namespace model
