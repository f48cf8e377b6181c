// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// The folder of the reference files; the environment variable of that name wins over the build.
#ifndef UNSPOOL_PARITY_DIR
#ifdef UNSPOOL_TEST_FOLDER
#define UNSPOOL_PARITY_DIR UNSPOOL_TEST_FOLDER "/parity/data"
#else
#define UNSPOOL_PARITY_DIR "test/parity/data"
#endif
#endif

/// Reads the files that make_references.py writes, makes their inputs, compares results with them.
namespace unspool_test::parity {

using nlohmann::json;

/// u(n, k)[j] of the reference files: 2 frac(43758.5453 sin(12.9898 j + 78.233 k)) - 1, in [-1, 1).
inline double u(std::size_t j, int k) {
    // volatile: a contraction to fma changes the argument by an ULP, and the result by up to 1e-6.
    double const volatile step = static_cast<double>(j) * 12.9898;
    double const volatile offset = k * 78.233;
    double const volatile scaled = std::sin(step + offset) * 43758.5453;
    return 2 * (scaled - std::floor(scaled)) - 1;
}

/// u on a grid of 1/4096, exact in float: the last bits of the C library's sin do not show.
inline double q(std::size_t j, int k) { return std::floor(u(j, k) * 4096) / 4096; }

/// How an input array is made: entry j is scale * (shift + q(j, k)).
struct recipe {
    int k;
    double scale = 1;
    double shift = 0;

    double operator[](std::size_t j) const { return scale * (shift + q(j, k)); }
};

/// Fills a range of float or double, row-major.
template <class Range>
void fill(Range& to, recipe const& from) {
    std::size_t j = 0;
    for (auto& x : to) {
        x = static_cast<std::remove_reference_t<decltype(x)>>(from[j++]);
    }
}

/// The recipe of an entry of "inputs".
inline recipe recipe_of(json const& input) {
    return {input.at("k").get<int>(), input.at("scale").get<double>(),
            input.at("shift").get<double>()};
}

/// A reference file by its name without extension, such as "lstm". Throws std::runtime_error when
/// it cannot be read.
inline json load(std::string const& name) {
    char const* const set = std::getenv("UNSPOOL_PARITY_DIR");
    std::string const path = std::string(set ? set : UNSPOOL_PARITY_DIR) + "/" + name + ".json";
    std::ifstream in(path);
    if (!in) {
        throw std::runtime_error("reference file " + path + " cannot be opened");
    }
    json doc = json::parse(in, nullptr, false);
    if (doc.is_discarded() || !doc.contains("cases")) {
        throw std::runtime_error("reference file " + path + " is damaged");
    }
    return doc;
}

/// The case of that name; throws std::out_of_range when there is none.
inline json const& find(json const& doc, std::string_view name) {
    for (json const& c : doc.at("cases")) {
        if (c.at("name").get_ref<std::string const&>() == name) {
            return c;
        }
    }
    throw std::out_of_range("no reference case " + std::string(name));
}

/// A number of a file; infinities and NaN are strings there.
inline double number(json const& x) {
    if (!x.is_string()) {
        return x.get<double>();
    }
    auto const& s = x.get_ref<std::string const&>();
    using limits = std::numeric_limits<double>;
    return s == "inf"    ? limits::infinity()
           : s == "-inf" ? -limits::infinity()
                         : limits::quiet_NaN();
}

/// A list of numbers, or the values of a stored array: {"shape": …, "values": …}.
inline std::vector<double> numbers(json const& stored) {
    std::vector<double> to;
    for (json const& x : stored.is_array() ? stored : stored.at("values")) {
        to.push_back(number(x));
    }
    return to;
}

/// What a comparison found. Converts to true when something was compared and all is within the
/// tolerance.
struct verdict {
    double worst = -1;  ///< largest deviation, in units of the tolerance; negative before the first
    std::string where = "nothing was compared";

    explicit operator bool() const { return worst >= 0 && worst <= 1; }

