// SPDX-License-Identifier: BSL-1.0
// expect: unspool: diag takes a vector or a matrix
// expect-note: diag
// twin: s/4, 4, 4>/4, 4>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::diag(x); };
us::program planned(forward_pass, us::tensor<double, 4, 4, 4>{});
