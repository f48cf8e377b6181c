// SPDX-License-Identifier: BSL-1.0
// expect: unspool: an argument or result is neither a tensor, a number
// expect-note: structure<std::vector<double | X = std::vector<double
// twin: s/std::vector{1.0}/std::tuple{1.0}/
#include <unspool/ext/npz.hpp>

namespace us = unspool;

void save() { us::npz::write("x.npz", std::vector{1.0}); }
