// SPDX-License-Identifier: BSL-1.0
// Ten steps of each optimiser against PyTorch's and Keras' (test/parity/optimisers.py, which states
// the problem and the versions); its gradient is written out by hand here.
#include <unspool/nn/parameters.hpp>
#include <unspool/optim/adam.hpp>
#include <unspool/optim/clip.hpp>
#include <unspool/optim/sgd.hpp>

#include "support/catch.hpp"

#if __has_include(<nlohmann/json.hpp>)
#include "parity/reference.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace us = unspool;
namespace parity = unspool_test::parity;
using parity::json;

namespace {

/// loss(w, b) = mean((tanh(x·w + b) − y)²) + Σw² / 32, x (5, 3), w (3, 4), b (4), y (5, 4).
using params = us::dense_params<double, 3, 4>;

struct problem {
    std::vector<double> x, y;
    params start;

    explicit problem(json const& file)
        : x(parity::numbers(file.at("x"))), y(parity::numbers(file.at("y"))),
          start(read(parity::numbers(file.at("start").at("w")),
                     parity::numbers(file.at("start").at("b")))) {}

    static params read(std::vector<double> const& w, std::vector<double> const& b) {
        params p;
        std::copy_n(w.begin(), 12, p.kernel.begin());
        std::copy_n(b.begin(), 4, p.bias.begin());
        return p;
    }

    params gradient(params const& p) const {
        params g;
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < 4; ++j) {
                double z = p.bias[int(j)];
                for (std::size_t k = 0; k < 3; ++k) z += x[3 * i + k] * p.kernel[int(4 * k + j)];
                double const t = std::tanh(z);
                double const d = 2 * (t - y[4 * i + j]) / 20 * (1 - t * t);
                g.bias[int(j)] += d;
                for (std::size_t k = 0; k < 3; ++k) g.kernel[int(4 * k + j)] += x[3 * i + k] * d;
            }
        for (int k = 0; k < 12; ++k) g.kernel[k] += p.kernel[k] / 16;
        return g;
    }
};

double deviation(params const& p, params const& expected) {
    double worst = 0;
    us::for_each_leaf_of(
        [&](auto const& a, auto const& b) {
            for (int k = 0; k < a.size(); ++k)
                worst = std::max(worst, std::abs(a[k] - b[k]) / std::abs(b[k]));
        },
        p, expected);
    return worst;
}

template <class Optimiser>
double worst_of_ten_steps(json const& file, json const& one, Optimiser optimiser) {
    problem const of{file};
    params p = of.start;
    double worst = 0;
    for (json const& expected : one.at("steps")) {
        params const g = of.gradient(p);
        optimiser.step(p, g, us::clip_factor(g, one.at("options").value("global_norm", 1e9)));
        worst = std::max(worst, deviation(p, problem::read(parity::numbers(expected.at("w")),
                                                           parity::numbers(expected.at("b")))));
    }
    return worst;
}

}  // namespace

TEST_CASE("ten steps agree with PyTorch's and Keras' optimisers", "[optim]") {
    json const file = parity::load("optimisers");
    int compared = 0;
    for (json const& one : file.at("cases")) {
        auto const name = one.at("name").get<std::string>();
        json const& o = one.at("options");
        CAPTURE(name);
        REQUIRE(one.at("steps").size() == 10);
        double const rate = o.at("lr");
        double worst = 1;
        if (name.starts_with("adam")) {
            auto const set = [&](auto optimiser) {
                optimiser.learning_rate = rate;
                optimiser.beta_1 = o.at("beta1");
                optimiser.beta_2 = o.at("beta2");
                optimiser.weight_decay = o.value("weight_decay", 0.0);
                if (optimiser.epsilon != o.at("epsilon").get<double>()) {
                    CHECK(name.ends_with("large_epsilon"));  // or a default is wrong
                    optimiser.epsilon = o.at("epsilon");
                }
                return optimiser;
            };
            worst =
                name.starts_with("adam_keras")
                    ? worst_of_ten_steps(file, one, set(us::adam<params, us::adam_form::keras>{}))
                    : worst_of_ten_steps(file, one, set(us::adam<params>{}));
        } else {
            us::sgd<params> const optimiser{.learning_rate = rate,
                                            .momentum = o.value("momentum", 0.0),
                                            .nesterov = name == "nesterov"};
            worst = worst_of_ten_steps(file, one, optimiser);
        }
        CAPTURE(worst);
        CHECK(worst <= 1e-12);
        ++compared;
    }
    CHECK(compared >= 10);
}

TEST_CASE("clipping agrees with TensorFlow's", "[optim]") {
    json const file = parity::load("optimisers");
    problem const of{file};
    json const& clipping = file.at("clipping");
    for (json const& one : clipping.at("limits")) {
        params g = of.gradient(of.start);
        double const limit = one.at("limit");
        CAPTURE(limit);
        CHECK(us::clip_by_global_norm(g, limit) ==
              Approx(clipping.at("norm").get<double>()).epsilon(1e-14));
        json const& clipped = one.at("clipped");
        CHECK(deviation(g, problem::read(parity::numbers(clipped.at("w")),
                                         parity::numbers(clipped.at("b")))) <= 1e-13);
    }
}

#else
TEST_CASE("ten steps agree with PyTorch's and Keras' optimisers", "[optim]") {
    UNSPOOL_SKIP("nlohmann/json is not installed");
}
#endif
