// SPDX-License-Identifier: BSL-1.0
// xtensor's arrays as arguments, results as its views: no copies, shapes checked.
#include <unspool/ext/npz.hpp>
#include <unspool/ext/xtensor.hpp>
#include <unspool/unspool.hpp>

#if __has_include(<xtensor/views/xview.hpp>)  // since xtensor 0.26
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xview.hpp>
#endif

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace us = unspool;

namespace {

using params = us::lstm_params<double, 3, 4>;
using sequence = us::tensor<double, 5, 2, 3>;

inline constexpr auto loss = [](auto cell, auto xs) {
    return us::mean(us::square(us::lstm(cell, xs).outputs));
};

struct problem {
    params cell = us::initial<params>(3);
    sequence xs = us::normal<double, 5, 2, 3>(4);
    decltype(us::value_and_grad<0, 1>(loss)(cell, xs)) expected =
        us::value_and_grad<0, 1>(loss)(cell, xs);
};

template <class Gradient>
void check_same(problem const& p, Gradient const& g) {
    CHECK(g.value == p.expected.value);
    CHECK(std::get<0>(g.gradient).kernel == std::get<0>(p.expected.gradient).kernel);
    CHECK(std::get<1>(g.gradient) == std::get<1>(p.expected.gradient));
}

template <class F>
std::string message_of(F f) {
    try {
        f();
    } catch (std::invalid_argument const& e) {
        return e.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("xt::xtensor_fixed is an argument", "[ext]") {
    problem const p;
    xt::xtensor_fixed<double, xt::xshape<5, 2, 3>> xs;
    std::copy(p.xs.begin(), p.xs.end(), xs.begin());
    us::program step(us::value_and_grad<0, 1>(loss), p.cell, xs);
    auto const& g = step(p.cell, xs);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(std::get<1>(g.gradient))>, sequence>);
    check_same(p, g);
    check_same(p, us::value_and_grad<0, 1>(loss)(p.cell, xs));
}

TEST_CASE("xt::xtensor_fixed is a leaf of structures", "[ext]") {
    using matrix = xt::xtensor_fixed<float, xt::xshape<2, 3>>;
    auto const f = [](auto pair, auto more) {
        return us::sum(pair.first * us::square(std::get<0>(more)) + more[1] * pair.second);
    };
    std::pair<matrix, float> a{{{1, 2, 3}, {4, 5, 6}}, 2.F};
    std::array<matrix, 2> b{matrix{{1, 1, 2}, {2, 3, 3}}, matrix{{-1, 0, 1}, {0, 0, 2}}};
    us::program step(us::grad<0, 1>(f), a, b);
    auto const& [da, db] = step(a, b);
    CHECK(da.first == us::tensor<float, 2, 3>{1, 1, 4, 4, 9, 9});
    CHECK(float(da.second) == 2.F);
    CHECK(db[0] == us::tensor<float, 2, 3>{2, 4, 12, 16, 30, 36});
    CHECK(db[1] == us::tensor<float, 2, 3>{2, 2, 2, 2, 2, 2});
}

namespace {

template <class T, std::size_t... N>
using fixed = xt::xtensor_fixed<T, xt::xshape<N...>>;

/// One layer over time, with members of either kind.
template <class T, auto Inputs, auto Units>
struct fixed_layer {
    BOOST_HANA_DEFINE_STRUCT(fixed_layer, (fixed<T, Inputs, Units>, w), (fixed<T, Units>, b),
                             (fixed<T>, gain));
};
template <class T, auto Inputs, auto Units>
struct plain_layer {
    BOOST_HANA_DEFINE_STRUCT(plain_layer, (us::tensor<T, Inputs, Units>, w),
                             (us::tensor<T, Units>, b), (us::tensor<T>, gain));
};

/// Members in every place where an operation might meet xtensor's functions of the same name.
inline constexpr auto layer_loss = [](auto p, auto xs) {
    auto const step = [&](auto h, auto x) {
        auto const next = us::tanh(us::matmul(x, p.w) + p.b + h * p.gain);
        return std::pair{next, next};
    };
    auto const ys = us::scan(step, us::zeros<double, 3>(), xs).second;
    auto q = p;
    q.w = us::exp(p.w);
    return us::mean(us::square(ys)) + us::sum(us::transpose(p.w)(us::at<0>) * p.w[1](us::at<0>)) +
           us::einsum<"ij,j->">(q.w, p.b) + us::mean(us::softmax(p.w) * p.w) +
           us::sum(us::concatenate<0>(p.b, us::reshape<6>(p.w)) * 3.0) + us::max(p.b) + p.gain;
};

template <class Layer>
Layer filled() {
    Layer p{};
    double x = 0.1;
    us::for_each_leaf(
        [&](auto& leaf) {
            for (auto& element : leaf) element = x = 0.7 * x + 0.2;
        },
        p);
    return p;
}
template <class Layer>
std::vector<double> elements(Layer const& p) {
    std::vector<double> all;
    us::for_each_leaf([&](auto const& x) { all.insert(all.end(), x.begin(), x.end()); }, p);
    return all;
}

}  // namespace

TEST_CASE("xt::xtensor_fixed is a member of parameters and of their gradient", "[ext]") {
    using fixed_params = fixed_layer<double, 2, 3>;
    auto p = filled<fixed_params>();
    auto plain = filled<plain_layer<double, 2, 3>>();
    auto const xs = us::normal<double, 4, 2>(3);
    us::program step(us::value_and_grad(layer_loss), p, xs);
    us::program plain_step(us::value_and_grad(layer_loss), plain, xs);
    auto const& g = step(p, xs);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(g.gradient)>, fixed_params>);
    CHECK(g.value == plain_step(plain, xs).value);
    CHECK(elements(g.gradient) == elements(plain_step(plain, xs).gradient));

    // an optimiser's state starts as zeros whatever lay there
    alignas(us::sgd<fixed_params>) std::array<unsigned char, sizeof(us::sgd<fixed_params>)> memory;
    memory.fill(0xA5);
    auto& optimiser =
        *new (memory.data()) us::sgd<fixed_params>{.learning_rate = 0.1, .momentum = 0.5};
    us::sgd<plain_layer<double, 2, 3>> plain_optimiser{.learning_rate = 0.1, .momentum = 0.5};
    for (int i = 0; i < 3; ++i) {
        optimiser.step(p, step(p, xs).gradient);
        plain_optimiser.step(plain, plain_step(plain, xs).gradient);
    }
    CHECK(elements(p) == elements(plain));
    optimiser.~sgd();
}

TEST_CASE("expressions and views are computed into tensors", "[ext]") {
    using matrix = us::tensor<double, 2, 3>;
    xt::xtensor_fixed<double, xt::xshape<2, 3>> const a{{1, 2, 3}, {4, 5, 6}};
    xt::xtensor<double, 2> const b{{6, 5, 4}, {3, 2, 1}};
    us::program sum([](auto x) { return us::sum(x * us::tensor<double, 3>{1, 2, 4}); }, matrix{});
    double expected = 0;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) expected += (2 * a(i, j) + b(i, j)) * (1 << j);
    CHECK(sum(us::as<matrix>(2 * a + b)) == expected);

