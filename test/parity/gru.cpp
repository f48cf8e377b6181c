// SPDX-License-Identifier: BSL-1.0
#include "../../examples/gru.hpp"

#include "parity/reference.hpp"
#include "support/catch.hpp"
#include "support/tolerance.hpp"

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

namespace us = unspool;
namespace parity = unspool_test::parity;
using parity::json;

namespace {

inline constexpr auto mean_of_outputs = [](auto cell, auto xs, auto h) {
    return us::mean(examples::gru(cell, xs, h).second);
};
/// All outputs and the final state, weighted; both come along.
inline constexpr auto weighted = [](auto cell, auto xs, auto h, auto outputs_weight,
                                    auto h_weight) {
    auto const [last, outputs] = examples::gru(cell, xs, h);
    return std::pair{us::sum(outputs * outputs_weight) + us::sum(last * h_weight),
                     std::tuple{outputs, last}};
};

template <class T, int Steps, int Batch, int Inputs, int Units>
void check_gru(std::string const& name) {
    json const doc = parity::load("gru");
    json const& c = parity::find(doc, name);
    using cell_type = examples::gru_params<T, Inputs, Units>;
    using xs_type = us::tensor<T, Steps, Batch, Inputs>;
    using h_type = us::tensor<T, Batch, Units>;
    using ys_type = us::tensor<T, Steps, Batch, Units>;
    auto const cell = std::make_unique<cell_type>();
    auto const xs = std::make_unique<xs_type>();
    auto const h = std::make_unique<h_type>();
    auto const weight = std::make_unique<ys_type>();
    auto const h_weight = std::make_unique<h_type>();
    auto make = [&](char const* input, auto& to) {
        parity::fill(to, parity::recipe_of(c.at("inputs").at(input)));
    };
    make("kernel", cell->kernel);
    make("recurrent_kernel", cell->recurrent_kernel);
    make("bias", cell->bias);
    make("x", *xs);
    make("h0", *h);
    make("outputs_weight", *weight);
    make("h_weight", *h_weight);

    constexpr double tolerance = unspool_test::tolerance::parity<T>;
    auto check = [&](auto const& found, json const& expected, char const* what) {
        auto const v = parity::compare(found, expected, tolerance);
        INFO(name << ' ' << what << ": " << parity::text(v));
        CHECK(v);
    };
    auto check_gradients = [&](auto const& gradient, json const& expected) {
        auto const& [of_cell, of_xs, of_h] = gradient;
        check(of_cell.kernel, expected.at("kernel"), "kernel");
        check(of_cell.recurrent_kernel, expected.at("recurrent_kernel"), "recurrent_kernel");
        check(of_cell.bias, expected.at("bias"), "bias");
        check(of_xs, expected.at("x"), "x");
        check(of_h, expected.at("h0"), "h0");
    };
    if constexpr (std::is_same_v<T, double>) {
        auto f = us::value_and_grad<0, 1, 2>(mean_of_outputs);
        auto const step = std::make_unique<us::program<decltype(f), cell_type, xs_type, h_type>>();
        auto const& [value, gradient] = (*step)(*cell, *xs, *h);
        json const& expected = c.at("mean");
        CHECK(parity::compare_scalar(value, expected.at("loss"), tolerance, expected.at("size")));
        check_gradients(gradient, expected.at("gradients"));
    }
    auto f = us::value_and_grad<0, 1, 2>(weighted, us::has_aux);
    auto const step =
        std::make_unique<us::program<decltype(f), cell_type, xs_type, h_type, ys_type, h_type>>();
    auto const& [value, gradient] = (*step)(*cell, *xs, *h, *weight, *h_weight);
    auto const& [loss, aux] = value;
    json const& expected = c.at("rich");
    CHECK(
        parity::compare_scalar(double(loss), expected.at("loss"), tolerance, expected.at("size")));
    check_gradients(gradient, expected.at("gradients"));
    check(std::get<0>(aux), c.at("forward").at("outputs"), "outputs");
    check(std::get<1>(aux), c.at("forward").at("h"), "final h");
}

}  // namespace

TEST_CASE("a user's GRU: values and gradients of JAX, PyTorch and Keras", "[parity]") {
    check_gru<double, 1, 1, 1, 3>("T1_B1_I1_H3");
    check_gru<double, 2, 7, 3, 10>("T2_B7_I3_H10");
    check_gru<double, 10, 3, 17, 33>("T10_B3_I17_H33");
    check_gru<double, 64, 3, 10, 7>("T64_B3_I10_H7");
}

TEST_CASE("a user's GRU in float", "[parity]") {
    check_gru<float, 2, 7, 3, 10>("T2_B7_I3_H10");
    check_gru<float, 10, 3, 17, 33>("T10_B3_I17_H33");
    check_gru<float, 64, 3, 10, 7>("T64_B3_I10_H7");
}
