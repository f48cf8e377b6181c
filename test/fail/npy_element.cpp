// SPDX-License-Identifier: BSL-1.0
// expect: unspool: npy files hold float, double, bool and integers of up to 8 bytes
// expect-note: npy_element<long double> | T = long double
// twin: s/long double/double/
#include <unspool/ext/npy.hpp>

namespace us = unspool;

void save() { us::npy::write("x.npy", us::tensor<long double, 3>{}); }
