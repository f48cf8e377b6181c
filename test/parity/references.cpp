// SPDX-License-Identifier: BSL-1.0
// The reference files against a plain C++ LSTM whose gradient is written out by hand, and the
// comparisons against seeded errors: what they say about unspool is then worth believing.
#include "reference.hpp"

#include "support/catch.hpp"

#include <array>
#include <map>

namespace parity = unspool_test::parity;

namespace {

using vec = std::vector<double>;
using parity::json;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

struct lstm_case {
    std::size_t T, B, I, H;
    std::map<std::string, vec> in;

    explicit lstm_case(json const& c) : T(c.at("T")), B(c.at("B")), I(c.at("I")), H(c.at("H")) {
        for (auto const& [name, input] : c.at("inputs").items()) {
            std::size_t n = 1;
            for (json const& extent : input.at("shape")) {
                n *= extent.get<std::size_t>();
            }
            parity::fill(in[name] = vec(n), parity::recipe_of(input));
        }
    }
};

struct lstm_result {
    double mean = 0, rich = 0;
    vec outputs, h, c;
    std::map<std::string, vec> grad;
};

// One sequence of the batch at a time; forward keeps the gates, backward reads them.
lstm_result run(lstm_case const& m, bool rich) {
    auto const [T, B, I, H] = std::array{m.T, m.B, m.I, m.H};
    lstm_result r;
    for (auto const& [name, values] : m.in) {
        r.grad[name] = vec(values.size());
    }
    r.outputs.resize(T * B * H);
    r.h = m.in.at("h0"), r.c = m.in.at("c0");
    vec const &K = m.in.at("kernel"), &R = m.in.at("recurrent_kernel"), &bias = m.in.at("bias");
    vec const &x = m.in.at("x"), &wy = m.in.at("outputs_weight");
    for (std::size_t b = 0; b < B; ++b) {
        vec gates(T * 4 * H), hs((T + 1) * H), cs((T + 1) * H);
        for (std::size_t j = 0; j < H; ++j) {
            hs[j] = m.in.at("h0")[b * H + j], cs[j] = m.in.at("c0")[b * H + j];
        }
        for (std::size_t t = 0; t < T; ++t) {
            double* const a = &gates[t * 4 * H];
            for (std::size_t n = 0; n < 4 * H; ++n) {
                a[n] = bias[n];
                for (std::size_t i = 0; i < I; ++i) {
                    a[n] += x[(t * B + b) * I + i] * K[i * 4 * H + n];
                }
                for (std::size_t i = 0; i < H; ++i) {
                    a[n] += hs[t * H + i] * R[i * 4 * H + n];
                }
                a[n] = n / H == 2 ? std::tanh(a[n]) : sigmoid(a[n]);
            }
            for (std::size_t j = 0; j < H; ++j) {
                double const c = a[H + j] * cs[t * H + j] + a[j] * a[2 * H + j];
                double const h = a[3 * H + j] * std::tanh(c);
                cs[(t + 1) * H + j] = c, hs[(t + 1) * H + j] = h;
                std::size_t const o = (t * B + b) * H + j;
                r.outputs[o] = h;
                r.mean += h / static_cast<double>(T * B * H);
                r.rich += h * wy[o];
            }
        }
        vec dh(H), dc(H);
        for (std::size_t j = 0; j < H; ++j) {
            std::size_t const s = b * H + j;
            r.h[s] = hs[T * H + j], r.c[s] = cs[T * H + j];
            r.rich += r.h[s] * m.in.at("h_weight")[s] + r.c[s] * m.in.at("c_weight")[s];
            dh[j] = rich ? m.in.at("h_weight")[s] : 0;
            dc[j] = rich ? m.in.at("c_weight")[s] : 0;
        }
        for (std::size_t t = T; t-- > 0;) {
            double const* const a = &gates[t * 4 * H];
            vec da(4 * H), before(H);
            for (std::size_t j = 0; j < H; ++j) {
                double const i = a[j], f = a[H + j], g = a[2 * H + j], o = a[3 * H + j];
                double const y = std::tanh(cs[(t + 1) * H + j]);
                dh[j] += rich ? wy[(t * B + b) * H + j] : 1 / static_cast<double>(T * B * H);
                dc[j] += dh[j] * o * (1 - y * y);
                da[j] = dc[j] * g * i * (1 - i);
                da[H + j] = dc[j] * cs[t * H + j] * f * (1 - f);
                da[2 * H + j] = dc[j] * i * (1 - g * g);
                da[3 * H + j] = dh[j] * y * o * (1 - o);
                dc[j] *= f;
            }
            for (std::size_t n = 0; n < 4 * H; ++n) {
                r.grad["bias"][n] += da[n];
                for (std::size_t i = 0; i < I; ++i) {
                    std::size_t const at = (t * B + b) * I + i;
                    r.grad["kernel"][i * 4 * H + n] += x[at] * da[n];
                    r.grad["x"][at] += da[n] * K[i * 4 * H + n];
                }
                for (std::size_t i = 0; i < H; ++i) {
                    r.grad["recurrent_kernel"][i * 4 * H + n] += hs[t * H + i] * da[n];
                    before[i] += da[n] * R[i * 4 * H + n];
                }
            }
            dh = before;
        }
        for (std::size_t j = 0; j < H; ++j) {
            r.grad["h0"][b * H + j] = dh[j], r.grad["c0"][b * H + j] = dc[j];
        }
    }
    return r;
}

}  // namespace

