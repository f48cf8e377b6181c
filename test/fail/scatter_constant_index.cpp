// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an index is out of range
// expect-note: index<3, 3> | Index = 3; int Extent = 3
// twin: s/scatter_add<3>/scatter_add<4>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr us::tensor<int, 4> place{0, 3, -1, 0};
constexpr auto forward_pass = [](auto x) { return us::scatter_add<3>(us::constant(place), x); };
us::program planned(forward_pass, us::tensor<double, 4, 2>{});
