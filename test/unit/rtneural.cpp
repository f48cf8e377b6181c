// SPDX-License-Identifier: BSL-1.0
// RTNeural's own test models against the outputs that Keras and PyTorch gave for them. The files do
// not ship with the project: see support/data.hpp.
#include "../../examples/gru.hpp"

#include "support/catch.hpp"
#include "support/data.hpp"

#if __has_include(<nlohmann/json.hpp>)

#include <boost/hana/define_struct.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace us = unspool;
using nlohmann::json;

namespace {

/// A model with the samples that go in and those that must come out.
struct sample {
    json model;
    std::vector<double> x, y;
};

std::vector<double> read_lines(std::filesystem::path const& path) {
    std::ifstream in(path);
    std::vector<double> values;
    for (double v; in >> v;) values.push_back(v);
    return values;
}

std::optional<sample> read_sample(std::string const& name) {
    auto const model = unspool_test::data_file("rtneural/" + name + ".json");
    auto const x = unspool_test::data_file("rtneural/" + name + "_x_python.csv");
    auto const y = unspool_test::data_file("rtneural/" + name + "_y_python.csv");
    if (!model || !x || !y) return std::nullopt;
    return sample{json::parse(std::ifstream(*model)), read_lines(*x), read_lines(*y)};
}

/// A list of numbers or of lists of them, row-major, into a tensor of as many elements.
void append(json const& from, std::vector<double>& to) {
    if (from.is_array())
        for (json const& item : from) append(item, to);
    else to.push_back(from.get<double>());
}
template <class Tensor>
void read(json const& from, Tensor& to) {
    std::vector<double> values;
    append(from, values);
    REQUIRE(values.size() == std::size_t(Tensor::count));
    std::transform(values.begin(), values.end(), to.begin(),
                   [](double v) { return typename Tensor::value_type(v); });
}
/// PyTorch keeps the transposed matrices.
template <class Tensor>
void read_transposed(json const& from, Tensor& to) {
    constexpr int rows = Tensor::dims.extent[0];
    constexpr int columns = Tensor::dims.extent[1];
    us::tensor<double, std::size_t{columns}, std::size_t{rows}> turned;
    read(from, turned);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) to(i, j) = typename Tensor::value_type(turned(j, i));
}

/// Layer `at` of a file in RTNeural's own format; a dense layer may lack a bias, which stays zero.
template <class Dense>
void read_dense(json const& model, std::size_t at, Dense& to) {
    json const& weights = model.at("layers").at(at).at("weights");
    read(weights.at(0), to.kernel);
    if (weights.size() > 1) read(weights.at(1), to.bias);
}
template <class Recurrent>
void read_recurrent(json const& model, std::size_t at, Recurrent& to) {
    json const& weights = model.at("layers").at(at).at("weights");
    read(weights.at(0), to.kernel);
    read(weights.at(1), to.recurrent_kernel);
    read(weights.at(2), to.bias);
}
/// A layer of torch.nn.LSTM, whose two biases are added.
template <class Lstm>
void read_torch(json const& state, std::string const& prefix, std::string const& layer, Lstm& to) {
    read_transposed(state.at(prefix + ".weight_ih_l" + layer), to.kernel);
    read_transposed(state.at(prefix + ".weight_hh_l" + layer), to.recurrent_kernel);
    auto second = to.bias;
    read(state.at(prefix + ".bias_ih_l" + layer), to.bias);
    read(state.at(prefix + ".bias_hh_l" + layer), second);
    for (int k = 0; k < second.count; ++k) to.bias[k] += second[k];
}

/// The largest deviation of the model's outputs from the file's.
template <std::size_t... N, class F, class Params>
double deviation(sample const& s, F f, Params const& params) {
    us::tensor<double, N...> x;
    REQUIRE(s.x.size() == std::size_t(x.count));
    REQUIRE(s.y.size() == s.x.size());
    std::copy(s.x.begin(), s.x.end(), x.begin());
    us::program run(f, params, x);
    auto const& y = run(params, x);
    double worst = 0;
    for (int k = 0; k < y.count; ++k) {
        double const apart = std::fabs(y[k] - s.y[std::size_t(k)]);
        worst = apart <= worst ? worst : apart;
    }
    return worst;
}

/// The files' outputs were computed in float.
constexpr double tolerance = 1e-6;

template <class T, auto... N>
struct lstm_model;
template <class T, auto Units>
struct lstm_model<T, Units> {
    BOOST_HANA_DEFINE_STRUCT(lstm_model, (us::dense_params<T, 1, Units>, input),
                             (us::lstm_params<T, Units, Units>, recurrent),
                             (us::dense_params<T, Units, 1>, output));
};
inline constexpr auto run_lstm = [](auto model, auto xs) {
    auto const inner = us::tanh(us::dense(model.input, xs));
    return us::dense(model.output, us::lstm(model.recurrent, inner).outputs);
};

