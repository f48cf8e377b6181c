// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "math_functions.hpp"

#include <algorithm>
#include <cmath>

#include <mpfr.h>

namespace math_test {

/// |got − exact| in ULP of the exact value, with 200 bits.
class reference {
public:
    reference() { mpfr_inits2(200, exact_, error_, nullptr); }
    reference(reference const&) = delete;
    reference& operator=(reference const&) = delete;
    ~reference() { mpfr_clears(exact_, error_, nullptr); }

    template <class Function>
    void evaluate(double x) {
        mpfr_set_d(exact_, x, MPFR_RNDN);
        if constexpr (std::is_same_v<Function, math_test::exp>) {
            mpfr_exp(exact_, exact_, MPFR_RNDN);
        } else if constexpr (std::is_same_v<Function, math_test::log>) {
            mpfr_log(exact_, exact_, MPFR_RNDN);
        } else if constexpr (std::is_same_v<Function, math_test::log1p>) {
            mpfr_log1p(exact_, exact_, MPFR_RNDN);
        } else if constexpr (std::is_same_v<Function, math_test::tanh>) {
            mpfr_tanh(exact_, exact_, MPFR_RNDN);
        } else if constexpr (std::is_same_v<Function, math_test::sigmoid>) {
            mpfr_neg(exact_, exact_, MPFR_RNDN);
            mpfr_exp(exact_, exact_, MPFR_RNDN);
            mpfr_add_ui(exact_, exact_, 1, MPFR_RNDN);
            mpfr_ui_div(exact_, 1, exact_, MPFR_RNDN);
        } else if constexpr (std::is_same_v<Function, math_test::sin>) {
            mpfr_sin(exact_, exact_, MPFR_RNDN);
        } else if constexpr (std::is_same_v<Function, math_test::cos>) {
            mpfr_cos(exact_, exact_, MPFR_RNDN);
        } else if constexpr (std::is_same_v<Function, math_test::expm1>) {
            mpfr_expm1(exact_, exact_, MPFR_RNDN);
        } else if constexpr (std::is_same_v<Function, math_test::erf>) {
            mpfr_erf(exact_, exact_, MPFR_RNDN);
        } else if constexpr (std::is_same_v<Function, math_test::atan>) {
            mpfr_atan(exact_, exact_, MPFR_RNDN);
        } else if constexpr (std::is_same_v<Function, math_test::floor>) {
            mpfr_floor(exact_, exact_);
        } else if constexpr (std::is_same_v<Function, math_test::round>) {
            mpfr_rint(exact_, exact_, MPFR_RNDN);
        } else {
            mpfr_sqrt(exact_, exact_, MPFR_RNDN);
        }
    }

    void evaluate_pow(double x, double y) {
        mpfr_set_d(exact_, x, MPFR_RNDN);
        mpfr_set_d(error_, y, MPFR_RNDN);
        mpfr_pow(exact_, exact_, error_, MPFR_RNDN);
    }

    double error(double got) {
        double const rounded = mpfr_get_d(exact_, MPFR_RNDN);
        if (std::isnan(rounded) || std::isnan(got)) {
            return std::isnan(rounded) && std::isnan(got) ? 0 : INFINITY;
        }
        if (std::isinf(rounded) || std::isinf(got)) {
            return rounded == got ? 0 : INFINITY;
        }
        if (mpfr_zero_p(exact_)) {
            return got == 0 ? 0 : INFINITY;
        }
        mpfr_sub_d(error_, exact_, got, MPFR_RNDN);
        // mpfr's exponent is one more than the binade's
        long const binade = std::max<long>(mpfr_get_exp(exact_) - 1, -1022);
        mpfr_mul_2si(error_, error_, 52 - binade, MPFR_RNDN);
        return std::abs(mpfr_get_d(error_, MPFR_RNDA));
    }

private:
    mpfr_t exact_;
    mpfr_t error_;
};

}  // namespace math_test
