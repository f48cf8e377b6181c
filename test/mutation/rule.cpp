// SPDX-License-Identifier: BSL-1.0
// All laws of one operation, UNSPOOL_OPERATION: what tools/mutate.py kills mutants of its rules by.
#include "laws/operations.hpp"

#include <cstdio>

using namespace unspool_test;
using operation = op::UNSPOOL_OPERATION;

namespace {

using law_of_use = std::string (*)(use const&, std::uint64_t);

bool holds(char const* name, law_of_use law, std::uint64_t seeds) {
    for (use const& u : laws<operation>::uses())
        for (std::uint64_t seed = 0; seed < seeds; ++seed)
            if (std::string const wrong = law(u, seed); !wrong.empty()) {
                std::printf("%s: %s\n", name, wrong.c_str());
                return false;
            }
    return true;
}

bool keeps_its_laws() {
    if (!holds("value", value_law<double>, 20)) return false;
    if constexpr (operation::kind != op::family::source && operation::kind != op::family::loop) {
        if (!holds("jvp", jvp_law<operation>, 20)) return false;
        if (!holds("vjp", vjp_law<double, operation>, 20)) return false;
        if (!holds("batch", batch_law<operation>, 10)) return false;
    }
    constexpr auto passes = [](use const& u, std::uint64_t seed) {
        return pass_law(u, seed, !op::never_differentiable<operation>);
    };
    return holds("passes", passes, 10);
}

}  // namespace

int main() { return keeps_its_laws() ? 0 : 1; }
