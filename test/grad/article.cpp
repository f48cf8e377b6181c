// SPDX-License-Identifier: BSL-1.0
// The article's three gradients entry by entry, and its gradient profile, against JAX.
#include "grad/check.hpp"

#if __has_include(<nlohmann/json.hpp>)
#include "../../examples/article/model.hpp"
#include "parity/reference.hpp"

#include <cmath>

using namespace unspool_test;
using article::params;
using article::sequence;

namespace {

struct values {
    params cell;
    sequence xs;

    values() {
        fill(cell.kernel, 0.3, 0.7, 0.1);
        fill(cell.recurrent_kernel, 0.3, 0.9, 0.2);
        fill(cell.bias, 0.1, 1, 0.3);
        fill(xs, 1, 0.37, 0.4);
    }
    template <class Tensor>
    static void fill(Tensor& x, double scale, double rate, double phase) {
        for (int k = 0; k < x.size(); ++k) x[k] = scale * std::sin(rate * k + phase);
    }
};

template <class F>
void check_case(F loss, std::string const& name) {
    values const v;
    parity::json const doc = parity::load("article");
    parity::json const& expected = parity::find(doc, name);
    us::program step(us::value_and_grad(loss), v.cell, v.xs);
    auto const& [value, gradient] = step(v.cell, v.xs);
    CHECK(parity::compare_scalar(value, expected.at("loss"), tolerance::article));
    auto const compare = [&](auto const& found, char const* member) {
        parity::verdict const verdict =
            parity::compare(found, expected.at("gradients").at(member), tolerance::article);
        INFO(member << ", " << text(verdict));
        CHECK(verdict);
    };
    compare(gradient.kernel, "kernel");
    compare(gradient.recurrent_kernel, "recurrent_kernel");
    compare(gradient.bias, "bias");
}

}  // namespace

TEST_CASE("the article's gradient over all steps", "[grad][article]") {
    check_case(article::loss, "full");
}
TEST_CASE("the article's gradient of the last step", "[grad][article]") {
    check_case(article::last_step, "last");
}
TEST_CASE("the article's nested tapes", "[grad][article]") {
    check_case(article::nested_tapes, "nested");
}
TEST_CASE("the article's gradient profile", "[grad][article]") {
    values const v;
    article::outputs const zeros;
    parity::json const doc = parity::load("article");
    us::program step(us::grad(article::shifted_loss), zeros, v.cell, v.xs);
    auto const& g = step(zeros, v.cell, v.xs);
    for (int t = 0; t < article::steps; ++t) {
        double square = 0;
        for (int i = 0; i < article::units; ++i) square += g(t, 0, i) * g(t, 0, i);
        CHECK(std::sqrt(square) ==
              Approx(doc.at("profile").at(static_cast<std::size_t>(t)).get<double>())
                  .epsilon(tolerance::article));
    }
}
TEST_CASE("the article's model by differences", "[grad][article]") {
    values const v;
    check_differences(article::loss, v.cell, v.xs);
    check_differences(article::last_step, v.cell, v.xs);
}

#else
TEST_CASE("the article's gradients", "[grad][article]") {
    UNSPOOL_SKIP("nlohmann/json is not installed");
}
#endif
