// SPDX-License-Identifier: BSL-1.0
// The training loop of the capture example, driven with trainers that only keep count.
#if __has_include(<sndfile.h>) && __has_include(<nlohmann/json.hpp>)
#include "../../examples/capture/session.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <fcntl.h>
#include <limits>
#include <set>
#include <vector>

namespace {

constexpr std::size_t length = 8000, batch = 8;

/// Predicts gain · dry; each epoch gets its gain from a script. Notes what it was trained on.
struct scripted_trainer : capture::trainer {
    std::vector<float> gains;  ///< one per epoch, the last repeated
    std::size_t epoch = 0;
    float gain = 0, kept = 0, loss = 0.5F;
    int stop_in_epoch = -1;
    std::multiset<float> trained_on;
    std::set<float> warmed_with;
    std::size_t resets = 0;
    std::vector<float> rates;

    [[nodiscard]] sizes shape() const override { return {4, 300, batch, 50, 20, true}; }
    [[nodiscard]] std::size_t workspace_bytes() const override { return 0; }
    void initialise(std::uint64_t, double) override {}
    void reset_state() noexcept override {
        ++resets;
        hand_state_on({});
    }
    void hand_state_on(std::span<std::size_t const> first) noexcept override {
        if (epoch > 0 && (first.size() != 3 || first[1] != 3 || first[2] != 7)) loss = -1;
        gain = gains[std::min(epoch++, gains.size() - 1)];
    }
    void warm_up(std::span<float const> dry) noexcept override {
        if (dry.size() == 50 * batch) warmed_with.insert(dry.begin(), dry.end());
    }
    float update(std::span<float const> dry, std::span<float const> wet,
                 float rate) noexcept override {
        if (dry.size() != 300 * batch || wet[7] != 0.5F * dry[7]) return -1;
        trained_on.insert(dry.begin(), dry.end());
        rates.push_back(rate);
        if (int(epoch) == stop_in_epoch) capture::stop_signal = SIGINT;
        return loss;
    }
    void keep_weights() noexcept override { kept = gain; }
    void restore_kept_weights() noexcept override { gain = kept; }
    [[nodiscard]] capture::weights copy_weights() const override { return capture::weights(4); }
    void set_weights(capture::weights const&) override {}
    void reset_stream() noexcept override {}
    void stream(std::span<float const> dry, std::span<float> predicted) noexcept override {
        for (std::size_t i = 0; i < dry.size(); ++i) predicted[i] = gain * dry[i];
    }
    void gradient_profile(std::span<float const>, std::span<float const>, std::span<float>,
                          std::span<float>) noexcept override {}
};

struct fixture {
    capture::sound_pair pair{44100, {}, {}, {}};
    std::array<capture::block, capture::block_count> blocks = capture::split_blocks(length);
    capture::segments data;
    capture::progress display{::open("/dev/null", O_WRONLY)};
    capture::recipe how;

    fixture() {
        for (std::size_t i = 0; i < length; ++i) {  // every sample has a value of its own
            pair.dry.push_back(float(i + 1) / length);
            pair.wet.push_back(0.5F * pair.dry.back());
        }
        data = capture::cut_segments(pair, blocks, batch, 50, 300);
        how.seconds = 0;
        capture::stop_signal = 0;
    }
    ~fixture() { capture::stop_signal = 0; }
    capture::outcome train(capture::trainer& model) {
        capture::validation validate(pair, blocks);
        return capture::train(model, data, validate, how, display);
    }
};

}  // namespace

TEST_CASE("the best epoch by validation is the one that stays") {
    fixture f;
    scripted_trainer model;
    model.gains = {0, 0.4F, 0.45F, 0.3F, 0.6F};
    f.how.epochs = 5;
    auto result = f.train(model);
    CHECK(result.epochs.size() == 5);
    CHECK(result.best_epoch == 3);
    CHECK(model.gain == 0.45F);
    CHECK(result.epochs[0].esr == Approx(1));
    CHECK(result.epochs[2].esr == Approx(0.01).margin(1e-5));  // (0.05 / 0.5)²
    CHECK(result.epochs[4].loss == 0.5);
    auto const predicted = capture::predict(model, f.pair, f.blocks, result);
    CHECK(predicted.size() == length);
    CHECK(result.esr == Approx(0.01).margin(1e-5));
    CHECK(result.times_real_time > 0);
    CHECK(result.streaming_allocations == 0);
}

