// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an expression has fewer axes than its index names
// expect-note: 3, 4>
// twin: s/us::at<0>, //
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return x(us::at<0>, us::all, us::at<1>); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
