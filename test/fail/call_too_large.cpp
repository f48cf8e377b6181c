// SPDX-License-Identifier: BSL-1.0
// expect: unspool: this call needs more than 64 KiB of workspace or result
// flags: -c -O1
// twin: s/1000, 16/10, 16/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w, auto x) { return us::mean(us::square(us::tanh(us::dot(x, w)))); };
using weights = us::tensor<double, 16, 16>;
using inputs = us::tensor<double, 1000, 16>;
weights call(weights const& w, inputs const& x) { return us::grad(loss)(w, x); }
