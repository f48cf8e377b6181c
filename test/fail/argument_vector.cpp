// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an argument or result is neither a tensor, a number
// expect-note: structure<std::vector<double | X = std::vector<double
// twin: s/std::vector<double>/us::tensor<double, 3>/
#include <vector>

#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w, auto x) { return us::sum(us::square(w)) + us::sum(x); };
us::program planned(us::grad(loss), us::tensor<double, 3>{}, std::vector<double>{});
