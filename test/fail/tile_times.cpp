// SPDX-License-Identifier: BSL-1.0
// expect: unspool: tile repeats its operand at least once
// expect-note: tile
// twin: s/tile<0, 0>/tile<0, 2>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::tile<0, 0>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
