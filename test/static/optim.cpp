// SPDX-License-Identifier: BSL-1.0
// Optimisers in constants: sequences that can be computed by hand, and closed forms.
#include <unspool/nn/parameters.hpp>
#include <unspool/optim/adam.hpp>
#include <unspool/optim/clip.hpp>
#include <unspool/optim/sgd.hpp>

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

namespace us = unspool;

using pair = us::tensor<double, 2>;

constexpr bool close(double a, double b, double relative = 1e-14) {
    double const d = a > b ? a - b : b - a;
    return d <= relative * (b < 0 ? -b : b);
}

// SGD on p²/2: each step halves p, exactly.
static_assert([] {
    us::sgd<pair> optimiser{.learning_rate = 0.5};
    pair p{1, -8};
    for (int k = 0; k < 10; ++k) optimiser.step(p, pair{p});
    return p == pair{0x1p-10, -0x1p-7};
}());
// Momentum ½, constant gradient 1: v = 1, 3/2, 7/4, …
static_assert([] {
    us::sgd<pair> optimiser{.learning_rate = 0.25, .momentum = 0.5};
    pair p{0, 1};
    for (int k = 0; k < 3; ++k) optimiser.step(p, pair{1, 0});
    return p == pair{-0.25 * (1 + 1.5 + 1.75), 1} && optimiser.velocity == pair{1.75, 0};
}());
// Nesterov: p falls by d + momentum·v = 3/2, 7/4.
static_assert([] {
    us::sgd<pair> optimiser{.learning_rate = 1, .momentum = 0.5, .nesterov = true};
    pair p{0, 0};
    for (int k = 0; k < 2; ++k) optimiser.step(p, pair{1, -1});
    return p == pair{-3.25, 3.25};
}());
// Weight decay alone: p·(1 − 0.5·0.5) a step. Learning rate changed between steps.
static_assert([] {
    us::sgd<pair> optimiser{.learning_rate = 0.5, .weight_decay = 0.5};
    pair p{16, -16};
    optimiser.step(p, pair{0, 0});
    bool const first = p == pair{12, -12};
    optimiser.learning_rate = 0.25;
    optimiser.step(p, pair{0, 0});
    return first && p == pair{10.5, -10.5};
}());

// Adam, constant gradient: m̂ = g and v̂ = g² at every step, so p falls by rate·g/(|g| + ε).
static_assert([] {
    us::adam<pair> optimiser{.learning_rate = 0.01};
    pair p{0, 0};
    for (int k = 0; k < 20; ++k) optimiser.step(p, pair{3, -1e-8});
    return optimiser.steps == 20 && close(p[0], -20 * 0.01 * 3 / (3 + 1e-8)) &&
           close(p[1], 20 * 0.01 * 0.5);
}());
// Keras' ε stands before the correction: at step 1, 1 − β₂ = 0.001.
static_assert([] {
    us::adam<pair, us::adam_form::keras> optimiser{.learning_rate = 0.01};
    static_assert(us::adam<pair>{}.epsilon == 1e-8);
    pair p{0, 0};
    optimiser.step(p, pair{3, -1e-6});
    double const root = 0.03162277660168379;  // √0.001
    return optimiser.epsilon == 1e-7 && close(p[0], -0.01 * 3 / (3 + 1e-7 / root)) &&
           close(p[1], 0.01 * 1e-6 / (1e-6 + 1e-7 / root), 1e-13);
}());
// β₁ = β₂ = ½, gradients 1 then −1: m̂ = 1, −1/3; v̂ = 1, 1. ε = 0 is allowed where g ≠ 0.
static_assert([] {
    us::adam<pair> optimiser{.learning_rate = 0.75, .beta_1 = 0.5, .beta_2 = 0.5, .epsilon = 0};
    pair p{0, 0};
    optimiser.step(p, pair{1, -2});
    bool const first = close(p[0], -0.75) && close(p[1], 0.75);
    optimiser.step(p, pair{-1, 2});
    return first && close(p[0], -0.5) && close(p[1], 0.5) &&
           optimiser.first_moment == pair{-0.25, 0.5} && optimiser.second_moment == pair{0.75, 3};
}());
// Decay enters the gradient, as in PyTorch's Adam (not AdamW's): its size does not matter here.
static_assert([] {
    us::adam<pair> optimiser{.learning_rate = 0.5, .epsilon = 0, .weight_decay = 0.125};
    pair p{16, -4};
    optimiser.step(p, pair{0, 0});
    return close(p[0], 15.5) && close(p[1], -3.5);
}());
// A gradient of zero moves nothing: 0 / (0 + ε).
static_assert([] {
    us::adam<pair> optimiser;
    pair p{1, 2};
    optimiser.step(p, pair{0, 0});
    return p == pair{1, 2};
}());

