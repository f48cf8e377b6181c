// SPDX-License-Identifier: BSL-1.0
// One size of model; meson.build compiles this once for each.
#include "training.hpp"

namespace capture {

template <model_size Size>
std::unique_ptr<trainer> make_sized_trainer(bool skip);

template <>
std::unique_ptr<trainer> make_sized_trainer<model_size{CAPTURE_UNITS, CAPTURE_WINDOW}>(bool skip) {
    return std::make_unique<sized_trainer<CAPTURE_UNITS, CAPTURE_WINDOW>>(skip);
}

}  // namespace capture
