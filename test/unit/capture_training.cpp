// SPDX-License-Identifier: BSL-1.0
// The capture example's trainer against a network, a loss and differences written out in plain
// loops over doubles, which share nothing with the library.
#if __has_include(<nlohmann/json.hpp>)
#include "../../examples/capture/training.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t units = 3, window = 7, batch = 8, warm_up = 5, profile = 9;
using trainer_type = capture::sized_trainer<units, window, batch, warm_up, profile>;

/// Smooth, and different in every sample.
std::vector<float> sound(std::size_t count, double phase) {
    std::vector<float> samples(count);
    for (std::size_t i = 0; i < count; ++i)
        samples[i] =
            float(0.6 * std::sin(0.7 * double(i) + phase) + 0.2 * std::cos(0.13 * double(i)));
    return samples;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// One sequence through Keras' LSTM (gates i, f, c, o) and a dense layer, sample by sample.
struct plain_network {
    std::vector<double> kernel, recurrent, bias, dense;  ///< Keras' layouts
    double dense_bias = 0, skip = 0;
    std::vector<double> h = std::vector<double>(units), c = std::vector<double>(units);

    explicit plain_network(capture::weights const& w)
        : kernel(w.kernel.begin(), w.kernel.end()),
          recurrent(w.recurrent_kernel.begin(), w.recurrent_kernel.end()),
          bias(w.bias.begin(), w.bias.end()), dense(w.dense_kernel.begin(), w.dense_kernel.end()),
          dense_bias(double(w.dense_bias)), skip(w.skip ? 1 : 0) {}

    double operator()(double x) { return (step(x), output(x)); }
    void step(double x) {
        std::vector<double> z(4 * units);
        for (std::size_t r = 0; r < 4 * units; ++r) {
            z[r] = bias[r] + kernel[r] * x;
            for (std::size_t k = 0; k < units; ++k) z[r] += recurrent[k * 4 * units + r] * h[k];
        }
        for (std::size_t j = 0; j < units; ++j) {
            c[j] = sigmoid(z[units + j]) * c[j] + sigmoid(z[j]) * std::tanh(z[2 * units + j]);
            h[j] = sigmoid(z[3 * units + j]) * std::tanh(c[j]);
        }
    }
    [[nodiscard]] double output(double x) const {
        return std::inner_product(h.begin(), h.end(), dense.begin(), dense_bias + skip * x);
    }
    /// All parameters in the order of the struct's members.
    std::vector<double*> parameters() {
        std::vector<double*> all;
        for (auto* part : {&kernel, &recurrent, &bias, &dense})
            for (auto& value : *part) all.push_back(&value);
        all.push_back(&dense_bias);
        return all;
    }
};

/// 0.75 ESR after pre-emphasis + 0.25 DC of sequences that stand time-major side by side.
double plain_loss(std::vector<double> const& y, std::vector<double> const& predicted,
                  std::size_t rows) {
    auto const steps = y.size() / rows;
    double error = 0, signal = 0, power = 0, dc = 0;
    for (std::size_t s = 0; s < rows; ++s) {
        double mean = 0;
        for (std::size_t t = 0; t < steps; ++t) {
            auto const i = t * rows + s;
            mean += (y[i] - predicted[i]) / double(steps);
            power += y[i] * y[i] / double(y.size());
            if (t == 0) continue;
            double const target = y[i] - 0.85 * y[i - rows];
            double const wrong = target - (predicted[i] - 0.85 * predicted[i - rows]);
            error += wrong * wrong;
            signal += target * target;
        }
        dc += mean * mean / double(rows);
    }
    return 0.75 * error / (signal + 1e-5 * double(y.size())) + 0.25 * dc / (power + 1e-5);
}

/// A trainer with weights that are none of the initial ones, and the same network in plain loops.
struct fixture {
    std::unique_ptr<trainer_type> model = std::make_unique<trainer_type>(true);
    std::vector<float> dry = sound((warm_up + 2 * window) * batch, 0.1);
    std::vector<float> wet = sound((warm_up + 2 * window) * batch, 1.3);

    fixture() {
        model->initialise(3, 0);
        auto w = model->copy_weights();
        float nudge = 0.05F;
        for (auto* part : {&w.kernel, &w.recurrent_kernel, &w.bias, &w.dense_kernel})
            for (auto& value : *part) value += (nudge *= -1.01F);
        w.dense_bias = 0.07F;
        model->set_weights(w);
    }
    [[nodiscard]] std::span<float const> steps(std::vector<float> const& x, std::size_t from,
                                               std::size_t count) const {
        return std::span(x).subspan(from * batch, count * batch);
    }
    /// Every segment's network after the warm-up.
    [[nodiscard]] std::vector<plain_network> warm_networks(plain_network const& start) const {
        std::vector<plain_network> all(batch, start);
        for (std::size_t t = 0; t < warm_up; ++t)
            for (std::size_t s = 0; s < batch; ++s) all[s](double(dry[t * batch + s]));
        return all;
    }
    /// The loss of the window that starts at `from`, moving the networks on.
    double loss(std::vector<plain_network>& networks, std::size_t from) const {
        std::vector<double> y, predicted;
        for (std::size_t t = from; t < from + window; ++t)
            for (std::size_t s = 0; s < batch; ++s) {
                y.push_back(double(wet[t * batch + s]));
                predicted.push_back(networks[s](double(dry[t * batch + s])));
            }
        return plain_loss(y, predicted, batch);
    }
};

}  // namespace