template <class T, auto... N>
struct torch_model;
template <class T, auto Units>
struct torch_model<T, Units> {
    using stacked = std::array<us::lstm_params<T, Units, Units>, 3>;
    BOOST_HANA_DEFINE_STRUCT(torch_model, (us::lstm_params<T, 1, Units>, first), (stacked, further),
                             (us::dense_params<T, Units, 1>, output));
};
inline constexpr auto run_torch = [](auto model, auto xs) {
    auto h = us::lstm(model.first, xs).outputs;
    for (auto const& layer : model.further) h = us::lstm(layer, h).outputs;
    return us::dense(model.output, h);
};

template <class T, auto... N>
struct gru_model;
template <class T, auto Units>
struct gru_model<T, Units> {
    using recurrent_type = examples::gru_params<T, Units, Units>;
    BOOST_HANA_DEFINE_STRUCT(gru_model, (us::dense_params<T, 1, Units>, input),
                             (recurrent_type, recurrent),
                             (us::dense_params<T, Units, Units>, hidden),
                             (us::dense_params<T, Units, 1>, output));
};
inline constexpr auto run_gru = [](auto model, auto xs) {
    using element = typename decltype(xs)::value_type;
    us::tensor<element, 1, 8> const zero{};
    auto const inner = us::tanh(us::dense(model.input, xs));
    auto const outputs = examples::gru(model.recurrent, inner, zero).second;
    return us::dense(model.output, us::sigmoid(us::dense(model.hidden, outputs)));
};

template <class T, auto... N>
struct dense_model;
template <class T, auto Units>
struct dense_model<T, Units> {
    using square = us::dense_params<T, Units, Units>;
    BOOST_HANA_DEFINE_STRUCT(dense_model, (us::dense_params<T, 1, Units>, first), (square, second),
                             (square, third), (square, fourth),
                             (us::dense_params<T, Units, 1>, narrow),
                             (us::dense_params<T, 1, Units>, wide), (square, seventh),
                             (us::dense_params<T, Units, 1>, last));
};
inline constexpr auto run_dense = [](auto m, auto xs) {
    auto const elu = [](auto const& x) {
        return us::select(x > 0, x, us::exp(us::minimum(x, 0)) - 1);
    };
    auto const softmax = [](auto const& x) {
        auto const kept = [](auto const& rows) { return us::reshape<100, 1>(rows); };
        auto const e = us::exp(x - kept(us::max<1>(x)));
        return e / kept(us::sum<1>(e));
    };
    auto x = us::tanh(us::dense(m.first, xs));
    auto const shares =
        softmax(us::dense(m.fourth, elu(us::dense(m.third, us::relu(us::dense(m.second, x))))));
    auto const narrow = us::dense(m.narrow, shares);
    return us::dense(m.last, us::dense(m.seventh, us::dense(m.wide, narrow)));
};

}  // namespace

TEST_CASE("RTNeural's LSTM model gives Keras' outputs", "[unit]") {
    auto const s = read_sample("lstm");
    if (!s) UNSPOOL_SKIP("RTNeural's models are absent");
    lstm_model<double, 8> model;
    read_dense(s->model, 0, model.input);
    read_recurrent(s->model, 1, model.recurrent);
    read_dense(s->model, 2, model.output);
    CHECK(deviation<100, 1, 1>(*s, run_lstm, model) <= tolerance);
}

TEST_CASE("RTNeural's stacked LSTM model gives PyTorch's outputs", "[unit]") {
    auto const s = read_sample("lstm_torch");
    if (!s) UNSPOOL_SKIP("RTNeural's models are absent");
    torch_model<double, 8> model;
    read_torch(s->model, "lstm", "0", model.first);
    for (std::size_t k = 0; k < 3; ++k)
        read_torch(s->model, "lstm2", std::to_string(k), model.further[k]);
    read_transposed(s->model.at("dense.weight"), model.output.kernel);
    read(s->model.at("dense.bias"), model.output.bias);
    CHECK(deviation<1000, 1, 1>(*s, run_torch, model) <= tolerance);
}

TEST_CASE("RTNeural's GRU model gives Keras' outputs", "[unit]") {
    auto const s = read_sample("gru");
    if (!s) UNSPOOL_SKIP("RTNeural's models are absent");
    gru_model<double, 8> model;
    read_dense(s->model, 0, model.input);
    read_recurrent(s->model, 1, model.recurrent);
    read_dense(s->model, 2, model.hidden);
    read_dense(s->model, 3, model.output);
    CHECK(deviation<100, 1, 1>(*s, run_gru, model) <= tolerance);
}

TEST_CASE("RTNeural's dense model gives Keras' outputs", "[unit]") {
    auto const s = read_sample("dense");
    if (!s) UNSPOOL_SKIP("RTNeural's models are absent");
    dense_model<double, 8> model;
    read_dense(s->model, 0, model.first);
    read_dense(s->model, 2, model.second);
    read_dense(s->model, 4, model.third);
    read_dense(s->model, 6, model.fourth);
    read_dense(s->model, 8, model.narrow);
    read_dense(s->model, 9, model.wide);
    read_dense(s->model, 10, model.seventh);
    read_dense(s->model, 11, model.last);
    CHECK(deviation<100, 1>(*s, run_dense, model) <= tolerance);
}

#endif
