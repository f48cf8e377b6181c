// SPDX-License-Identifier: BSL-1.0
#include <unspool/unspool.hpp>

#include "parity/reference.hpp"
#include "support/catch.hpp"
#include "support/tolerance.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

namespace us = unspool;
namespace parity = unspool_test::parity;
using parity::json;

namespace {

constexpr int steps = 37;
constexpr int batch = 3;
template <class T>
using signal = us::tensor<T, steps, batch>;

/// Time and batch as one axis: the file's DC is one mean over both, nn/loss.hpp's one per sequence.
constexpr auto flat(auto const& x) { return us::reshape<steps * batch>(x); }
/// Without the first sample, whose predecessor is not known.
constexpr auto valid(auto const& x) { return us::slice<0, 1, steps>(us::pre_emphasis(x)); }
/// The file's floor stands beside means, error_to_signal's beside sums.
constexpr double floor_of_sum = 1e-5 * steps * batch;

struct mse {
    static constexpr char name[] = "mse";
    static constexpr auto f = [](auto y, auto p) { return us::mean_squared_error(p, y); };
};
struct esr {
    static constexpr char name[] = "esr";
    static constexpr auto f = [](auto y, auto p) { return us::error_to_signal(p, y); };
};
struct esr_pre_emphasis {
    static constexpr char name[] = "esr_pre_emphasis";
    static constexpr auto f = [](auto y, auto p) {
        return us::error_to_signal(us::pre_emphasis(p), us::pre_emphasis(y));
    };
};
struct esr_pre_emphasis_valid {
    static constexpr char name[] = "esr_pre_emphasis_valid";
    static constexpr auto f = [](auto y, auto p) {
        return us::error_to_signal(valid(p), valid(y));
    };
};
struct esr_floor {
    static constexpr char name[] = "esr_floor";
    static constexpr auto f = [](auto y, auto p) {
        return us::error_to_signal(p, y, floor_of_sum);
    };
};
struct esr_pre_emphasis_floor {
    static constexpr char name[] = "esr_pre_emphasis_floor";
    static constexpr auto f = [](auto y, auto p) {
        return us::error_to_signal(us::pre_emphasis(p), us::pre_emphasis(y), floor_of_sum);
    };
};
struct dc {
    static constexpr char name[] = "dc";
    static constexpr auto f = [](auto y, auto p) { return us::dc_error(flat(p), flat(y)); };
};
struct dc_per_sequence {
    static constexpr char name[] = "dc_per_sequence";
    static constexpr auto f = [](auto y, auto p) { return us::dc_error(p, y); };
};
struct dc_floor {
    static constexpr char name[] = "dc_floor";
    static constexpr auto f = [](auto y, auto p) { return us::dc_error(flat(p), flat(y), 1e-5); };
};
struct capture {
    static constexpr char name[] = "capture";
    static constexpr auto f = [](auto y, auto p) {
        return 0.75 * esr_pre_emphasis::f(y, p) + 0.25 * dc::f(y, p);
    };
};
struct capture_per_sequence {
    static constexpr char name[] = "capture_per_sequence";
    static constexpr auto f = [](auto y, auto p) {
        return 0.75 * esr_pre_emphasis::f(y, p) + 0.25 * dc_per_sequence::f(y, p);
    };
};

/// The losses and their gradients in one function: transformations are called with expressions.
template <class... Loss>
inline constexpr auto all =
    [](auto y, auto p) { return std::tuple{us::value_and_grad<1>(Loss::f)(y, p)...}; };

template <class T, class... Loss>
void check_losses() {
    json const doc = parity::load("losses");
    REQUIRE(doc.at("cases").size() == sizeof...(Loss));
    auto read = [&](char const* name) {
        auto const values = parity::numbers(doc.at(name));
        REQUIRE(values.size() == std::size_t{steps * batch});
        signal<T> to;
        std::transform(values.begin(), values.end(), to.begin(), [](double x) { return T(x); });
        return to;
    };
    auto const target = read("target");
    auto const prediction = read("prediction");
    constexpr double tolerance = unspool_test::tolerance::parity<T>;
    auto check = [&](char const* name, auto const& found) {
        json const& c = parity::find(doc, name);
        auto const value = parity::compare_scalar(double(found.value), c.at("loss"), tolerance);
        INFO(name << ' ' << parity::text(value));
        CHECK(value);
        auto const gradient = parity::compare(found.gradient, c.at("gradient"), tolerance);
        INFO(name << ' ' << parity::text(gradient));
        CHECK(gradient);
    };
    us::program step(all<Loss...>, target, prediction);
    std::apply([&](auto const&... found) { (check(Loss::name, found), ...); },
               step(target, prediction));
}

template <class T>
void check_all() {
    check_losses<T, mse, esr, esr_pre_emphasis, esr_pre_emphasis_valid, esr_floor,
                 esr_pre_emphasis_floor, dc, dc_per_sequence, dc_floor, capture,
                 capture_per_sequence>();
}

}  // namespace

TEST_CASE("losses and their gradients agree with JAX and PyTorch", "[parity]") {
    check_all<double>();
}

TEST_CASE("losses in float", "[parity]") { check_all<float>(); }