// Clipping over all leaves together: ‖(3, 4, 12)‖ = 13.
using mixed = std::tuple<us::tensor<float, 2>, double>;
static_assert([] {
    mixed g{us::tensor<float, 2>{3, 4}, 12};
    bool const small = us::clip_by_global_norm(g, 13) == 13 && std::get<1>(g) == 12;
    bool const large = us::clip_by_global_norm(g, 6.5) == 13;
    return small && large && std::get<0>(g) == us::tensor<float, 2>{1.5f, 2} &&
           std::get<1>(g) == 6 && us::global_norm(g) == 6.5;
}());
static_assert([] {
    pair g{0, 0};
    return us::clip_by_global_norm(g, 1) == 0 && g == pair{0, 0} && us::clip_factor(g, 1) == 1;
}());
static_assert(us::clip_factor(pair{3, 4}, 2.5) == 0.5);
// Lanes and tail of the sum: Σ k² for k = 1 … 19 is 2470, times 4 for the structure.
static_assert([] {
    std::array<us::tensor<float, 19>, 4> g;
    for (auto& x : g)
        for (int k = 0; k < 19; ++k) x[k] = float(k + 1);
    double const norm = us::global_norm(g);
    return close(norm * norm, 4 * 2470);
}());

// Clipping on the way is the same as clipping before, to the bit; sums of structures step alike.
template <class Optimiser, class P>
constexpr bool clips_alike(P const& start, P const& gradient) {
    Optimiser a, b;
    P p = start, q = start;
    for (int k = 0; k < 3; ++k) {
        P clipped = gradient;
        us::clip_by_global_norm(clipped, 0.5);
        a.step(p, clipped);
        b.step(q, gradient, us::clip_factor(gradient, 0.5));
    }
    bool same = true;
    us::for_each_leaf_of([&](auto const& x, auto const& y) { same = same && x == y; }, p, q);
    return same;
}
static_assert(clips_alike<us::sgd<pair>>(pair{1, 2}, pair{3, -7}));
static_assert(clips_alike<us::adam<pair>>(pair{1, 2}, pair{3, -7}));
static_assert(clips_alike<us::adam<mixed>>(mixed{us::tensor<float, 2>{1, 2}, 5},
                                           mixed{us::tensor<float, 2>{3, -7}, -1}));

// Structs of parameters: every member moves by its own gradient.
using dense = us::dense_params<float, 2, 1>;
static_assert([] {
    us::sgd<std::pair<dense, double>> optimiser{.learning_rate = 1};
    std::pair<dense, double> p{}, g{};
    g.first.kernel = us::tensor<float, 2, 1>{1, 2};
    g.first.bias = us::tensor<float, 1>{3};
    g.second = 4;
    optimiser.step(p, g);
    return p.first.kernel == us::tensor<float, 2, 1>{-1, -2} && p.first.bias[0] == -3 &&
           p.second == -4;
}());

using lstm = us::lstm_params<float, 1, 20>;
static_assert(noexcept(std::declval<us::adam<lstm>&>().step(std::declval<lstm&>(), lstm{})));
static_assert(noexcept(std::declval<us::sgd<lstm>&>().step(std::declval<lstm&>(), lstm{})));
static_assert(std::is_nothrow_move_constructible_v<us::adam<lstm>>);
static_assert(std::is_same_v<decltype(us::adam<lstm>::first_moment), lstm>);
