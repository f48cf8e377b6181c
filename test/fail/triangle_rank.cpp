// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a triangle is taken of a matrix
// expect-note: triangle<
// twin: s/double, 4>/double, 4, 4>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::tril(x); };
us::program planned(forward_pass, us::tensor<double, 4>{});
