// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

namespace capture {

/// What went wrong, as one sentence that the user can act on; main() prints it and exits with 1.
struct problem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The system's words for an errno value, e.g. "No space left on device".
inline std::string system_words(int error) { return std::generic_category().message(error); }

}  // namespace capture
