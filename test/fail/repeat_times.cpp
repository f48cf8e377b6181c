// SPDX-License-Identifier: BSL-1.0
// expect: unspool: repeat repeats each element at least once
// expect-note: repeat
// twin: s/repeat<0, 0>/repeat<0, 2>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::repeat<0, 0>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
