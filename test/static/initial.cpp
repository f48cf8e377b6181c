// SPDX-License-Identifier: BSL-1.0
// Initial parameters in constants: Keras' rules, nested structures, and bits that never change.
#include <unspool/nn/initial.hpp>
#include <unspool/nn/parameters.hpp>

#include <boost/hana/define_struct.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace us = unspool;

template <class Matrix>
constexpr double worst_row_product(Matrix const& x) {
    constexpr int rows = Matrix::dims[0];
    constexpr int columns = Matrix::dims[1];
    double worst = 0;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = i == j ? -1 : 0;
            auto const* const a = x.data() + i * columns;
            auto const* const b = x.data() + j * columns;
            for (int k = 0; k < columns; ++k) sum += double(a[k]) * double(b[k]);
            if (sum > worst) worst = sum;
            if (-sum > worst) worst = -sum;
        }
    return worst;
}
template <class Tensor>
constexpr double largest(Tensor const& x) {
    double most = 0;
    for (double v : x) most = v > most ? v : -v > most ? -v : most;
    return most;
}
/// FNV-1a over the bit patterns of all leaves.
template <class P>
constexpr std::uint64_t fingerprint(P const& params) {
    std::uint64_t hash = 0xcbf29ce484222325;
    us::for_each_leaf(
        [&](auto const& leaf) {
            using T = typename std::remove_cvref_t<decltype(leaf)>::value_type;
            using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
            for (T x : leaf) hash = (hash ^ std::bit_cast<bits>(x)) * 0x100000001b3;
        },
        params);
    return hash;
}

// An LSTM, in the type of design and README.
using params = us::lstm_params<double, 8, 12>;
inline constexpr params cell = us::initial<params>(42);
static_assert(noexcept(us::initial<params>(42)));
static_assert(std::is_same_v<decltype(params::kernel), us::tensor<double, 8, 48>>);
static_assert(std::is_same_v<decltype(params::recurrent_kernel), us::tensor<double, 12, 48>>);
static_assert(std::is_same_v<decltype(params::bias), us::tensor<double, 48>>);
static_assert(us::leaf_count<params> == 3);

// glorot_uniform: √(6 / (8 + 48)) = 0.32732683535398854
static_assert(us::init::glorot_uniform::limit(us::shape::of(8, 48)) == 0.32732683535398854);
static_assert(largest(cell.kernel) < 0.32732683535398854 && largest(cell.kernel) > 0.32);
static_assert(cell.kernel == us::tensor<double, 8, 48>([] {
                  us::tensor<double, 8, 48> x;
                  us::random_stream{42, 0, us::random_purpose::initial}.uniform(
                      x.data(), 384, -0.32732683535398854, 0.32732683535398854);
                  return x;
              }()));
static_assert(worst_row_product(cell.recurrent_kernel) < 2e-15);
static_assert([] {
    for (int k = 0; k < 48; ++k)
        if (cell.bias[k] != (k >= 12 && k < 24 ? 1 : 0)) return false;
    return true;
}());

// The other fans: a vector, a scalar, a convolution's window of 5.
static_assert(us::init::glorot_uniform::limit(us::shape::of(3)) == 1);
static_assert(us::init::glorot_uniform::limit(us::shape{}) > 1.73205 &&
              us::init::glorot_uniform::limit(us::shape{}) < 1.73206);
static_assert(us::init::glorot_uniform::limit(us::shape::of(5, 2, 4)) ==
              us::init::glorot_uniform::limit(us::shape::of(10, 20)));

// The largest promised in constants.
inline constexpr auto large = us::initial<us::lstm_params<double, 8, 24>>(42);
inline constexpr auto large_float = us::initial<us::lstm_params<float, 8, 24>>(42);
static_assert(worst_row_product(large.recurrent_kernel) < 2e-15);
static_assert(worst_row_product(large_float.recurrent_kernel) < 2e-7);

// Bits that users' results rest on: they change only with a major version.
static_assert(fingerprint(cell) == 0x540c9766d164c4d3);
static_assert(fingerprint(us::initial<us::lstm_params<float, 1, 20>>(1)) == 0x4eda7e204680cf29);
static_assert(fingerprint(us::initial<us::dense_params<float, 20, 1>>(1)) == 0xfb9337aa0ce137b4);

// Dense: glorot kernel, zero bias; one unit is its smallest case.
inline constexpr auto dense = us::initial<us::dense_params<float, 20, 1>>(5);
static_assert(dense.bias == us::tensor<float, 1>{} && largest(dense.kernel) < 0.5345225);
inline constexpr auto smallest = us::initial<us::lstm_params<double, 1, 1>>(5);
static_assert(worst_row_product(smallest.recurrent_kernel) < 1e-15);
static_assert(smallest.bias == us::tensor<double, 4>{0, 1, 0, 0});

