// SPDX-License-Identifier: BSL-1.0
// expect: unspool: pad adds a negative number of zeros
// expect-note: padding amounts<-1, 2> | Before = -1; int After = 2
// twin: s/-1, 2/1, 2/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::pad<0, -1, 2>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
