// SPDX-License-Identifier: BSL-1.0
// What a project of someone else does first: one gradient, in a constant and at run time.
#include <unspool/unspool.hpp>

namespace us = unspool;

inline constexpr auto loss = [](auto x) { return us::sum(us::square(x)); };
constexpr us::tensor<double, 3> x{1.0, 2.0, 3.0};
constexpr auto gradient = us::grad(loss)(x);
static_assert(gradient[2] == 6.0);

int main() {
    us::program step(us::value_and_grad(loss), x);
    auto const& [value, grad] = step(x);
    return value == 14.0 && grad[1] == 4.0 ? 0 : 1;
}
