// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "pair.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "signals.hpp"
#include "support/allocations.hpp"
#include "trainer.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <vector>

namespace capture {

/// How to train.
struct recipe {
    int epochs = 400;
    double seconds = 110;         ///< stop after that long; 0: no limit
    double learning_rate = 5e-3;  ///< of the first epoch
    double decay = 0.97;          ///< factor on the rate …
    int decay_every = 5;          ///< … after so many epochs
    std::uint64_t seed = 2;
    double memory = 1000;  ///< longest memory that the model starts with, in samples
};

/// Runs the model over the held-out blocks as a player would and compares: plain ESR.
class validation {
public:
    /// The model's state settles on this many samples of dry sound before each block.
    static constexpr std::size_t settling = 4096;

    validation(sound_pair const& pair, std::array<block, block_count> const& blocks)
        : pair_(pair), blocks_(blocks), predicted_(blocks[0].size() + settling) {}

    double operator()(trainer& model) {
        double error = 0, signal = 0;
        for (auto const& part : blocks_) {
            if (!part.held_out) continue;
            auto const start = part.begin - std::min(settling, part.begin);
            auto const dry = std::span(pair_.dry).subspan(start, part.end - start);
            auto const all = std::span(predicted_).first(dry.size());
            model.reset_stream();
            model.stream(dry, all);
            auto const target = std::span(pair_.wet).subspan(part.begin, part.size());
            double const power = mean_square(target);
            error += error_to_signal(target, all.last(part.size())) * power;
            signal += power;
        }
        return error / signal;
    }

private:
    sound_pair const& pair_;
    std::array<block, block_count> const& blocks_;
    std::vector<float> predicted_;
};

/// Every window of the training blocks once: truncated backpropagation with carried state. A
/// segment begins with the state that the one before it ended the last epoch with, and a short
/// warm-up: memory that is longer than a segment is trained as it will be used. The samples that a
/// whole number of windows leaves over are skipped at the front, a different share of them each
/// epoch, so that over the epochs every sample is trained on and windows fall differently. Returns
/// the mean loss; stops early when asked to.
inline double train_epoch(trainer& model, segments const& data, float learning_rate, int epoch) {
    auto const shape = model.shape();
    auto const windows = data.length / shape.window;
    auto const spare = data.length - windows * shape.window;
    // The golden ratio's multiples spread evenly whatever the number of epochs.
    double const share = 0.6180339887498949 * epoch - std::floor(0.6180339887498949 * epoch);
    auto at = std::size_t(share * double(spare + 1));
    if (epoch == 1) model.reset_state();
    else model.hand_state_on(data.first);
    model.warm_up(data.dry_steps(at, shape.warm_up));
    at += shape.warm_up;
    double sum = 0;
    for (std::size_t w = 0; w < windows; ++w, at += shape.window) {
        if (stop_signal != 0) return w == 0 ? 0 : sum / double(w);
        sum += double(model.update(data.dry_steps(at, shape.window),
                                   data.wet_steps(at, shape.window), learning_rate));
    }
    return sum / double(windows);
}

/// Heap requests of this process so far: every form of operator new and the malloc family.
inline std::uint64_t allocation_count() { return unspool_test::allocations().total(); }

/// Asks for memory on purpose and tells whether that was seen: a counter that is not linked in, or
/// that a sanitizer displaced, would report a proud 0.
inline bool allocation_counter_works() {
    // Called through volatile pointers: a compiler may drop an allocation that it sees freed.
    void* (*volatile const allocate)(std::size_t) = std::malloc;
    void* (*volatile const create)(std::size_t) = ::operator new;
    auto const before = allocation_count();
    std::free(allocate(24));
    auto const between = allocation_count();
    ::operator delete(create(24));
    return between > before && allocation_count() > between;
}

/// Trains until the recipe's limits, Ctrl-C, or a loss that is no number; leaves the best weights
/// by validation ESR in the model. Nothing in here uses the heap, and that is counted.
inline outcome train(trainer& model, segments const& data, validation& validate, recipe const& how,
                     progress& display) {
    outcome result;
    result.counter_works = allocation_counter_works();
    result.epochs.reserve(std::size_t(how.epochs));
    double best = std::numeric_limits<double>::infinity();
    auto const start = clock::now();
    auto const before = allocation_count();
    standing now{};
    for (int epoch = 1; epoch <= how.epochs && stop_signal == 0; ++epoch) {
        double const rate = how.learning_rate * std::pow(how.decay, (epoch - 1) / how.decay_every);
        double const loss = train_epoch(model, data, float(rate), epoch);
        double const esr = validate(model);  // also after Ctrl-C: part of an epoch may be a gain
        result.seconds = seconds_since(start);
        if (!std::isfinite(loss) || !std::isfinite(esr)) break;
        result.epochs.push_back({result.seconds, loss, esr});
        if (esr < best) {
            best = esr;
            result.best_epoch = result.epochs.size();
            model.keep_weights();
        }
        now = {epoch, how.epochs, loss, esr, best, result.seconds, how.seconds};
        display.show(now);
        if (how.seconds > 0 && result.seconds >= how.seconds) break;
    }
    result.training_allocations = allocation_count() - before;
    if (result.best_epoch == 0)
        throw problem(stop_signal != 0 ? "stopped before there was a model to save"
                                       : "the training diverged at once: try a smaller "
                                         "--learning-rate");
    display.show(now, true);
    model.restore_kept_weights();
    return result;
}

/// Streams the whole recording through the model, from zero state, and measures that.
inline std::vector<float> predict(trainer& model, sound_pair const& pair,
                                  std::array<block, block_count> const& blocks, outcome& result) {
    std::vector<float> predicted(pair.dry.size());
    auto const before = allocation_count();
    auto const start = clock::now();
    model.reset_stream();
    model.stream(pair.dry, predicted);
    double const seconds = seconds_since(start);
    result.streaming_allocations = allocation_count() - before;
    result.nanoseconds_per_sample = 1e9 * seconds / double(predicted.size());
    result.times_real_time = double(predicted.size()) / pair.rate / seconds;
    double error = 0, signal = 0;
    for (auto const& part : blocks) {
        if (!part.held_out) continue;
        auto const target = std::span(pair.wet).subspan(part.begin, part.size());
        double const power = mean_square(target);
        error +=
            power * error_to_signal(target, std::span(predicted).subspan(part.begin, part.size()));
        signal += power;
    }
    result.esr = error / signal;
    return predicted;
}

}  // namespace capture
