// SPDX-License-Identifier: BSL-1.0
// The program of the README.
#include <unspool/unspool.hpp>
namespace us = unspool;

using params =
    us::lstm_params<double, 8, 12>;  // a Boost.Hana struct: element type, 8 inputs, 12 units
inline constexpr auto loss = [](auto cell,
                                auto xs) {  // traced by the compiler: nothing is computed here
    return us::mean(us::lstm(cell, xs).outputs);  // xs is time-major: (T, batch, inputs)
};

constexpr params cell =
    us::initial<params>(42);  // Keras' initialisers, seeded, also at compile time
constexpr auto xs = us::normal<double, 10, 1, 8>(7);  // a tensor of 10 steps, batch 1, 8 inputs

constexpr auto result = us::value_and_grad(loss)(cell, xs);  // the compiler runs it
#ifdef CHECK
static_assert(us::gradient_error<loss, cell, xs> < 1e-8);  // and checks it against differences
#endif
int main() {
    us::program step(us::value_and_grad(loss), cell,
                     xs);                        // run time: owns its workspace, call it for ever
    auto const& [value, grad] = step(cell, xs);  // no heap, SIMD; grad.kernel, grad.bias, …
    static_assert(decltype(step)::workspace_bytes < 64 * 1024);
    return value == result.value && grad.bias == result.gradient.bias;
}
