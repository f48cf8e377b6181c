// SPDX-License-Identifier: BSL-1.0
// Two operands of the other element: one sentence all the same.
// expect: unspool: a product mixes float and double
// expect-note: traced<double>, 2, 3>
// expect-note: traced<float>, 3, 4>
// expect-note: traced<float>, 4>
// twin: s/tensor<float, N...>/tensor<double, N...>/
#include <unspool/unspool.hpp>

namespace us = unspool;

template <int... N>
using table = us::tensor<float, N...>;
constexpr table<3, 4> matrix{};
constexpr table<4> vector{};
constexpr auto forward_pass = [](auto a) {
    return us::einsum<"ij,jk,k->i">(a, us::constant(matrix), us::constant(vector));
};
us::program planned(forward_pass, us::tensor<double, 2, 3>{});
