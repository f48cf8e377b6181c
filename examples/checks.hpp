// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>

/// @file
/// Figures of an example beside what they must be. An example is also a test: it ends with
/// `exit_code()`.
namespace examples {

class checks {
public:
    /// |found − expected| ≤ tolerance · max(|expected|, scale).
    void close(char const* what, double found, double expected, double tolerance,
               double scale = 0) {
        double const size = std::max(std::abs(expected), scale);
        bool const good = std::abs(found - expected) <= tolerance * size;
        std::printf("  %-36s %17.10g  expected %17.10g%s\n", what, found, expected,
                    told(good, "  <- too far"));
    }
    void below(char const* what, double found, double bound) {
        std::printf("  %-36s %17.10g  below    %17.10g%s\n", what, found, bound,
                    told(found < bound, "  <- too large"));
    }
    /// Anything that tells what it found: `us::gradient_check`.
    template <class Verdict>
    void good(char const* what, Verdict const& verdict) {
        bool const good{verdict};
        std::printf("  %-36s %s\n", what, told(good, verdict.text().c_str(), "as by differences"));
    }
    int exit_code() const { return failed_ ? 1 : 0; }

private:
    char const* told(bool good, char const* wrong, char const* right = "") {
        failed_ = failed_ || !good;
        return good ? right : wrong;
    }
    bool failed_ = false;
};

}  // namespace examples
