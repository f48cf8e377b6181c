// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

namespace unspool_test {

/// Records that the running test case did not apply here and prints why. The runner exits with 77
/// (skipped) when no case of a run applied. Defined in main.cpp.
void note_skip(std::string_view reason);

}  // namespace unspool_test

/// Leaves the running test case, counted as skipped, saying why. Catch2 2.13 has no such word.
#define UNSPOOL_SKIP(reason)               \
    do {                                   \
        ::unspool_test::note_skip(reason); \
        return;                            \
    } while (false)
