// SPDX-License-Identifier: BSL-1.0
// expect: unspool: a diagonal lies outside of its matrix
// expect-note: diagonal of
// expect-note: 3, 4>
// twin: s/diagonal<4>/diagonal<3>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto x) { return us::diagonal<4>(x); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{});
