// SPDX-License-Identifier: BSL-1.0
// expect: unspool: take needs a table with rows
// expect-note: double, 4>
// twin: s/us::sum(x)/x/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto index) { return us::take(us::sum(x), index); };
us::program planned(forward_pass, us::tensor<double, 3>{}, us::tensor<double, 4>{});