TEST_CASE("windows with carried state give the losses of plain loops") {
    fixture f;
    auto networks = f.warm_networks(plain_network(f.model->copy_weights()));
    for (int repeat = 0; repeat < 2; ++repeat) {  // a reset forgets everything
        auto fresh = networks;
        f.model->reset_state();
        f.model->warm_up(f.steps(f.dry, 0, warm_up));
        for (std::size_t const from : {warm_up, warm_up + window}) {
            float const loss =
                f.model->update(f.steps(f.dry, from, window), f.steps(f.wet, from, window), 0);
            CHECK(double(loss) == Approx(f.loss(fresh, from)).epsilon(1e-5));
        }
    }
}

TEST_CASE("a segment goes on from the state that the one before it ended with") {
    fixture f;
    auto networks = f.warm_networks(plain_network(f.model->copy_weights()));
    f.model->reset_state();
    f.model->warm_up(f.steps(f.dry, 0, warm_up));
    std::size_t const first[] = {0, 5};
    f.model->hand_state_on(first);
    std::rotate(networks.rbegin(), networks.rbegin() + 1, networks.rend());
    for (auto const s : first) networks[s] = plain_network(f.model->copy_weights());
    float const loss =
        f.model->update(f.steps(f.dry, warm_up, window), f.steps(f.wet, warm_up, window), 0);
    CHECK(double(loss) == Approx(f.loss(networks, warm_up)).epsilon(1e-5));
}

TEST_CASE("the derived gradient is that of differences in plain loops") {
    fixture f;
    namespace us = unspool;
    auto const weights = f.model->copy_weights();
    capture::network<float, units> net;
    std::copy(weights.kernel.begin(), weights.kernel.end(), net.lstm.kernel.begin());
    std::copy(weights.recurrent_kernel.begin(), weights.recurrent_kernel.end(),
              net.lstm.recurrent_kernel.begin());
    std::copy(weights.bias.begin(), weights.bias.end(), net.lstm.bias.begin());
    std::copy(weights.dense_kernel.begin(), weights.dense_kernel.end(), net.dense.kernel.begin());
    net.dense.bias[0] = weights.dense_bias;
    auto const start = plain_network(weights);
    auto const warm = f.warm_networks(start);
    capture::memory<batch, units> state;
    for (std::size_t s = 0; s < batch; ++s)
        for (std::size_t j = 0; j < units; ++j) {
            state.h[int(s * units + j)] = float(warm[s].h[j]);
            state.c[int(s * units + j)] = float(warm[s].c[j]);
        }
    us::tensor<float, window, batch, 1> dry, wet;
    auto const x = f.steps(f.dry, warm_up, window), y = f.steps(f.wet, warm_up, window);
    std::copy(x.begin(), x.end(), dry.begin());
    std::copy(y.begin(), y.end(), wet.begin());
    us::tensor<float> const skip(1.0F);
    us::program step(us::value_and_grad(capture::window_loss, us::has_aux), net, state, dry, wet,
                     skip);
    auto const& [value, gradient] = step(net, state, dry, wet, skip);
    std::vector<float> derived;
    us::for_each_leaf([&](auto const& g) { derived.insert(derived.end(), g.begin(), g.end()); },
                      gradient);

    auto const loss_at = [&](std::size_t k, double change) {
        auto moved = warm;
        for (auto& network : moved) *network.parameters()[k] += change;
        return f.loss(moved, warm_up);
    };
    auto const count = plain_network(weights).parameters().size();
    REQUIRE(derived.size() == count);
    double largest = 0;
    for (float const g : derived) largest = std::max(largest, double(std::abs(g)));
    for (std::size_t k = 0; k < count; ++k) {
        constexpr double h = 1e-4;
        double const difference =
            (8 * (loss_at(k, h) - loss_at(k, -h)) - (loss_at(k, 2 * h) - loss_at(k, -2 * h))) /
            (12 * h);
        INFO("parameter " << k);
        CHECK(double(derived[k]) == Approx(difference).epsilon(1e-4).margin(1e-6 * largest));
    }
}

