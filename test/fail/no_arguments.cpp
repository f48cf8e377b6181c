// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a traced function takes at least one argument
// twin: s/planned(value)/planned(value, 1.0)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto value = [](auto... x) { return (0 + ... + x); };
us::program planned(value);
