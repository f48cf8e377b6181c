// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "model.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace capture {

/// What is fixed when the program is compiled: units of the LSTM, samples between two updates.
struct model_size {
    std::size_t units, window;
    friend constexpr bool operator==(model_size const&, model_size const&) = default;
};

/// Training and running one model whose sizes were fixed when the program was compiled. The sizes
/// themselves are in training.hpp; everything else in this example knows only this.
///
/// Sequences are time-major: sample t of segment s is at [t * batch + s].
/// After construction no member but `copy_weights`, `set_weights` uses the heap.
class trainer {
public:
    trainer() = default;
    trainer(trainer const&) = delete;
    trainer& operator=(trainer const&) = delete;
    virtual ~trainer() = default;

    /// Units of the LSTM, samples between two updates, segments side by side, samples that warm the
    /// state up before the first update, and samples of a gradient profile.
    struct sizes {
        std::size_t units, window, batch, warm_up, profile;
        bool skip;
    };
    [[nodiscard]] virtual sizes shape() const = 0;
    [[nodiscard]] virtual std::size_t workspace_bytes() const = 0;

    /// Seeded initial weights; forgets the optimiser's moments. The units' memories begin with time
    /// constants spread from 1 to `longest_memory` samples; 0 leaves Keras' (1 for all).
    virtual void initialise(std::uint64_t seed, double longest_memory) = 0;
    /// Zero state in every segment.
    virtual void reset_state() noexcept = 0;
    /// Each segment takes over the state that the one before it ended with; the segments numbered
    /// in `first`, which have none before them, start from zero.
    virtual void hand_state_on(std::span<std::size_t const> first) noexcept = 0;
    /// Runs warm_up × batch inputs; changes the carried state only.
    virtual void warm_up(std::span<float const> dry) noexcept = 0;
    /// One window × batch: loss, gradient, one step of Adam. The state after the window is carried
    /// into the next one, and no gradient flows through it. Returns the loss before the step.
    virtual float update(std::span<float const> dry, std::span<float const> wet,
                         float learning_rate) noexcept = 0;

    /// Keeps a copy of the current weights, and goes back to that copy.
    virtual void keep_weights() noexcept = 0;
    virtual void restore_kept_weights() noexcept = 0;
    [[nodiscard]] virtual weights copy_weights() const = 0;
    virtual void set_weights(weights const& values) = 0;

    /// The model as a player runs it: one sequence, one sample at a time, with a state of its own.
    virtual void reset_stream() noexcept = 0;
    virtual void stream(std::span<float const> dry, std::span<float> predicted) noexcept = 0;

    /// ‖∂L/∂h_t‖ for `profile` steps of one sequence from the stream's current state: `whole` for
    /// the loss over all of them, `last` for the squared error of its last sample alone.
    virtual void gradient_profile(std::span<float const> dry, std::span<float const> wet,
                                  std::span<float> whole, std::span<float> last) noexcept = 0;
};

/// The sizes for which a trainer was compiled in.
std::vector<model_size> compiled_sizes();

/// A trainer of that size, or null.
std::unique_ptr<trainer> make_trainer(model_size size, bool skip);

}  // namespace capture
