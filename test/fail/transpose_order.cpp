// SPDX-License-Identifier: BSL-1.0
// expect: unspool: transpose names each axis once
// expect-note: transpose
// expect-note: 3, 4>
// twin: s/<0, 0>/<1, 0>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::transpose<0, 0>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
