// SPDX-License-Identifier: BSL-1.0
// Without exceptions a wrong argument ends the program with its message: `refused memory`, or
// `refused shape`.
#include <unspool/unspool.hpp>

#include <array>
#include <span>
#include <string_view>

namespace us = unspool;

inline constexpr auto loss = [](auto x) { return us::sum(us::square(x)); };
using gradient_program = decltype(us::program(us::value_and_grad(loss), us::tensor<float, 3>{}));

int main(int, char** argv) {
    if (std::string_view(argv[1]) == "memory") gradient_program{std::span<std::byte>{}};
    std::array<float, 4> const x{};
    return static_cast<int>(us::as<us::tensor<float, 3>>(x)[0]);
}
