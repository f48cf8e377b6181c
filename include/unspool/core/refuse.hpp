// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

/// @file
/// What happens to an argument that only the run can tell is wrong.

namespace unspool {
inline namespace v0 {
namespace detail {

/// Throws the exception; with -fno-exceptions, writes the message to stderr and aborts.
template <class Exception>
[[noreturn]] void refuse(char const* message) {
#if defined(__cpp_exceptions)
    throw Exception(message);
#else
    std::fputs(message, stderr);
    std::abort();
#endif
}

}  // namespace detail
}  // namespace v0
}  // namespace unspool
