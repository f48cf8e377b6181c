// SPDX-License-Identifier: BSL-1.0
// The checks themselves: right gradients pass, wrong ones are named, in a sentence.
#include "grad/check.hpp"

#include <array>
#include <limits>
#include <tuple>

using namespace unspool_test;

namespace {

template <class T, auto... N>
struct two_layers;
template <class T, auto I, auto H>
struct two_layers<T, I, H> {
    using stack_type = std::array<us::dense_params<T, H, H>, 2>;
    BOOST_HANA_DEFINE_STRUCT(two_layers, (us::dense_params<T, I, H>, first), (stack_type, stack),
                             (us::tensor<T>, gain));
};

inline constexpr auto network = [](auto p, auto x) {
    auto y = us::tanh(us::dense(p.first, x));
    return us::mean(us::square(us::tanh(us::dense(p.stack[0], y)) * p.gain)) +
           us::mean(us::sin(us::dense(p.stack[1], y)));
};
// Through one row of the second layer's kernel flows no derivative.
inline constexpr auto broken = [](auto p, auto x) {
    auto& kernel = p.stack[1].kernel;
    kernel = us::concatenate<0>(us::stop_gradient(us::slice<0, 0, 1>(kernel)),
                                us::slice<0, 1, 3>(kernel));
    return network(p, x);
};

using params = two_layers<double, 2, 3>;
params const p = random<params>(1);
auto const x = random<us::tensor<double, 5, 2>>(2);

}  // namespace

TEST_CASE("a right gradient passes", "[grad][check]") {
    us::gradient_check const checked = us::check_gradient(network, p, x);
    INFO(checked.text());
    CHECK(checked);
    CHECK(checked.compared == 6 + 3 + 2 * (9 + 3) + 1);
    CHECK(checked.relative_error < 1e-9);
    CHECK(checked.text().find("within 1e-08 (34 compared)") != std::string::npos);
}

TEST_CASE("a wrong gradient is named", "[grad][check]") {
    us::gradient_check const checked = us::check_gradient(broken, p, x);
    CHECK_FALSE(checked);
    CHECK(checked.parameter == "stack.1.kernel");
    CHECK(checked.entry.substr(0, 3) == "[0,");
    CHECK(checked.index < 3);
    CHECK(checked.derived == 0);
    CHECK(checked.relative_error == Approx(1));
    std::string const text = checked.text();
    CAPTURE(text);
    CHECK(text.starts_with("stack.1.kernel[0, "));
    CHECK(text.find(" is 0, differences give ") != std::string::npos);
    CHECK(text.find("a relative error of 1, more than 1e-08 (34 compared)") != std::string::npos);
}

TEST_CASE("arguments are named by their numbers", "[grad][check]") {
    auto const f = [](auto a, auto b, auto c) {
        return us::sum(a * us::stop_gradient(us::square(b))) + us::sum(b) * c;
    };
    us::tensor<double, 2> const a{1, 2}, b{3, 4};
    us::gradient_check const second = us::check_gradient<1>(f, a, b, 2.5);
    CHECK_FALSE(second);
    CHECK(second.parameter == "argument 1");
    CHECK(second.expected == Approx(2 * 2 * 4 + 2.5));
    us::gradient_check const scalar = us::check_gradient<2>(f, a, b, 2.5);
    CHECK(scalar);
    CHECK(scalar.parameter == "argument 2");
    CHECK(scalar.entry.empty());
    CHECK(scalar.derived == 7);
    CHECK_FALSE(us::check_gradient<0, 1, 2>(f, a, b, 2.5));
    CHECK(us::check_gradient<2, 0>(f, a, b, 2.5));
}

TEST_CASE("large tensors are checked along directions", "[grad][check]") {
    using big = us::tensor<double, 70, 70>;
    auto const m = std::make_unique<big>(random<big>(3));
    us::tensor<double, 70> const v = random<us::tensor<double, 70>>(4);
    auto const right = [](auto w, auto u) { return us::mean(us::square(us::tanh(us::dot(u, w)))); };
    us::gradient_check const good = us::check_gradient<0, 1>(right, *m, v);
    INFO(good.text());
    CHECK(good);
    CHECK(good.compared == 32 + 70);
    auto const wrong = [](auto w, auto u) {
        return us::mean(us::square(us::tanh(us::dot(u, w)))) +
               1e-4 * us::mean(us::square(us::stop_gradient(w)));
    };
    us::gradient_check const bad = us::check_gradient({.directions = 16}, wrong, *m, v);
    CHECK_FALSE(bad);
    CHECK(bad.parameter == "argument 0");
    CHECK(bad.entry.starts_with(" along direction "));
    CHECK(bad.compared == 16);
    CHECK_FALSE(us::check_gradient({.every_entry_up_to = 5000}, wrong, *m, v));
}

TEST_CASE("functions of float are checked in double", "[grad][check]") {
    auto const q = random<two_layers<float, 2, 3>>(1);
    auto const y = random<us::tensor<float, 5, 2>>(2);
    us::gradient_check const checked = us::check_gradient<0, 1>(network, q, y);
    INFO(checked.text());
    CHECK(checked);
    CHECK(checked.relative_error < 1e-9);
}

TEST_CASE("kinks close to the point", "[grad][check]") {
    auto const f = [](auto z) { return us::sum(us::abs(z) + us::relu(z)); };
    CHECK(us::check_gradient(f, us::tensor<double, 3>{1e-3, -1e-4, 5}));
}

TEST_CASE("what is not finite does not pass", "[grad][check]") {
    auto const f = [](auto z) { return us::sum(us::log(z)); };
    CHECK(us::check_gradient(f, us::tensor<double, 2>{1, 2}));
    us::gradient_check const checked = us::check_gradient(f, us::tensor<double, 2>{1, -2});
    CHECK_FALSE(checked);
    CHECK(checked.relative_error == std::numeric_limits<double>::infinity());
}

TEST_CASE("forward and reverse mode that differ are seen", "[grad][check]") {
    CHECK(us::adjoint_error(network, p, x) < 1e-14);
    CHECK(us::adjoint_error<0, 1>(20, network, p, x) < 1e-14);
    auto const structured = [](auto a, auto b) {
        return std::pair{us::dot(a, b), std::tuple{us::sum(a), us::mean(b)}};
    };
    auto const a = random<us::tensor<float, 3, 4>>(5);
    auto const b = random<us::tensor<float, 4, 2>>(6);
    CHECK(us::adjoint_error<0, 1>(20, structured, a, b) < 1e-6);
}
