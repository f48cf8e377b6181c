// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an index leaves its axis or takes nothing of it
// expect-note: range t<2, 5, 1>
// expect-note: 3, 4>
// twin: s/range<2, 5>/range<2, 4>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return x(us::all, us::range<2, 5>); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
