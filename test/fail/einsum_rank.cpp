// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the subscripts of einsum have one letter for each axis
// expect-note: 3, 4>
// twin: s/ijk,/ij,/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto a, auto b) { return us::einsum<"ijk,jk->ik">(a, b); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{}, us::tensor<double, 4, 3>{});
