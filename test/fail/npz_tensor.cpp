// SPDX-License-Identifier: BSL-1.0
// expect: unspool: npz files hold structures of tensors; a tensor alone goes into an npy file
// expect-note: npz_structure<unspool::tensor<double, 3 | X = unspool::v0::tensor<double, 3
// twin: s/npz::write/npy::write/
#include <unspool/ext/npz.hpp>

namespace us = unspool;

void save() { us::npz::write("x", us::tensor<double, 3>{}); }
