// SPDX-License-Identifier: BSL-1.0
// Indexing, contractions and convolutions in constants, at the compilers' own limits, and the
// tensors that have names.
#include <unspool/unspool.hpp>

#include <array>
#include <utility>

namespace us = unspool;

static_assert(us::zeros<float, 2, 3>() == us::tensor<float, 2, 3>{});
static_assert(us::ones<double, 2>() == us::tensor<double, 2>{1, 1});
static_assert(us::full<double, 2, 2>(0.5) == us::tensor<double, 2, 2>{0.5, 0.5, 0.5, 0.5});
static_assert(us::arange<float, 4>() == us::tensor<float, 4>{0, 1, 2, 3});
static_assert(us::eye<double, 2>() == us::tensor<double, 2, 2>{1, 0, 0, 1});
static_assert(us::eye<double, 2, 3>() == us::tensor<double, 2, 3>{1, 0, 0, 0, 1, 0});
static_assert(us::eye<double, 3, 2>() == us::tensor<double, 3, 2>{1, 0, 0, 1, 0, 0});

// Named tensors beside expressions, and classes counted from numbers.
inline constexpr auto beside = [](auto x) {
    return std::pair{us::sum<1>(x * us::eye<double, 3>()) + us::arange<double, 3>(),
                     us::one_hot<4>(x)};
};
constexpr us::tensor<double, 3> numbers{2, 0, 1.5};
constexpr auto counted = us::unroll<1>(beside)(numbers);
static_assert(counted.first == us::tensor<double, 3>{2, 1, 3.5});
static_assert(counted.second == us::tensor<double, 3, 4>{0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0});

constexpr auto x = us::normal<double, 6, 4>(1);
constexpr auto kernel = us::normal<double, 3, 4, 2>(2);

inline constexpr auto rearranged = [](auto a) {
    auto const part = us::flip<0>(a(us::range<0, 6, 2>, us::range<us::edge, us::edge, -1>));
    return us::sum(us::square(us::pad<1, 1, 2>(part))) + us::sum(us::sin(us::tril(part))) +
           us::sum(us::tanh(us::take<0>(a, std::array{5, 0, 5})));
};
static_assert(us::gradient_error<rearranged, x> < 1e-8);

inline constexpr auto reduced = [](auto a) {
    return us::sum(us::square(us::softmax<0>(us::cumsum<0>(a)))) + us::norm(a) +
           us::sum(us::stddev<1>(a)) * us::logsumexp(us::prod<1>(a));
};
static_assert(us::gradient_error<reduced, x> < 1e-8);

inline constexpr auto convolved = [](auto a, auto k) {
    auto const y = us::conv1d<us::causal, 2>(a, k);
    return us::sum(us::tanh(y)) + us::einsum<"tu,su->">(y, y) + us::sum(us::outer(y, y));
};
static_assert(us::gradient_error<convolved, x, kernel> < 1e-8);
static_assert(us::gradient_error_wrt<1, convolved, x, kernel> < 1e-8);
