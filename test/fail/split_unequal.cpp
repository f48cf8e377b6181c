// SPDX-License-Identifier: BSL-1.0
// expect: unspool: split needs equal pieces
// expect-note: split<3 | Parts = 3
// expect-note: 3, 4>
// twin: s/split<3>/split<2>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::split<3>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
