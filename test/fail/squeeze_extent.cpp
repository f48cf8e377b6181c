// SPDX-License-Identifier: BSL-1.0
// expect: unspool: squeeze takes away axes of extent 1 alone
// expect-note: squeeze
// expect-note: 3, 1>
// twin: s/squeeze<0>/squeeze<1>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::squeeze<0>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 1>{});
