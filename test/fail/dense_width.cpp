// SPDX-License-Identifier: BSL-1.0
// expect: unspool: the last axis of a dense layer's input has another width than the layer has inputs
// expect-note: dense<
// expect-note: 7, 4>
// twin: s/7, 4/7, 3/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto forward_pass = [](auto layer, auto x) { return us::dense(layer, x); };
us::program planned(forward_pass, us::dense_params<double, 3, 2>{}, us::tensor<double, 7, 4>{});
