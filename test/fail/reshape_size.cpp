// SPDX-License-Identifier: BSL-1.0
// expect: unspool: reshape changes the number of elements
// expect-note: reshape
// expect-note: 3, 4>
// twin: s/5, 3/6, 2/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::reshape<5, 3>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
