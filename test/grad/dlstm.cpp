// SPDX-License-Identifier: BSL-1.0
// ADBench's "D-LSTM" objective, written as its definition says, on two of its instances.
#include "grad/check.hpp"
#include "support/data.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace unspool_test;

namespace {

/// One layer: all weights are diagonal, so vectors.
template <class T, auto... N>
struct diagonal_lstm;
template <class T, auto B>
struct diagonal_lstm<T, B> {
    BOOST_HANA_DEFINE_STRUCT(diagonal_lstm, (us::tensor<T, B>, forget_weight),
                             (us::tensor<T, B>, in_weight), (us::tensor<T, B>, out_weight),
                             (us::tensor<T, B>, change_weight), (us::tensor<T, B>, forget_bias),
                             (us::tensor<T, B>, in_bias), (us::tensor<T, B>, out_bias),
                             (us::tensor<T, B>, change_bias));
};
/// Members in the order of the flat gradient: main parameters, then extra ones.
template <class T, auto... N>
struct dlstm_params;
template <class T, auto Layers, auto B>
struct dlstm_params<T, Layers, B> {
    using layers_type = std::array<diagonal_lstm<T, B>, Layers>;
    BOOST_HANA_DEFINE_STRUCT(dlstm_params, (layers_type, layers), (us::tensor<T, B>, w_in),
                             (us::tensor<T, B>, w_out), (us::tensor<T, B>, b_out));
};

template <std::size_t Layers, std::size_t B>
using dlstm_state = std::array<std::pair<us::tensor<double, B>, us::tensor<double, B>>, Layers>;

inline constexpr auto objective = [](auto p, auto state, auto sequence) {
    constexpr int characters = decltype(sequence)::dims.extent[0];
    constexpr int bits = decltype(sequence)::dims.extent[1];
    auto const step = [&](auto h_s, auto const& x) {
        us::as_traced<decltype(p.w_in)> u = x.first * p.w_in;
        for (std::size_t k = 0; k < h_s.size(); ++k) {
            auto const& layer = p.layers[k];
            auto& [h, s] = h_s[k];
            auto const forget = us::sigmoid(u * layer.forget_weight + layer.forget_bias);
            auto const in = us::sigmoid(h * layer.in_weight + layer.in_bias);
            auto const out = us::sigmoid(u * layer.out_weight + layer.out_bias);
            auto const change = us::tanh(h * layer.change_weight + layer.change_bias);
            s = s * forget + in * change;
            h = out * us::tanh(s);
            u = h;
        }
        auto const y = u * p.w_out + p.b_out;
        auto const lse = us::log(2 + us::sum(us::exp(y)));
        return std::pair{h_s, us::sum(x.second * (y - lse))};
    };
    auto const xs =
        std::pair{us::slice<0, 0, characters - 1>(sequence), us::slice<0, 1, characters>(sequence)};
    return us::sum(us::scan(step, state, xs).second) * (-1.0 / (bits * (characters - 1)));
};

template <std::size_t Layers, std::size_t Characters>
struct instance {
    static constexpr std::size_t bits = 14;
    dlstm_params<double, Layers, bits> p;
    dlstm_state<Layers, bits> state;
    us::tensor<double, Characters, bits> sequence;