    us::program view_sum([](auto x) { return us::sum(x); }, us::as<matrix>(b));
    CHECK(view_sum(us::as<matrix>(a + b)) == 42);  // a tensor stands for its view

    CHECK(us::as<us::tensor<double, 3>>(xt::view(b, 1)) == us::tensor<double, 3>{3, 2, 1});
    CHECK(us::as<us::tensor<double, 2, 2>>(xt::view(b, xt::all(), xt::range(1, 3))) ==
          us::tensor<double, 2, 2>{5, 4, 2, 1});
    CHECK(us::as<us::tensor<double, 3, 2>>(xt::transpose(b)) ==
          us::tensor<double, 3, 2>{6, 3, 5, 2, 4, 1});
    CHECK(message_of([&] { us::as<us::tensor<double, 3, 2>>(b + b); }) ==
          "unspool: an array of shape (2, 3) is given where shape (3, 2) is expected");
}

TEST_CASE("arrays of dynamic shape come through as", "[ext]") {
    problem const p;
    xt::xtensor<double, 3> tensor(std::array<std::size_t, 3>{5, 2, 3});
    std::copy(p.xs.begin(), p.xs.end(), tensor.begin());
    xt::xarray<double> const array = tensor;
    std::vector<double> const vector(p.xs.begin(), p.xs.end());
    std::span<double const> const span(vector);
    std::array<double, 30> plain{};
    std::copy(p.xs.begin(), p.xs.end(), plain.begin());

    us::program step(us::value_and_grad<0, 1>(loss), p.cell, us::as<sequence>(tensor));
    check_same(p, step(p.cell, us::as<sequence>(tensor)));
    check_same(p, step(p.cell, us::as<sequence>(array)));
    check_same(p, step(p.cell, us::as<sequence>(vector)));
    check_same(p, step(p.cell, us::as<sequence>(span)));
    check_same(p, step(p.cell, us::as<sequence>(plain)));
    check_same(p, step(p.cell, p.xs));  // a tensor stands for its view
    CHECK(us::as<sequence>(tensor).data() == tensor.data());

    auto const during = unspool_test::allocations_during([&] {
        for (int i = 0; i < 100; ++i) step(p.cell, us::as<sequence>(tensor));
    });
    CHECK(during.total() == 0);
}

