// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/unspool.hpp>

/// The model of the tests of `program`: sizes that are no multiple of any vector.
namespace unspool_test {

namespace us = unspool;

using cell_type = us::lstm_params<double, 3, 5>;
using sequence = us::tensor<double, 7, 2, 3>;
inline constexpr auto loss = [](auto cell, auto xs) {
    return us::mean(us::square(us::lstm(cell, xs).outputs));
};
inline constexpr auto loss_and_gradient = us::value_and_grad<0, 1>(loss);
using gradient_program = us::program<decltype(us::value_and_grad<0, 1>(loss)), cell_type, sequence>;

inline constexpr cell_type cell = us::initial<cell_type>(11);
inline constexpr sequence xs = us::normal<double, 7, 2, 3>(12);

/// Calls f(a, b) for the leaves of two results of one type.
template <class X, class F>
void for_each_pair(X const& a, X const& b, F f) {
    double const* of_a[8];
    int k = 0;
    us::for_each_leaf([&](auto const& leaf) { of_a[k++] = us::run::elements_of(leaf); }, a);
    k = 0;
    us::for_each_leaf(
        [&](auto const& leaf) {
            double const* const of_b = us::run::elements_of(leaf);
            for (int i = 0; i < us::run::element_count(leaf); ++i) f(of_a[k][i], of_b[i]);
            ++k;
        },
        b);
}
/// Whether all elements of two results are the same numbers.
template <class X>
bool same_bits(X const& a, X const& b) {
    bool same = true;
    for_each_pair(a, b, [&](double x, double y) { same = same && x == y; });
    return same;
}

}  // namespace unspool_test
