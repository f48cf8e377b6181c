// SPDX-License-Identifier: BSL-1.0
// Plays a window sample by sample and trains on it: no heap, exceptions, RTTI or iostreams; every
// byte is static.
#include "model.hpp"

#include <cstdio>

namespace {

using namespace embedded;

using params = network<float, units>;
constexpr auto initial_params = us::initial<params>(42);  // by the compiler
constexpr sequence xs = us::normal<float, window, 1, 1>(7);
constexpr sequence targets = [] {  // a low-pass filter of xs, for the model to learn
    sequence y{};
    for (int i = 0; i < window; ++i) y[i] = 0.5f * xs[i] + (i == 0 ? 0 : 0.5f * y[i - 1]);
    return y;
}();

params net = initial_params;
state memory{};
us::sgd<params> optimiser{.learning_rate = 0.1};
us::program player(play, net, memory, sample{});
us::program trainer(us::value_and_grad(loss), net, xs, targets);

/// The last of the outputs, one call for each sample.
float play_window() {
    float last = 0;
    memory = {};
    for (int i = 0; i < window; ++i) {
        auto const& [y, after] = player(net, memory, sample{xs[i]});
        memory = after;
        last = y[0];
    }
    return last;
}

float train() {
    auto const& [value, gradient] = trainer(net, xs, targets);
    optimiser.step(net, gradient);
    return value;
}

}  // namespace

int main() {
    std::printf("parameters %zu bytes, state %zu\n", sizeof net, sizeof memory);
    std::printf("player: %zu bytes, of which workspace %zu\n", sizeof player,
                player.workspace_bytes);
    std::printf("trainer: %zu bytes, of which workspace %zu\n", sizeof trainer,
                trainer.workspace_bytes);
    std::printf("output %.9g\n", double{play_window()});
    std::printf("loss %.9g\n", double{train()});
    std::printf("output %.9g\n", double{play_window()});
    std::printf("loss %.9g\n", double{train()});
}