TEST_CASE("unaligned memory gives the same bits", "[ext]") {
    problem const p;
    std::vector<double> memory(40);
    us::program step(us::value_and_grad<0, 1>(loss), p.cell, us::as<sequence>(p.xs));
    for (int shift = 0; shift < 8; ++shift) {
        std::copy(p.xs.begin(), p.xs.end(), memory.begin() + shift);
        check_same(p, step(p.cell, us::as<sequence>(std::span(memory.data() + shift, 30))));
    }
}

TEST_CASE("a wrong shape is told in words before the call", "[ext]") {
    xt::xtensor<double, 3> const x(std::array<std::size_t, 3>{5, 3, 2});
    CHECK(message_of([&] { us::as<sequence>(x); }) ==
          "unspool: an array of shape (5, 3, 2) is given where shape (5, 2, 3) is expected");
    xt::xarray<double> const y(std::vector<std::size_t>{30});
    CHECK(message_of([&] { us::as<sequence>(y); }) ==
          "unspool: an array of shape (30,) is given where shape (5, 2, 3) is expected");
    std::vector<double> const v(29);
    CHECK(message_of([&] { us::as<sequence>(v); }) ==
          "unspool: 29 elements are given where shape (5, 2, 3) is expected, 30 elements");
    CHECK(message_of([&] { us::as<us::tensor<double>>(y); }) ==
          "unspool: an array of shape (30,) is given where shape () is expected");
}

TEST_CASE("results are seen as xtensor views", "[ext]") {
    problem p;
    auto seen = us::ext::view(p.xs);
    CHECK(seen.data() == p.xs.data());
    CHECK(seen.dimension() == 3);
    CHECK(seen(4, 1, 2) == p.xs(4, 1, 2));
    seen(4, 1, 2) = 7;
    CHECK(p.xs(4, 1, 2) == 7);
    us::tensor<double, 2, 3> const m{1, 2, 3, 4, 5, 6};
    xt::xtensor<double, 1> const sums = xt::sum(us::ext::view(m), {0});
    CHECK(sums(0) == 5);
    CHECK(sums(2) == 9);
    us::tensor<double> const scalar{3};
    CHECK(us::ext::view(scalar)() == 3);
}

TEST_CASE("as works in constants", "[ext]") {
    static constexpr std::array<double, 6> values{1, 2, 3, 4, 5, 6};
    static constexpr auto f = [](auto x) { return us::sum(us::square(x)); };
    constexpr double total = us::call(f, us::as<us::tensor<double, 2, 3>>(values));
    static_assert(total == 91);
}

TEST_CASE("a struct of xtensor's arrays is written and read", "[ext]") {
    unspool_test::scratch_folder const folder;
    std::string const path = (folder.path / "layer.npz").string();
    auto const p = filled<fixed_layer<double, 2, 3>>();
    us::npz::write(path, p);
    CHECK(elements(us::npz::read<fixed_layer<double, 2, 3>>(path)) == elements(p));
    CHECK(elements(us::npz::read<plain_layer<double, 2, 3>>(path)) == elements(p));
}
