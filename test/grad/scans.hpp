// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "grad/check.hpp"

#include <array>

/// A small recurrence, as a scan and written out.
namespace unspool_test {

using matrix = us::tensor<double, 3, 3>;
using sequence = us::tensor<double, 7, 3>;
using row = us::tensor<double, 3>;

// Matrices of normally distributed entries do not commute.
inline matrix const a = random<matrix>(1, 0.6);
inline sequence const xs = random<sequence>(2);
inline row const h0 = random<row>(3);

// h' = tanh(h·A + x)
inline constexpr auto step_of = [](auto const& h, auto const& x, auto const& w) {
    return us::tanh(us::dot(h, w) + x);
};
inline constexpr auto scanned = [](auto w, auto x, auto h) {
    auto const step = [&](auto const& state, auto const& in) {
        auto const next = step_of(state, in, w);
        return std::pair{next, us::square(next)};
    };
    return us::scan(step, h, x);
};
inline constexpr auto unrolled = [](auto w, auto x, auto h) {
    constexpr std::size_t steps = decltype(x)::dims.extent[0];
    std::array<us::as_traced<decltype(h)>, steps> ys;
    for (std::size_t t = 0; t < steps; ++t) {
        h = step_of(h, x[static_cast<int>(t)], w);
        ys[t] = us::square(h);
    }
    return std::pair{us::as_traced<decltype(h)>(h), us::stack(ys)};
};
template <auto F>
inline constexpr auto loss_of = [](auto w, auto x, auto h) {
    auto const r = F(w, x, h);
    return us::sum(us::sin(r.first)) + us::mean(r.second);
};

template <class F, class... Args>
auto gradient_of_all(F f, Args const&... args) {
    us::program step(us::value_and_grad<0, 1, 2>(f), args...);
    return step(args...);
}

}  // namespace unspool_test
