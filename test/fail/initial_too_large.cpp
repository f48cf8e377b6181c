// SPDX-License-Identifier: BSL-1.0
// expect: unspool: initial returns at most 64 KiB by value
// twin: s/8, 200/8, 4/
#include <unspool/unspool.hpp>

namespace us = unspool;

inline constexpr auto start = us::initial<us::lstm_params<double, 8, 200>>(42);
