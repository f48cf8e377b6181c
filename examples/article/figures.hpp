// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

/// @file
/// Figures beside those of TensorFlow 2.21 (float64, Keras' LSTMCell).
namespace article {

/// The largest relative deviation that is still an agreement.
inline constexpr double tolerance = 1e-12;

/// Prints figures under their references and keeps the largest deviation.
class comparison {
public:
    double worst() const { return worst_; }
    bool agrees() const { return worst_ <= tolerance; }

    /// One figure: "found  reference  deviation".
    void line(char const* what, double found, double reference) {
        double const deviation = std::abs(found - reference) / std::abs(reference);
        // A NaN counts as infinitely far.
        worst_ = std::max(worst_, deviation <= 1e300 ? deviation : HUGE_VAL);
        std::printf("  %-18s %24.17g %24.17g   %7.1e%s\n", what, found, reference, deviation,
                    deviation <= tolerance ? "" : "  <- too far");
    }
    static void head(char const* what) {
        std::printf("\n%-20s %24s %24s   %s\n", what, "unspool", "TensorFlow", "relative");
    }

private:
    double worst_ = 0;
};

/// A bar of up to `width` columns, in eighths of a column.
inline std::string bar(double fraction, int width) {
    static constexpr char const* eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int const n = static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * width * 8));
    std::string text;
    for (int i = 0; i < n / 8; ++i) text += "█";
    return text + eighth[n % 8];
}

}  // namespace article
