// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an argument of a traced function has elements of float or double
// expect-note: arguments<int> | Element = {int}
// twin: s/us::tensor<int, 3>/us::tensor<double, 3>/
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr auto loss = [](auto w) { return us::sum(us::square(w)); };
us::program planned(us::grad(loss), us::tensor<int, 3>{});
