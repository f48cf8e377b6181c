// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the result of einsum has a letter twice
// expect-note: einsum
// twin: s/->ii/->ik/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto a, auto b) { return us::einsum<"ij,jk->ii">(a, b); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{}, us::tensor<double, 4, 3>{});
