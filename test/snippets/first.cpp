// SPDX-License-Identifier: BSL-1.0
// [program]
#include <unspool/unspool.hpp>

#include <cstdio>

namespace us = unspool;

using params = us::lstm_params<double, 8, 12>;         // a Boost.Hana struct: 8 inputs, 12 units
inline constexpr auto loss = [](auto cell, auto xs) {  // traced: nothing is computed here
    return us::mean(us::lstm(cell, xs).outputs);       // xs is time-major: (T, batch, inputs)
};

constexpr params cell = us::initial<params>(42);      // Keras' initialisers, also in a constant
constexpr auto xs = us::normal<double, 10, 1, 8>(7);  // 10 steps, batch 1, 8 inputs

constexpr auto result = us::value_and_grad(loss)(cell, xs);  // the compiler computes a gradient
static_assert(us::gradient_error<loss, cell, xs> < 1e-8);    // and checks it by differences

int main() {
    us::program step(us::value_and_grad(loss), cell, xs);  // plans once; call it for ever
    auto const& [value, grad] = step(cell, xs);            // no heap, SIMD: grad.kernel, …
    static_assert(decltype(step)::workspace_bytes < 64 * 1024);
    std::printf("%.12f at run time, %.12f from the compiler\n", value, result.value);
}
// [/program]
