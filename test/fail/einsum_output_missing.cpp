// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the subscripts of einsum are letters
// expect-note: einsum
// twin: s/ij,jk"/ij,jk->ik"/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto a, auto b) { return us::einsum<"ij,jk">(a, b); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{}, us::tensor<double, 4, 3>{});
