// SPDX-License-Identifier: BSL-1.0
// What a plan does with the products of a loop: results that a group takes from registers, and
// matrices packed before the loop. Against an LSTM in plain loops, in double.
#include <unspool/unspool.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace us = unspool;

namespace {

constexpr auto outputs = [](auto const& cell, auto const& xs) {
    return us::lstm(cell, xs).outputs;
};

/// Keras' LSTM by its formulas; all outputs, time-major.
template <int Steps, int Batch, int Inputs, int Units, class Params, class Sequence>
std::vector<double> by_hand(Params const& p, Sequence const& xs) {
    std::vector<double> h(std::size_t(Batch * Units)), c(h), all;
    auto const sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    for (int t = 0; t < Steps; ++t) {
        std::vector<double> const before = h;
        for (int b = 0; b < Batch; ++b)
            for (int u = 0; u < Units; ++u) {
                double z[4];
                for (int g = 0; g < 4; ++g) {
                    int const n = g * Units + u;
                    z[g] = double(p.bias(n));
                    for (int i = 0; i < Inputs; ++i)
                        z[g] += double(xs(t, b, i)) * double(p.kernel(i, n));
                    for (int k = 0; k < Units; ++k)
                        z[g] +=
                            before[std::size_t(b * Units + k)] * double(p.recurrent_kernel(k, n));
                }
                auto const at = std::size_t(b * Units + u);
                c[at] = sigmoid(z[1]) * c[at] + sigmoid(z[0]) * std::tanh(z[2]);
                h[at] = sigmoid(z[3]) * std::tanh(c[at]);
            }
        all.insert(all.end(), h.begin(), h.end());
    }
    return all;
}

template <class T, int Steps, int Batch, int Inputs, int Units>
struct model {
    using params = us::lstm_params<T, Inputs, Units>;
    using sequence = us::tensor<T, Steps, Batch, Inputs>;
    using program = us::program<decltype(outputs), params, sequence>;

    static constexpr auto const& plan =
        us::run::planned<us::simd::native, decltype(outputs), params, sequence>::value;
    /// Instructions of the plan of which `holds` is true.
    template <class Holds>
    static constexpr int count(Holds holds) {
        int n = 0;
        for (int i = 0; i < plan.size.code; ++i) n += holds(plan.code[i]);
        return n;
    }
    static constexpr int epilogues =
        count([](us::instruction const& i) { return i.epilogue_count > 0; });
    static constexpr int packed = count([](us::instruction const& i) { return i.packed; });

    /// Products whose results have rows so many elements apart.
    static constexpr int products_with_rows(int step) {
        return count([step](us::instruction const& i) {
            return i.what == us::instruction::kind::product &&
                   plan.places[i.first + 2].step[i.space.rank - 2] == step;
        });
    }

    static double error() {
        auto const p = std::make_unique<params>();
        us::initialize(*p, 3);
        us::fill_normal(p->bias, 4);
        auto const xs = std::make_unique<sequence>();
        us::fill_normal(*xs, 5);
        auto const run = std::make_unique<program>();
        auto const got = std::make_unique<us::tensor<T, Steps, Batch, Units>>();
        (*run)(*p, *xs, *got);
        auto const expected = by_hand<Steps, Batch, Inputs, Units>(*p, *xs);
        double worst = 0;
        for (int i = 0; i < got->size(); ++i)
            worst = std::max(worst, std::abs(double((*got)[i]) - expected[std::size_t(i)]));
        return worst;
    }
};

/// Outputs are below 1; each adds some hundred products of numbers below 1, step after step: 30
/// rounding errors of 1 in float, 45 in double.
template <class T>
constexpr double bound = sizeof(T) == 4 ? 2e-6 : 1e-14;

}  // namespace

TEMPLATE_TEST_CASE("gates of a single row are taken from registers", "[executor]", float, double) {
    constexpr int one_vector = us::simd::native::bytes / int(sizeof(TestType));
    using full = model<TestType, 6, 1, 3, one_vector>;
    using short_row = model<TestType, 6, 1, 3, one_vector * 3 / 4 + 1>;
    STATIC_REQUIRE(full::epilogues == 1);
    CHECK(full::error() < bound<TestType>);
    CHECK(short_row::error() < bound<TestType>);
}

TEMPLATE_TEST_CASE("gates of two vectors each, and of many rows", "[executor]", float, double) {
    constexpr int width = us::simd::native::bytes / int(sizeof(TestType));
    CHECK(model<TestType, 5, 1, 4, 2 * width>::error() < bound<TestType>);
    CHECK(model<TestType, 5, 1, 4, 3 * width - 1>::error() < bound<TestType>);
    CHECK(model<TestType, 3, 7, 4, width + 1>::error() < bound<TestType>);
}

TEMPLATE_TEST_CASE("a large recurrent kernel is packed before the loop", "[executor]", float,
                   double) {
    using large = model<TestType, 4, 5, 3, 130>;
    STATIC_REQUIRE(large::packed == 1);
    CHECK(large::error() < bound<TestType>);
    using one_row = model<TestType, 4, 1, 3, 130>;
    STATIC_REQUIRE(one_row::packed == 0);
    CHECK(one_row::error() < bound<TestType>);
}

TEST_CASE("rows that would meet in the cache are spread", "[executor]") {
    // 4 · 128 floats are 2 KiB, and a cache line of 16 is left between two rows of the gates.
    using spread = model<float, 3, 6, 128, 128>;
    STATIC_REQUIRE(spread::products_with_rows(512 + 16) > 0);
    STATIC_REQUIRE(spread::products_with_rows(512) == 0);
    CHECK(spread::error() < bound<float>);
}
