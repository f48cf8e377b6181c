// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "network.hpp"
#include "trainer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace capture {

/// A trainer whose sizes the compiler knows: it derives the gradient of `window_loss` for them.
template <std::size_t Units, std::size_t Window, std::size_t Batch = 64, std::size_t WarmUp = 200,
          std::size_t Profile = 1000>
class sized_trainer final : public trainer {
    using weights_type = network<float, Units>;
    template <std::size_t Steps, std::size_t Rows = Batch>
    using sequence = us::tensor<float, Steps, Rows, 1>;

    weights_type net_{}, kept_{};
    us::adam<weights_type> optimiser_{};
    us::tensor<float> skip_{};
    memory<Batch, Units> state_{};
    sequence<WarmUp> first_{};
    sequence<Window> dry_{}, wet_{};

    us::program<decltype(settle), us::lstm_params<float, 1, Units>, memory<Batch, Units>,
                sequence<WarmUp>>
        settle_;
    us::program<decltype(us::value_and_grad(window_loss, us::has_aux)), weights_type,
                memory<Batch, Units>, sequence<Window>, sequence<Window>, us::tensor<float>>
        step_;

    us::tensor<float, 1, 1> sample_{};
    us::program<decltype(play_sample), weights_type, memory<1, Units>, us::tensor<float, 1, 1>,
                us::tensor<float>>
        play_;
    // The state that a sample leaves is the next one's argument: two results take turns.
    std::array<typename decltype(play_)::result_type, 2> played_{};
    std::size_t turn_ = 0;

    sequence<Profile, 1> one_dry_{}, one_wet_{};
    us::tensor<float, Profile, 1, Units> nudge_{};
    us::program<decltype(us::grad(nudged_loss)), us::tensor<float, Profile, 1, Units>, weights_type,
                memory<1, Units>, sequence<Profile, 1>, sequence<Profile, 1>, us::tensor<float>,
                us::tensor<float>>
        profile_;

    template <class From, class To>
    static void copy(From const& from, To& to) noexcept {
        std::copy(std::begin(from), std::end(from), std::begin(to));
    }

public:
    explicit sized_trainer(bool skip) { skip_.fill(skip ? 1.0F : 0.0F); }

    [[nodiscard]] sizes shape() const override {
        return {Units, Window, Batch, WarmUp, Profile, skip_[0] != 0};
    }
    [[nodiscard]] std::size_t workspace_bytes() const override {
        return decltype(step_)::workspace_bytes;
    }
    void initialise(std::uint64_t seed, double longest_memory) override {
        us::initialize(net_, seed);
        optimiser_ = {};
        if (longest_memory <= 0) return;
        // A forget gate of σ(log T) = T/(1+T) forgets in T samples, and with an input gate of
        // 1/(1+T) the cell averages over them. Source: Tallec and Ollivier, Can recurrent neural
        // networks warp time?, ICLR 2018.
        for (std::size_t j = 0; j < Units; ++j) {
            auto const log_time = std::log(longest_memory) * (double(j) + 0.5) / double(Units);
            net_.lstm.bias[static_cast<int>(j)] = float(-log_time);
            net_.lstm.bias[static_cast<int>(Units + j)] = float(log_time);
        }
    }
    void reset_state() noexcept override { state_ = {}; }
    void hand_state_on(std::span<std::size_t const> first) noexcept override {
        for (auto* part : {&state_.h, &state_.c}) {
            std::copy_backward(part->begin(), part->end() - Units, part->end());
            for (auto const segment : first)
                std::fill_n(part->begin() + segment * Units, Units, 0.0F);
        }
    }
    void warm_up(std::span<float const> dry) noexcept override {
        copy(dry, first_);
        state_ = settle_(net_.lstm, state_, first_);
    }
    float update(std::span<float const> dry, std::span<float const> wet,
                 float learning_rate) noexcept override {
        copy(dry, dry_);
        copy(wet, wet_);
        auto const& [value, gradient] = step_(net_, state_, dry_, wet_, skip_);
        optimiser_.learning_rate = double(learning_rate);
        optimiser_.step(net_, gradient);
        state_ = value.second;
        return value.first;
    }

    void keep_weights() noexcept override { kept_ = net_; }
    void restore_kept_weights() noexcept override { net_ = kept_; }
    [[nodiscard]] weights copy_weights() const override {
        weights result(Units, skip_[0] != 0);
        copy(net_.lstm.kernel, result.kernel);
        copy(net_.lstm.recurrent_kernel, result.recurrent_kernel);
        copy(net_.lstm.bias, result.bias);
        copy(net_.dense.kernel, result.dense_kernel);
        result.dense_bias = net_.dense.bias[0];
        return result;
    }
    void set_weights(weights const& values) override {
        if (values.units != Units) throw problem("these weights are of another size");
        copy(values.kernel, net_.lstm.kernel);
        copy(values.recurrent_kernel, net_.lstm.recurrent_kernel);
        copy(values.bias, net_.lstm.bias);
        copy(values.dense_kernel, net_.dense.kernel);
        net_.dense.bias[0] = values.dense_bias;
        skip_.fill(values.skip ? 1.0F : 0.0F);
        optimiser_ = {};
    }

    void reset_stream() noexcept override { played_[turn_] = {}; }
    void stream(std::span<float const> dry, std::span<float> predicted) noexcept override {
        for (std::size_t i = 0; i < dry.size(); ++i) {
            sample_[0] = dry[i];
            play_(net_, played_[turn_].second, sample_, skip_, played_[1 - turn_]);
            turn_ = 1 - turn_;
            predicted[i] = played_[turn_].first[0];
        }
    }

    void gradient_profile(std::span<float const> dry, std::span<float const> wet,
                          std::span<float> whole, std::span<float> last) noexcept override {
        copy(dry, one_dry_);
        copy(wet, one_wet_);
        auto const norms = [&](float which, std::span<float> into) {
            us::tensor<float> const weight(which);
            auto const& gradient =
                profile_(nudge_, net_, played_[turn_].second, one_dry_, one_wet_, skip_, weight);
            for (std::size_t t = 0; t < Profile; ++t) {
                double sum = 0;
                for (std::size_t k = 0; k < Units; ++k) {
                    auto const g = double(gradient[static_cast<int>(t * Units + k)]);
                    sum += g * g;
                }
                into[t] = float(std::sqrt(sum));
            }
        };
        norms(1, whole);
        norms(0, last);
    }
};

}  // namespace capture
