// SPDX-License-Identifier: BSL-1.0
// expect: unspool: scatter_add needs rows whose first axes are those of the indices
// expect-note: double, 4, 2>
// twin: s/double, 4, 2/double, 3, 2/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x, auto index) { return us::scatter_add<5>(index, x); };
us::program planned(forward_pass, us::tensor<double, 4, 2>{}, us::tensor<double, 3>{});