// Structures of a user's: no rules, own rules, a rule for a whole member, other element types.
template <class T, auto N>
struct plain {
    BOOST_HANA_DEFINE_STRUCT(plain, (us::tensor<T, N, 3>, matrix), (us::tensor<T, N>, vector),
                             (us::tensor<T, 2, N, 3>, window), (T, number));
};
struct halves {
    template <class T>
    constexpr void operator()(T* values, us::shape const& dims,
                              us::random_stream const&) const noexcept {
        for (int k = 0; k < dims.size(); ++k) values[k] = T(0.5);
    }
};
template <class T, auto N>
struct ruled {
    BOOST_HANA_DEFINE_STRUCT(ruled, (us::tensor<T, N, N>, a), (us::tensor<T, N>, b),
                             (plain<T, N>, inner), (plain<T, N>, halved),
                             (std::array<us::tensor<T, N>, 2>, pair));

    static constexpr std::tuple initializers{us::init::orthogonal{.gain = 2}, us::init::ones{},
                                             us::init::automatic{}, halves{},
                                             us::init::constant{3}};
};
struct adapted {
    BOOST_HANA_DEFINE_STRUCT(adapted, (us::tensor<float, 4>, x), (us::tensor<float, 4>, y));
};
template <>
inline constexpr auto us::initializers_of<adapted> =
    std::tuple{us::init::random_uniform{2, 3}, us::init::random_normal{100, 0.001}};

inline constexpr auto p = us::initial<plain<double, 4>>(9);
static_assert(p.vector == us::tensor<double, 4>{} && p.number == 0);
static_assert(largest(p.matrix) > 0 && largest(p.matrix) < 0.92582009977255153);
static_assert(largest(p.window) > 0 && largest(p.window) < 0.65465367070797709);

inline constexpr auto r = us::initial<ruled<double, 4>>(9);
static_assert(r.b == us::tensor<double, 4>{1, 1, 1, 1});
static_assert(r.inner.vector == us::tensor<double, 4>{} && largest(r.inner.matrix) > 0);
static_assert(r.halved.matrix[11] == 0.5 && r.halved.number == 0.5);
static_assert(r.pair[1] == us::tensor<double, 4>{3, 3, 3, 3});
static_assert([] {
    auto scaled = r.a;
    for (double& x : scaled) x /= 2;
    return worst_row_product(scaled) < 1e-15;
}());

inline constexpr auto a = us::initial<adapted>(9);
static_assert(a.x[0] >= 2 && a.x[3] < 3 && a.y[0] > 99.99f && a.y[0] < 100.01f);

// A tall matrix has orthonormal columns.
static_assert([] {
    us::tensor<double, 9, 4> x;
    us::init::orthogonal{}(x.data(), x.dims, us::random_stream{3});
    us::tensor<double, 4, 9> turned;
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 4; ++j) turned(j, i) = x(i, j);
    return worst_row_product(turned) < 1e-15;
}());

// Every leaf has a stream of its own, counted through tuples, pairs, arrays and structs.
using layers = std::tuple<std::array<us::dense_params<double, 3, 4>, 2>,
                          std::pair<us::tensor<double, 3, 4>, double>, us::tensor<double, 3, 4>>;
inline constexpr auto stack = us::initial<layers>(11);
static_assert(std::get<0>(stack)[0].kernel != std::get<0>(stack)[1].kernel);
static_assert(std::get<0>(stack)[0].kernel != std::get<1>(stack).first);
static_assert(std::get<1>(stack).first != std::get<2>(stack));
static_assert(std::get<1>(stack).second == 0);
static_assert([] {
    us::tensor<double, 3, 4> x;
    us::init::glorot_uniform{}(x.data(), x.dims,
                               us::random_stream{11, 6, us::random_purpose::initial});
    return x == std::get<2>(stack);
}());

// In place is the same as by value.
static_assert([] {
    params x;
    us::initialize(x, 42);
    return fingerprint(x) == fingerprint(cell);
}());

// The parameter structs rebind their element type, which is how they are traced.
template <class>
using to_float = float;
static_assert(std::is_same_v<us::map_elements_t<params, to_float>, us::lstm_params<float, 8, 12>>);
static_assert(std::is_same_v<us::map_elements_t<us::dense_params<double, 2, 3>, to_float>,
                             us::dense_params<float, 2, 3>>);
static_assert(std::is_same_v<us::element_t<params>, double>);