TEST_CASE("LSTM reference files agree with a gradient written by hand", "[parity]") {
    json const doc = parity::load("lstm");
    REQUIRE(doc.at("cases").size() == 12);
    for (json const& c : doc.at("cases")) {
        lstm_case const m(c);
        for (char const* const loss : {"mean", "rich"}) {
            INFO(c.at("name") << ' ' << loss);
            bool const rich = loss[0] == 'r';
            lstm_result const r = run(m, rich);
            CHECK(parity::compare_scalar(rich ? r.rich : r.mean, c.at(loss).at("loss"), 1e-13,
                                         c.at(loss).at("size")));
            CHECK(parity::compare(r.outputs, c.at("forward").at("outputs"), 1e-12));
            CHECK(parity::compare(r.h, c.at("forward").at("h"), 1e-12));
            CHECK(parity::compare(r.c, c.at("forward").at("c"), 1e-12));
            for (auto const& [name, expected] : c.at(loss).at("gradients").items()) {
                auto const v = parity::compare(r.grad.at(name), expected, 1e-12);
                INFO(name << ": " << parity::text(v));
                CHECK(v);
                // One entry that is wrong by 1e-6 of the largest is seen, also in a summary.
                vec wrong = r.grad.at(name);
                double largest = 0;
                for (double x : wrong) {
                    largest = std::fmax(largest, std::abs(x));
                }
                wrong[wrong.size() / 2] += 1e-6 * largest;
                CHECK_FALSE(parity::compare(wrong, expected, 1e-10));
                wrong.pop_back();
                CHECK_FALSE(parity::compare(wrong, expected, 1));
            }
        }
    }
}

TEST_CASE("reference files keep infinities and refuse NaN", "[parity]") {
    json const doc = parity::load("operations");
    json const& c = parity::find(doc, "sqrt_at_zero");
    vec const expected = parity::numbers(c.at("vjp").at(0));
    CHECK(expected[0] == std::numeric_limits<double>::infinity());
    CHECK(parity::compare_entries(expected, c.at("vjp").at(0), 0));
    vec wrong = expected;
    for (double x : {1e308, std::nan(""), -expected[0]}) {
        wrong[0] = x;
        CHECK_FALSE(parity::compare_entries(wrong, c.at("vjp").at(0), 1e-3));
    }
    wrong = parity::numbers(parity::find(doc, "tanh").at("outputs").at(0));
    wrong[3] = std::nan("");
    CHECK_FALSE(parity::compare_entries(wrong, parity::find(doc, "tanh").at("outputs").at(0), 1));
    CHECK_FALSE(parity::compare(wrong, parity::find(doc, "tanh").at("outputs").at(0), 1));
    CHECK_THROWS_WITH(parity::find(doc, "none"), "no reference case none");
    CHECK_THROWS_AS(parity::load("none"), std::runtime_error);
}
