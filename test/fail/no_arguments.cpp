// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a traced function takes at least one argument
// twin: s/planned(forward_pass)/planned(forward_pass, 1.0)/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto... x) { return (0 + ... + x); };
us::program planned(forward_pass);