    void note(double deviation, double allowed, std::string const& what) {
        double const ratio = deviation == 0 ? 0 : deviation / allowed;
        // Written so that a NaN counts as the worst.
        if (!(ratio <= worst)) {
            worst = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
            where = what;
        }
    }
};

/// For Catch2's INFO and for messages.
inline std::string text(verdict const& v) {
    return v.where + ": " + std::to_string(v.worst) + " times the tolerance";
}

namespace detail {

inline double norm(std::vector<double> const& a) {
    double s = 0;
    for (double x : a) {
        s += x * x;
    }
    return std::sqrt(s);
}

inline std::string show(std::string const& what, double found, double expected) {
    char line[96];
    std::snprintf(line, sizeof line, ": %.17g, expected %.17g", found, expected);
    return what + line;
}

inline verdict wrong_size(std::size_t found, std::size_t expected) {
    return {std::numeric_limits<double>::infinity(),
            "size " + std::to_string(found) + ", expected " + std::to_string(expected)};
}

}  // namespace detail

/// Compares a scalar: |a - b| <= tolerance * max(|b|, least).
inline verdict compare_scalar(double found, json const& expected, double tolerance,
                              double least = 0) {
    double const e = number(expected);
    verdict v;
    v.note(std::abs(found - e), tolerance * std::fmax(std::abs(e), least),
           detail::show("scalar", found, e));
    return v;
}

/// Compares an array with a stored one as gradients want it, relative to the array's own size.
///
/// Full arrays: ‖a - b‖ <= tolerance ‖b‖, and each |a_i - b_i| <= tolerance max(|b_i|, rms(b)).
/// Summaries: norm; sum and 16 projections on v, relative to ‖b‖ ‖v‖; entries at both ends.
template <class Range>
verdict compare(Range const& found, json const& expected, double tolerance) {
    std::vector<double> const a(std::begin(found), std::end(found));
    std::size_t n = 1;
    for (json const& extent : expected.at("shape")) {
        n *= extent.get<std::size_t>();
    }
    if (a.size() != n) {
        return detail::wrong_size(a.size(), n);
    }
    bool const full = expected.contains("values");
    std::vector<double> const first = numbers(full ? expected.at("values") : expected.at("first"));
    double const norm = full ? detail::norm(first) : expected.at("norm").get<double>();
    double const rms = norm / std::sqrt(static_cast<double>(n));
    verdict v;
    auto entries = [&](std::size_t from, std::vector<double> const& b) {
        for (std::size_t i = 0; i < b.size(); ++i) {
            v.note(std::abs(a[from + i] - b[i]), tolerance * std::fmax(std::abs(b[i]), rms),
                   detail::show("entry " + std::to_string(from + i), a[from + i], b[i]));
        }
    };
    entries(0, first);
    if (full) {
        std::vector<double> d(n);
        for (std::size_t i = 0; i < n; ++i) {
            d[i] = a[i] - first[i];
        }
        v.note(detail::norm(d), tolerance * norm, "norm of the difference");
        return v;
    }
    std::vector<double> const last = numbers(expected.at("last"));
    entries(n - last.size(), last);
    v.note(std::abs(detail::norm(a) - norm), tolerance * norm,
           detail::show("norm", detail::norm(a), norm));
    double sum = 0;
    for (double x : a) {
        sum += x;
    }
    double const b = expected.at("sum").get<double>();
    v.note(std::abs(sum - b), tolerance * norm * std::sqrt(static_cast<double>(n)),
           detail::show("sum", sum, b));
    std::vector<double> const projections = numbers(expected.at("projections"));
    for (std::size_t j = 0; j < projections.size(); ++j) {
        double dot = 0, square = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double const w = q(i, 100 + static_cast<int>(j));
            dot += a[i] * w;
            square += w * w;
        }
        v.note(std::abs(dot - projections[j]), tolerance * norm * std::sqrt(square),
               detail::show("projection " + std::to_string(j), dot, projections[j]));
    }
    return v;
}

/// Compares entry by entry, as the values of single operations want it:
/// |a_i - b_i| <= tolerance max(|b_i|, least); infinities and NaN must be the same.
template <class Range>
verdict compare_entries(Range const& found, json const& expected, double tolerance,
                        double least = 0) {
    std::vector<double> const a(std::begin(found), std::end(found)), b = numbers(expected);
    if (a.size() != b.size()) {
        return detail::wrong_size(a.size(), b.size());
    }
    verdict v;
    for (std::size_t i = 0; i < a.size(); ++i) {
        bool const same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
        double const allowed = tolerance * std::fmax(std::abs(b[i]), least);
        bool const finite = std::isfinite(b[i]);
        v.note(same     ? 0
               : finite ? std::abs(a[i] - b[i])
                        : std::numeric_limits<double>::infinity(),
               finite ? allowed : 1, detail::show("entry " + std::to_string(i), a[i], b[i]));
    }
    return v;
}

}  // namespace unspool_test::parity
