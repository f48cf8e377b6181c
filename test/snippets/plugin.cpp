// SPDX-License-Identifier: BSL-1.0
// docs/for-plugin-developers.md
#include <unspool/unspool.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

namespace us = unspool;

// [model]
template <class T, auto... N>
struct amplifier;
template <class T, auto Units>
struct amplifier<T, Units> {
    BOOST_HANA_DEFINE_STRUCT(amplifier, (us::lstm_params<T, 1, Units>, lstm),
                             (us::dense_params<T, Units, 1>, dense));
};
using weights = amplifier<float, 20>;
using state = us::lstm_state<float, 1, 20>;
using sample = us::tensor<float, 1, 1>;  // (batch, channels)

inline constexpr auto play = [](auto const& net, auto const& before, auto const& x) {
    auto const after = us::lstm_cell(net.lstm, x, before);
    return std::pair{x + us::dense(net.dense, after.h), after};
};
// [/model]

// [processor]
class processor {
public:
    explicit processor(weights const& net) : net_(net) {}
    void reset() { memory_ = {}; }
    void process(std::span<float> block) noexcept {
        for (float& x : block) {
            auto const& [output, after] = step_(net_, memory_, sample{x});
            x = output[0];
            memory_ = after;
        }
    }

private:
    weights net_;
    state memory_{};
    us::program<decltype(play), weights, state, sample> step_;
};
// [/processor]

// [memory]
using player = us::program<decltype(play), weights, state, sample>;
static_assert(noexcept(std::declval<player&>()(weights{}, state{}, sample{})));
static_assert(player::workspace_bytes <= 4096);
static_assert(sizeof(processor) < 20 * 1024);
// [/memory]

// [weights]
// All parameters in the order of declaration, row-major.
std::vector<float> exported(weights const& net) {
    std::vector<float> all;
    us::for_each_leaf([&](auto const& leaf) { all.insert(all.end(), leaf.begin(), leaf.end()); },
                      net);
    return all;
}
bool import_weights(std::span<float const> all, weights& net) {
    std::size_t wanted = 0;
    us::for_each_leaf([&](auto const& leaf) { wanted += std::size_t(leaf.size()); }, net);
    if (all.size() != wanted) return false;  // a model of another size is refused, not misread
    auto from = all.begin();
    us::for_each_leaf(
        [&](auto& leaf) {
            for (float& x : leaf) x = *from++;
        },
        net);
    return true;
}
// [/weights]

// The cell as a formula.
float plain(weights const& p, std::vector<float> const& xs) {
    auto const sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
    double h[20] = {}, c[20] = {}, y = 0;
    for (float const x : xs) {
        double z[80];
        for (int k = 0; k < 80; ++k) {
            z[k] = double{p.lstm.bias[k]} + double{x} * p.lstm.kernel[k];
            for (int i = 0; i < 20; ++i) z[k] += h[i] * p.lstm.recurrent_kernel(i, k);
        }
        y = x + p.dense.bias[0];
        for (int k = 0; k < 20; ++k) {
            c[k] = sigma(z[20 + k]) * c[k] + sigma(z[k]) * std::tanh(z[40 + k]);
            h[k] = sigma(z[60 + k]) * std::tanh(c[k]);
            y += h[k] * p.dense.kernel[k];
        }
    }
    return static_cast<float>(y);
}

int main() {
    weights const net = us::initial<weights>(1);
    weights loaded;
    bool const fits = import_weights(exported(net), loaded);
    bool const refused = !import_weights(std::vector<float>(7), loaded);
    auto const noise = us::normal<float, 256>(2);
    std::vector<float> block(noise.begin(), noise.end());
    float const expected = plain(net, block);
    processor once(loaded);
    once.process(block);
    std::printf("last sample %.5f, by the formula %.5f\n", double{block.back()}, double{expected});
    return fits && refused && std::fabs(block.back() - expected) < 1e-5F ? 0 : 1;
}