    explicit instance(std::istream& in) {
        std::size_t l = 0, c = 0, b = 0;
        in >> l >> c >> b;
        REQUIRE((l == Layers && c == Characters && b == bits));
        auto const read = [&](auto& x) {
            us::for_each_leaf(
                [&](auto& leaf) {
                    for (double& e : leaf) in >> e;
                },
                x);
        };
        read(p);
        read(state);
        read(sequence);
        REQUIRE(in);
    }
};

struct fingerprint {
    double loss, sum, norm, largest, last;
};

template <std::size_t Layers, std::size_t Characters>
void check_instance(std::string const& name, fingerprint const& golden,
                    std::vector<double> const& expected = {}) {
    auto const file = data_file("adbench/" + name + ".txt");
    if (!file) UNSPOOL_SKIP("ADBench's instances are not there; UNSPOOL_DATA names their folder");
    std::ifstream in(*file);
    auto const problem = std::make_unique<instance<Layers, Characters>>(in);
    using f = decltype(us::value_and_grad(objective));
    auto step = std::make_unique<us::program<f, decltype(problem->p), decltype(problem->state),
                                             decltype(problem->sequence)>>();
    auto const& [loss, gradient] = (*step)(problem->p, problem->state, problem->sequence);
    std::vector<double> flat;
    us::for_each_leaf([&](auto const& leaf) { flat.insert(flat.end(), leaf.begin(), leaf.end()); },
                      gradient);
    REQUIRE(flat.size() == 8 * Layers * 14 + 3 * 14);

    double sum = 0, square = 0, largest = 0;
    int zeros = 0;
    for (double e : flat) {
        sum += e;
        square += e * e;
        largest = std::max(largest, std::abs(e));
        zeros += e == 0;
    }
    CHECK(loss == Approx(golden.loss).epsilon(1e-14));
    CHECK(sum == Approx(golden.sum).epsilon(1e-11));
    CHECK(std::sqrt(square) == Approx(golden.norm).epsilon(1e-11));
    CHECK(largest == Approx(golden.largest).epsilon(1e-5));
    CHECK(flat.back() == Approx(golden.last).epsilon(1e-11));
    // Bits 1 to 6 never occur: w_in and the first layer's forget and output weights.
    CHECK(zeros == 18);
    if (!expected.empty()) {
        REQUIRE(expected.size() == flat.size());
        double apart = 0;
        double entry = 0;
        for (std::size_t i = 0; i < flat.size(); ++i) {
            double const d = std::abs(flat[i] - expected[i]);
            apart += d * d;
            if (d != 0) entry = std::max(entry, d / std::abs(expected[i]));
        }
        CAPTURE(std::sqrt(apart / square), entry);
        CHECK(std::sqrt(apart / square) <= 1e-12);
        CHECK(entry <= 1e-10);
    }
}

/// The numbers of "gradient": […] in a small JSON file.
std::vector<double> golden_gradient(std::string const& name) {
    std::vector<double> values;
    auto const file = data_file("adbench/" + name);
    if (!file) return values;
    std::ifstream in(*file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::size_t const key = text.find("\"gradient\"");
    std::size_t const begin = text.find('[', key), end = text.find(']', begin);
    std::string list = text.substr(begin + 1, end - begin - 1);
    std::replace(list.begin(), list.end(), ',', ' ');
    std::istringstream numbers(list);
    for (double v; numbers >> v;) values.push_back(v);
    return values;
}

}  // namespace

TEST_CASE("ADBench's D-LSTM, 1024 characters", "[grad][dlstm]") {
    check_instance<2, 1024>(
        "lstm_l2_c1024",
        {0.666665179558852, -0.0381950009733, 0.0947413801145, 0.0500117, -0.0200225690896},
        golden_gradient("lstm_l2_c1024_expected.json"));
}
TEST_CASE("ADBench's D-LSTM, 4096 characters", "[grad][dlstm]") {
    check_instance<2, 4096>("lstm_l2_c4096", {0.694856334236502, -0.0635392200424, 0.101360540211,
                                              0.0497314, -0.0219191445517});
}

TEST_CASE("the D-LSTM's gradient by differences", "[grad][dlstm]") {
    auto const p = random<dlstm_params<double, 3ul, 5ul>>(1, 0.5);
    auto const state = random<dlstm_state<3, 5>>(2);
    auto const sequence = random<us::tensor<double, 7, 5>>(3);
    check_differences(objective, p, state, sequence);
    check_all_adjoints(20, objective, p, state, sequence);
}
