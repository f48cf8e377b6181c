// SPDX-License-Identifier: BSL-1.0
// expect: unspool: axes that einsum gives one letter have different extents
// expect-note: 3, 4>
// expect-note: 5, 3>
// twin: s/5, 3>{}/4, 3>{}/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto a, auto b) { return us::einsum<"ij,jk->ik">(a, b); };
us::program planned(forward_pass, us::tensor<double, 3, 4>{}, us::tensor<double, 5, 3>{});
