// SPDX-License-Identifier: BSL-1.0
// What plans cost, counted. Most figures are what the passes come to today: one that falls is
// progress and is written down here; one that rises is to be explained in review.
#include <unspool/unspool.hpp>

namespace us = unspool;

constexpr int T = 10;
constexpr int B = 1;
constexpr int I = 10;
constexpr int H = 10;
using params = us::lstm_params<double, I, H>;
template <std::size_t Steps>
using sequence = us::tensor<double, Steps, B, I>;

inline constexpr auto loss = [](auto cell, auto xs) {
    return us::mean(us::lstm(cell, xs).outputs);
};
using loss_type = decltype(loss);
using gradient_type = decltype(us::value_and_grad(loss));
using forward = us::program<loss_type, params, sequence<T>>;
using gradient = us::program<gradient_type, params, sequence<T>>;

/// Nodes of the outer graph, loops counting one, as traced and after all passes.
template <class F>
constexpr int traced_nodes = us::thaw(us::frozen_function<F, params, sequence<T>>::value).size();
template <class F>
constexpr int final_nodes =
    us::thaw(us::run::optimised<us::simd::native, F, params, sequence<T>>::value).size();

// Three sigmoids and a tanh of the gates, a tanh of the cell. The reverse sweep evaluates none: it
// reads the outputs of the forward sweep.
static_assert(forward::transcendentals == 5 * T * B * H);
static_assert(gradient::transcendentals == 5 * T * B * H);

// A multiply-add counts two. Two products forward, 2·T·B·(I + H)·4H, and three in reverse, since
// nobody asked for the gradient of xs: into h, the kernel and the recurrent kernel. What else there
// is grows with T·B·H alone: the bound is 45 operations a unit and step, 6 of them forward.
constexpr int products = 2 * T * B * 4 * H;
static_assert(forward::flops >= products * (I + H));
static_assert(forward::flops <= products * (I + H) + 6 * T * B * H);
static_assert(gradient::flops >= products * (I + H + H + I + H));
static_assert(gradient::flops <= products * (I + H + H + I + H) + 45 * T * B * H);
static_assert(forward::flops == 16501);
static_assert(gradient::flops == 43201);

static_assert(traced_nodes<loss_type> == 12);
static_assert(traced_nodes<gradient_type> == 27);
static_assert(final_nodes<loss_type> == 17);
static_assert(final_nodes<gradient_type> == 35);
static_assert(forward::instructions == 8);
static_assert(gradient::instructions == 17);

static_assert(forward::workspace_bytes == 4544);
static_assert(gradient::workspace_bytes == 15552);

// A longer sequence is the same code, with more work and memory.
using longer = us::program<gradient_type, params, sequence<16 * T>>;
static_assert(longer::instructions == gradient::instructions);
static_assert(longer::transcendentals == 16 * gradient::transcendentals);
static_assert(longer::flops <= 16 * gradient::flops);
static_assert(longer::workspace_bytes <= 16 * gradient::workspace_bytes);

// Residuals that go through memory: six arrays over time, batch and units (the gates, c and h), and
// nothing else that grows with T. tanh(c) is evaluated again instead of read.
constexpr long one_array = 2048L * 16 * 40;
using in_memory =
    us::program<gradient_type, us::lstm_params<float, 1, 40>, us::tensor<float, 2048, 16, 1>>;
static_assert(in_memory::workspace_bytes < 6 * 4 * one_array + 64 * 1024);
static_assert(in_memory::workspace_bytes <= 32'000'000);
static_assert(in_memory::transcendentals == 6 * one_array);

// Weight gradients of long sequences are summed up chunk by chunk: no array of the gates'
// cotangents over time, which would be half of the residuals again.
using in_chunks =
    us::program<gradient_type, us::lstm_params<float, 32, 32>, us::tensor<float, 4096, 1, 32>>;
static_assert(in_chunks::workspace_bytes < 8 * 4 * 4096 * 32 + 576 * 1024);

// A convolution with more taps is the same code.
inline constexpr auto filtered = [](auto kernel, auto x) {
    return us::mean(us::square(us::conv1d<us::causal>(us::tanh(us::conv1d(x, kernel)), kernel)));
};
template <std::size_t Taps>
using filter = us::program<decltype(us::value_and_grad(filtered)), us::tensor<double, Taps, 1, 1>,
                           us::tensor<double, 96, 1>>;
static_assert(filter<3>::instructions == filter<48>::instructions);
