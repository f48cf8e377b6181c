// SPDX-License-Identifier: BSL-1.0
#include "parity/operations.hpp"

namespace us = unspool;
using namespace unspool_test::parity::operations;

namespace {

using vector = dims<3>;
using row = dims<5>;
using square = dims<3, 3>;
using sequence = dims<6, 3>;
using matrix = dims<4, 5>;
using wide = dims<3, 4>;

struct dense_mse_case : operation<dims<4, 3>, dims<3, 5>, row, matrix> {
    static constexpr char name[] = "dense_mse";
    static constexpr auto call(auto x, auto w, auto b, auto y) {
        return us::mean(us::square(us::tanh(us::matmul(x, w) + b) - y));
    }
};

constexpr auto kept(auto const& x) { return us::reshape<4, 1>(x); }

struct logsumexp_case : operation<matrix> {
    static constexpr char name[] = "logsumexp";
    static constexpr auto call(auto x) {
        auto const m = us::stop_gradient(us::max<1>(x));
        return us::log(us::sum<1>(us::exp(x - kept(m)))) + m;
    }
};
struct normalised_case : operation<matrix> {
    static constexpr char name[] = "normalised";
    static constexpr auto call(auto x) {
        auto const d = x - kept(us::mean<1>(x));
        return d / us::sqrt(kept(us::mean<1>(us::square(d))) + 0.125);
    }
};
UNSPOOL_CASE_1(softplus, wide, us::maximum(a, 0) + us::log1p(us::exp(-us::abs(a))));

inline constexpr auto decay = [](auto const& carry, auto const& x) {
    auto const next = us::tanh(0.75 * carry + x);
    return std::pair{next, next * x};
};
UNSPOOL_CASE_2(scan, vector, sequence, us::scan(decay, a, b));
UNSPOOL_CASE_2(scan_reverse, vector, sequence, us::scan(decay, a, b, us::reversed));

struct scan_closure_case : operation<vector, square, sequence> {
    static constexpr char name[] = "scan_closure";
    static constexpr auto call(auto h, auto w, auto xs) {
        auto const step = [&](auto const& carry, auto const& x) {
            auto const next = us::tanh(us::matmul(carry, w) + x);
            return std::pair{next, next};
        };
        return us::scan(step, h, xs).second;
    }
};

using d2x2 = dims<2, 2>;
using d2x3 = dims<2, 3>;

template <class T>
inline constexpr us::tensor<T, 3> table{0.5, -2, 3};
UNSPOOL_CASE_1(constant, d2x3, us::constant(table<us::element_t<decltype(a)>>) * a);
struct compound_case : operation<wide, dims<4>> {
    static constexpr char name[] = "compound";
    static constexpr auto call(auto x, auto c) {
        auto y = x;
        y += c;
        y *= x;
        y -= x[0];
        return y;
    }
};
struct stack_loop_case : operation<dims<4>> {
    static constexpr char name[] = "stack_loop";
    static constexpr auto call(auto x) {
        std::array<decltype(x), 3> powers{x, x, x};
        for (std::size_t i = 1; i < 3; ++i) powers[i] = powers[i - 1] * x;
        return us::stack(powers);
    }
};

struct scan_without_inputs_case : operation<vector, vector> {
    static constexpr char name[] = "scan_without_inputs";
    static constexpr auto call(auto c, auto a) {
        auto const step = [&](auto const& carry) {
            return std::pair{us::tanh(0.75 * carry + a), carry};
        };
        return us::scan<4>(step, c);
    }
};
constexpr auto geometric(auto const& w) {
    return [w](auto const& carry, auto const& x) {
        auto const next = carry * w + x;
        return std::pair{next, next};
    };
}
using d2 = dims<2>;
using d5x2 = dims<5, 2>;
UNSPOOL_CASE_3(scan_counted, d2, d2, d5x2, us::scan<5>(geometric(b), a, c).second);
UNSPOOL_CASE_3(scan_counted_reverse, d2, d2, d5x2,
               us::scan<5>(geometric(b), a, c, us::reversed).second);

struct dense_layer_case : operation<dims<2, 2, 3>, dims<3, 2>, d2> {
    static constexpr char name[] = "dense_layer";
    static constexpr auto call(auto x, auto kernel, auto bias) {
        us::dense_params<us::traced<us::element_t<decltype(x)>>, 3, 2> layer;
        layer.kernel = kernel;
        layer.bias = bias;
        return us::dense(layer, x);
    }
};
struct lstm_cell_case : operation<dims<2, 3>, dims<3, 8>, dims<2, 8>, dims<8>, d2x2, d2x2> {
    static constexpr char name[] = "lstm_cell";
    static constexpr auto call(auto x, auto kernel, auto recurrent, auto bias, auto h, auto c) {
        using number = us::traced<us::element_t<decltype(x)>>;
        us::lstm_params<number, 3, 2> cell;
        cell.kernel = kernel;
        cell.recurrent_kernel = recurrent;
        cell.bias = bias;
        us::lstm_state<number, 2, 2> state;
        state.h = h;
        state.c = c;
        auto const next = us::lstm_cell(cell, x, state);
        return std::tuple{next.h, next.c};
    }
};
struct lstm_layer_case : operation<dims<4, 2, 3>, dims<3, 8>, dims<2, 8>, dims<8>> {
    static constexpr char name[] = "lstm_layer";
    static constexpr auto call(auto xs, auto kernel, auto recurrent, auto bias) {
        us::lstm_params<us::traced<us::element_t<decltype(xs)>>, 3, 2> cell;
        cell.kernel = kernel;
        cell.recurrent_kernel = recurrent;
        cell.bias = bias;
        return us::lstm(cell, xs).outputs;
    }
};

template <class T>
void check_language() {
    check<T, constant_case, compound_case, stack_loop_case, scan_without_inputs_case,
          scan_counted_case, scan_counted_reverse_case, dense_layer_case, lstm_cell_case,
          lstm_layer_case>();
}

}  // namespace

TEST_CASE("compositions: values, vjp and jvp of JAX", "[parity]") {
    check<double, dense_mse_case, logsumexp_case, normalised_case, softplus_case>();
}

TEST_CASE("scans: values, vjp and jvp of JAX", "[parity]") {
    check<double, scan_case, scan_reverse_case, scan_closure_case>();
}

TEST_CASE("compositions and scans in float: values, vjp and jvp of JAX", "[parity]") {
    check<float, dense_mse_case, logsumexp_case, normalised_case, softplus_case, scan_case,
          scan_reverse_case, scan_closure_case>();
}

TEST_CASE("constants, loops and layers: values, vjp and jvp of JAX", "[parity]") {
    check_language<double>();
}
TEST_CASE("constants, loops and layers in float: values, vjp and jvp of JAX", "[parity]") {
    check_language<float>();
}
