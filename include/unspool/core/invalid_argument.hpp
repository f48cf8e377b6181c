// SPDX-License-Identifier: BSL-1.0
#pragma once

#if defined(__cpp_exceptions)
#include <stdexcept>
#else
#include <cstdio>
#include <cstdlib>
#endif

/// @file
/// What happens to an argument that only the run can tell is wrong.

namespace unspool {
inline namespace v0 {
namespace detail {

/// Throws std::invalid_argument; with -fno-exceptions, writes the message to stderr and aborts.
[[noreturn]] inline void invalid_argument(char const* message) {
#if defined(__cpp_exceptions)
    throw std::invalid_argument(message);
#else
    std::fputs(message, stderr);
    std::abort();
#endif
}

}  // namespace detail
}  // namespace v0
}  // namespace unspool
