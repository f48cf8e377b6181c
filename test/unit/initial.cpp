// SPDX-License-Identifier: BSL-1.0
// Initial parameters at run time and at size: orthogonality, bounds, distribution, no heap.
#include <unspool/nn/initial.hpp>
#include <unspool/nn/parameters.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace us = unspool;

namespace {

/// max |⟨a, b⟩ − (a is b)| over pairs of rows, or of columns if those are fewer.
template <class Matrix>
double orthogonality_error(Matrix const& x) {
    constexpr int rows = Matrix::dims[0];
    constexpr int columns = Matrix::dims[1];
    constexpr int count = std::min(rows, columns);
    constexpr int length = std::max(rows, columns);
    auto const at = [&](int i, int k) {
        return double(rows <= columns ? x[i * columns + k] : x[k * columns + i]);
    };
    double worst = 0;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = i == j ? -1 : 0;
            for (int k = 0; k < length; ++k) sum += at(i, k) * at(j, k);
            worst = std::max(worst, std::abs(sum));
        }
    return worst;
}

template <class T, std::size_t Rows, std::size_t Columns>
double error_of_orthogonal(std::uint64_t seed) {
    auto const x = std::make_unique<us::tensor<T, Rows, Columns>>();
    us::init::orthogonal{}(x->data(), x->dims, us::random_stream{seed});
    return orthogonality_error(*x);
}

}  // namespace

TEST_CASE("orthogonal matrices are orthogonal to rounding", "[initial]") {
    // dot products of unit vectors: a few ULP of 1 in double, of the stored elements in float
    CHECK(error_of_orthogonal<double, 1, 4>(1) <= 2e-15);
    CHECK(error_of_orthogonal<double, 3, 12>(1) <= 2e-15);
    CHECK(error_of_orthogonal<double, 33, 132>(2) <= 2e-15);
    CHECK(error_of_orthogonal<double, 128, 512>(3) <= 2e-15);
    CHECK(error_of_orthogonal<float, 1, 4>(1) <= 1.2e-7);
    CHECK(error_of_orthogonal<float, 33, 132>(2) <= 1.2e-7);
    CHECK(error_of_orthogonal<float, 256, 1024>(3) <= 1.2e-7);
    // square and nearly square ones are ill-conditioned before they are orthogonal
    CHECK(error_of_orthogonal<double, 100, 100>(4) <= 5e-15);
    CHECK(error_of_orthogonal<float, 100, 100>(4) <= 5e-7);
    CHECK(error_of_orthogonal<double, 61, 60>(5) <= 5e-15);
    CHECK(error_of_orthogonal<double, 200, 7>(5) <= 2e-15);
    CHECK(error_of_orthogonal<double, 1, 1>(5) == 0);
}

TEST_CASE("the sign of an orthogonal matrix is not fixed", "[initial]") {
    // of the first 64 seeds about half have a positive first element: 4 standard deviations
    int positive = 0;
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
        us::tensor<double, 4, 4> x;
        us::init::orthogonal{}(x.data(), x.dims, us::random_stream{seed});
        positive += x[0] > 0;
    }
    CHECK(positive > 16);
    CHECK(positive < 48);
}

TEST_CASE("the gain of an orthogonal matrix scales it", "[initial]") {
    us::tensor<double, 3, 5> plain, scaled;
    us::init::orthogonal{}(plain.data(), plain.dims, us::random_stream{3});
    us::init::orthogonal{2.5}(scaled.data(), scaled.dims, us::random_stream{3});
    for (int k = 0; k < 15; ++k) CHECK(scaled.data()[k] == 2.5 * plain.data()[k]);
}

TEST_CASE("a member of one axis without a rule of its own is zero, a matrix is not", "[initial]") {
    us::tensor<float, 7> line;
    line.fill(9);
    us::init::automatic{}(line.data(), line.dims, us::random_stream{3});
    CHECK(std::count(line.begin(), line.end(), 0.f) == 7);
    us::tensor<float, 7, 2> matrix;
    us::init::automatic{}(matrix.data(), matrix.dims, us::random_stream{3});
    CHECK(std::count(matrix.begin(), matrix.end(), 0.f) == 0);
}

TEMPLATE_TEST_CASE("glorot_uniform fills its interval", "[initial]", float, double) {
    auto const p = std::make_unique<us::lstm_params<TestType, 64, 96>>();
    us::initialize(*p, 17);
    double const limit = std::sqrt(6.0 / (64 + 4 * 96));
    auto const [low, high] = std::minmax_element(p->kernel.begin(), p->kernel.end());
    CHECK(double(*low) >= double(TestType(-limit)));
    CHECK(double(*high) < double(TestType(limit)));
    CHECK(double(*low) <= -0.999 * limit);
    CHECK(double(*high) >= 0.999 * limit);
    double sum = 0, squares = 0;
    for (TestType v : p->kernel) sum += double(v), squares += double(v) * double(v);
    double const count = p->kernel.size();
    CHECK(std::abs(sum / count) <= 4 * limit / std::sqrt(3 * count));
    CHECK(std::abs(squares / count / (limit * limit) - 1. / 3) <= 4 * std::sqrt(4. / 45 / count));
}

TEMPLATE_TEST_CASE("the forget gate's bias is one, the others zero", "[initial]", float, double) {
    us::lstm_params<TestType, 3, 7> p;
    p.bias.fill(TestType(9));
    us::initialize(p, 1);
    for (int k = 0; k < 28; ++k) CHECK(p.bias[k] == (k >= 7 && k < 14 ? 1 : 0));
}

TEST_CASE("seeds give different parameters, one seed the same", "[initial]") {
    using params = us::lstm_params<float, 2, 5>;
    auto const a = us::initial<params>(1);
    auto const b = us::initial<params>(2);
    auto const c = us::initial<params>(1);
    CHECK_FALSE(a.kernel == b.kernel);
    CHECK_FALSE(a.recurrent_kernel == b.recurrent_kernel);
    CHECK(a.kernel == c.kernel);
    CHECK(a.recurrent_kernel == c.recurrent_kernel);
}

TEMPLATE_TEST_CASE("run time gives the constants' bits of an LSTM", "[initial]", float, double) {
    using params = us::lstm_params<TestType, 8, 12>;
    static constexpr params constant = us::initial<params>(42);
    std::uint64_t volatile seed = 42;
    params const p = us::initial<params>(seed);
    CHECK(p.kernel == constant.kernel);
    CHECK(p.recurrent_kernel == constant.recurrent_kernel);
    CHECK(p.bias == constant.bias);
}

TEST_CASE("large parameters are initialised in place without the heap", "[initial]") {
    using params = us::lstm_params<float, 64, 128>;
    static_assert(sizeof(params) > 64 * 1024);
    auto const p = std::make_unique<params>();
    auto const counted = unspool_test::allocations_during([&] { us::initialize(*p, 3); });
    CHECK(counted.total() == 0);
    CHECK(orthogonality_error(p->recurrent_kernel) <= 1.2e-7);
}
