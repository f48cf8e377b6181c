// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "grad/check.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

/// What the tests of the language share: a table of expressions is one function that returns them
/// as a tuple, so that each is compiled once for the value and once for the gradient of all.
namespace unspool_test {

/// The elements that an independent formula gives, row-major, one expression after the other.
class expected_elements {
public:
    /// f(i…) for each multi-index below the extents, the last one fastest.
    template <class F>
    expected_elements& each(F f) {
        values_.push_back(static_cast<double>(f()));
        return *this;
    }
    template <class F, class... N>
    expected_elements& each(F f, int extent, N... extents) {
        for (int i = 0; i < extent; ++i)
            each([&](auto... rest) { return f(i, rest...); }, extents...);
        return *this;
    }
    std::vector<double> const& values() const { return values_; }

private:
    std::vector<double> values_;
};

/// All elements of a structure.
template <class X>
std::vector<double> elements_of(X const& x) {
    std::vector<double> all;
    us::for_each_leaf(
        [&](auto const& leaf) {
            auto const* const p = us::run::elements_of(leaf);
            all.insert(all.end(), p, p + us::run::element_count(leaf));
        },
        x);
    return all;
}

/// Σ sin(y + k) over the elements of expression number k: each has a weight of its own in the
/// gradient.
template <auto const& F>
inline constexpr auto weighted = [](auto const&... x) {
    auto const y = F(x...);
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return (... + us::sum(us::sin(std::get<K>(y) + double(K))));
    }
    (std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(y)>>>{});
};

/// Every expression of F against the formula, by the executor and by the plain evaluator; the
/// gradient of all with respect to each argument against differences, and both modes against each
/// other.
template <auto const& F, class... X>
void check_language(expected_elements const& expected, X const&... x) {
    using function = std::remove_cvref_t<decltype(F)>;
    auto const by_program = elements_of((*std::make_unique<us::program<function, X...>>())(x...));
    auto const by_evaluator = elements_of(us::run::evaluate_constant<function, X...>(x...));
    REQUIRE(by_program.size() == expected.values().size());
    REQUIRE(by_evaluator.size() == expected.values().size());
    for (std::size_t i = 0; i < by_program.size(); ++i) {
        double const right = expected.values()[i];
        double const allowed =
            tolerance::language * std::max(std::fabs(right), tolerance::language_floor);
        INFO("element " << i);
        CHECK(std::fabs(by_program[i] - right) <= allowed);
        CHECK(std::fabs(by_evaluator[i] - right) <= allowed);
    }
    check_differences(weighted<F>, x...);
    check_all_adjoints(3, weighted<F>, x...);
}

}  // namespace unspool_test
