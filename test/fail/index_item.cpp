// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an expression is indexed by us::all
// expect-note: double
// twin: s/all, 1.0/all, 1/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return x(us::all, 1.0); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
