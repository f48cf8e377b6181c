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
