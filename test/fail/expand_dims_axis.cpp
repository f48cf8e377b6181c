// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a new axis lies beyond the result's
// expect-note: new axis
// expect-note: 3, 4>
// twin: s/expand_dims<3>/expand_dims<2>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::expand_dims<3>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