TEST_CASE("updates lower the loss, and kept weights come back") {
    fixture f;
    auto const run = [&](float rate) {
        f.model->reset_state();
        f.model->warm_up(f.steps(f.dry, 0, warm_up));
        return f.model->update(f.steps(f.dry, warm_up, window), f.steps(f.wet, warm_up, window),
                               rate);
    };
    f.model->keep_weights();
    float const before = run(0);
    for (int k = 0; k < 30; ++k) run(0.01F);
    CHECK(run(0) < 0.8F * before);
    f.model->restore_kept_weights();
    CHECK(run(0) == before);
    f.model->initialise(9, 50);
    float const one = run(0.01F), two = run(0.01F);
    f.model->initialise(9, 50);  // the optimiser's moments are forgotten too
    CHECK(run(0.01F) == one);
    CHECK(run(0.01F) == two);
}

TEST_CASE("the streaming model is the network of plain loops, with and without skip") {
    fixture f;
    for (bool const skip : {true, false}) {
        auto w = f.model->copy_weights();
        w.skip = skip;
        f.model->set_weights(w);
        CHECK(f.model->shape().skip == skip);
        plain_network network(w);
        auto const dry = sound(2000, 0.4);
        std::vector<float> predicted(dry.size());
        f.model->reset_stream();
        f.model->stream(std::span(dry).first(700), std::span(predicted).first(700));
        f.model->stream(std::span(dry).subspan(700), std::span(predicted).subspan(700));
        double worst = 0;
        for (std::size_t i = 0; i < dry.size(); ++i)
            worst = std::max(worst, std::abs(network(double(dry[i])) - double(predicted[i])));
        CHECK(worst < 2e-6);
    }
}

TEST_CASE("the gradient profile is that of differences in every step's output") {
    fixture f;
    plain_network start(f.model->copy_weights());
    auto const settling = sound(50, 2.0), dry = sound(profile, 0.5), wet = sound(profile, 0.9);
    std::vector<float> ignored(settling.size());
    f.model->reset_stream();
    f.model->stream(settling, ignored);
    for (float const x : settling) start(double(x));
    std::vector<float> whole(profile), last(profile);
    f.model->gradient_profile(dry, wet, whole, last);

    // The loss when unit j's output of step t is pushed by `change`.
    auto const loss = [&](std::size_t at, std::size_t j, double change, bool whole_window) {
        auto network = start;
        std::vector<double> y, predicted;
        for (std::size_t t = 0; t < profile; ++t) {
            network.step(double(dry[t]));
            if (t == at) network.h[j] += change;
            y.push_back(double(wet[t]));
            predicted.push_back(network.output(double(dry[t])));
        }
        double const error = y.back() - predicted.back();
        return whole_window ? plain_loss(y, predicted, 1) : error * error;
    };
    for (bool const whole_window : {true, false})
        for (std::size_t t = 0; t < profile; ++t) {
            double sum = 0;
            for (std::size_t j = 0; j < units; ++j) {
                constexpr double h = 1e-4;
                double const g =
                    (loss(t, j, h, whole_window) - loss(t, j, -h, whole_window)) / (2 * h);
                sum += g * g;
            }
            INFO("step " << t << (whole_window ? ", whole window" : ", last step"));
            CHECK(double((whole_window ? whole : last)[t]) ==
                  Approx(std::sqrt(sum)).epsilon(1e-3).margin(1e-6));
        }
}

TEST_CASE("the units' memories begin spread over the time asked for, and otherwise as Keras' do") {
    trainer_type model(true);
    model.initialise(1, 1000);
    auto const spread = model.copy_weights();
    model.initialise(1, 0);
    auto const plain = model.copy_weights();
    CHECK(spread.recurrent_kernel == plain.recurrent_kernel);
    for (std::size_t j = 0; j < units; ++j) {
        auto const time = std::pow(1000, (double(j) + 0.5) / units);
        CHECK(sigmoid(double(spread.bias[units + j])) == Approx(time / (1 + time)));
        CHECK(sigmoid(double(spread.bias[j])) == Approx(1 / (1 + time)));
        CHECK(plain.bias[j] == 0);
        CHECK(plain.bias[units + j] == 1);
    }
}

TEST_CASE("weights of another size are refused") {
    trainer_type model(true);
    CHECK_THROWS_AS(model.set_weights(capture::weights(units + 1)), capture::problem);
}
#else
#include "support/catch.hpp"
TEST_CASE("capture's trainer") { UNSPOOL_SKIP("nlohmann-json is not installed"); }
#endif
