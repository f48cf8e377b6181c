// SPDX-License-Identifier: BSL-1.0
// The forward and the adjoint graph of one LSTM layer, as traced and as planned: a reviewer sees in
// the difference what a change does to them.
#include <unspool/unspool.hpp>

#include <cstdio>

namespace us = unspool;

inline constexpr auto loss = [](auto cell, auto xs) {
    return us::mean(us::lstm(cell, xs).outputs);
};

using params = us::lstm_params<float, 3, 5>;
using sequence = us::tensor<float, 7, 2, 3>;

int main() {
    auto const forward = us::thaw(us::frozen_function<decltype(loss), params, sequence>::value);
    std::printf("-- forward\n%s\n", us::text(forward).c_str());
    auto const adjoint = us::simplify(us::vjp(forward, {{0, 1, 2}, 1, false}));
    std::printf("-- adjoint\n%s\n", us::text(adjoint).c_str());
    auto const optimised = us::fuse(us::simplify(us::hoist(adjoint, us::machine{}, sizeof(float))));
    std::printf("-- optimised\n%s", us::text(optimised).c_str());
}