TEST_CASE("training sees every training sample in time, and never a held-out one") {
    fixture f;
    scripted_trainer model;
    model.gains = {0.1F};
    f.how.epochs = 300;
    f.train(model);
    CHECK(model.resets == 1);
    CHECK(model.epoch == 300);
    CHECK(model.loss > 0);  // the segments that continue no other were named each time
    std::size_t unseen = 0;
    for (auto const& part : f.blocks)
        for (auto i = part.begin; i < part.end; ++i) {
            auto const times = model.trained_on.count(f.pair.dry[i]);
            if (part.held_out) REQUIRE(times + model.warmed_with.count(f.pair.dry[i]) == 0);
            // the first samples of a segment can only warm the state up
            else if (times == 0 && (i - part.begin) % f.data.length >= 50) ++unseen;
        }
    CHECK(unseen == 0);
}

TEST_CASE("the learning rate falls by steps") {
    fixture f;
    scripted_trainer model;
    model.gains = {0.1F};
    f.how = {6, 0, 0.1, 0.5, 2, 1, 0};
    f.train(model);
    REQUIRE(model.rates.size() == 12);  // two windows of 300 in 800 samples
    std::vector<float> const expected{0.1F, 0.1F, 0.05F, 0.05F, 0.025F, 0.025F};
    for (std::size_t i = 0; i < 6; ++i) CHECK(model.rates[2 * i] == expected[i]);
}

TEST_CASE(
    "a signal ends the training with the best so far, or with a sentence when there is none") {
    fixture f;
    scripted_trainer model;
    model.gains = {0.4F, 0.3F, 0.2F};
    f.how.epochs = 1000;
    SECTION("in the third epoch") {
        model.stop_in_epoch = 3;
        CHECK(f.train(model).best_epoch == 1);
        CHECK(model.gain == 0.4F);
        CHECK(model.epoch == 3);
    }
    SECTION("before the first") {
        capture::stop_signal = SIGTERM;
        CHECK_THROWS_AS(f.train(model), capture::problem);
    }
}

TEST_CASE("a loss or a validation that is no number ends the training") {
    fixture f;
    scripted_trainer model;
    f.how.epochs = 10;
    SECTION("later: the best stays") {
        model.gains = {0.4F, std::numeric_limits<float>::quiet_NaN()};
        auto const result = f.train(model);
        CHECK(result.epochs.size() == 1);
        CHECK(model.gain == 0.4F);
    }
    SECTION("at once: a sentence") {
        model.gains = {0.4F};
        model.loss = std::numeric_limits<float>::infinity();
        CHECK_THROWS_WITH(f.train(model), ContainsSubstring("diverged"));
    }
}

TEST_CASE("the time limit ends the training") {
    fixture f;
    scripted_trainer model;
    model.gains = {0.4F};
    f.how.epochs = 1000000;
    f.how.seconds = 1e-9;
    CHECK(f.train(model).epochs.size() == 1);
}

TEST_CASE("the training loop itself uses no heap, and the counter that says so works") {
    struct quiet_trainer : scripted_trainer {
        float update(std::span<float const>, std::span<float const>, float) noexcept override {
            return 0.5F;
        }
        void warm_up(std::span<float const>) noexcept override {}
    };
    fixture f;
    quiet_trainer model;
    model.gains = {0.4F};
    f.how.epochs = 50;
    auto const result = f.train(model);
    CHECK(result.training_allocations == 0);
    CHECK(capture::allocation_counter_works());
}
#else
#include "support/catch.hpp"
TEST_CASE("capture's training loop") {
    UNSPOOL_SKIP("libsndfile or nlohmann-json is not installed");
}
#endif
