// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/check/direction.hpp>
#include <unspool/run/transform.hpp>

#include <limits>
#include <tuple>

/// @file
/// The gradient that the compiler derived, checked by the compiler.

namespace unspool {
inline namespace v0 {
namespace check {

/// Every result is a constant of its own, so that the compilers' limits apply to each: the
/// gradient, a direction, the losses along it.
template <int Wrt, auto const& F, auto const&... Args>
struct constant_check {
    static_assert(Wrt >= 0 && Wrt < static_cast<int>(sizeof...(Args)),
                  "unspool: the function has no argument of that number");
    using function = std::remove_cvref_t<decltype(F)>;
    using arguments_type = std::tuple<in_double_t<decltype(Args)>...>;
    using point = std::tuple_element_t<Wrt, arguments_type>;

    static constexpr arguments_type arguments{[] {
        in_double_t<decltype(Args)> x{};
        assign(x, Args);
        return x;
    }()...};

    struct make_loss {
        constexpr graph operator()() const {
            return simplify(thaw(frozen_function<function, in_double_t<decltype(Args)>...>::value));
        }
    };
    static constexpr auto loss = freeze<make_loss>();

    static constexpr point gradient = std::apply(
        [](auto const&... x) {
            using derived = derived_gradient_t<function, arguments_type, Wrt>;
            return run::evaluate_constant<derived, std::remove_cvref_t<decltype(x)>...>(x...)
                .gradient;
        },
        arguments);

    template <int Seed>
    static constexpr point direction = [] {
        point v{};
        fill_unit_direction(v, Seed);
        return v;
    }();
    template <int Seed>
    static constexpr double error_along = [] {
        auto all = arguments;
        list<double const*> pointers;
        for_each_leaf([&](auto const& leaf) { pointers.push_back(run::elements_of(leaf)); }, all);
        graph const g = thaw(loss);
        evaluator<double> e(g);
        double f[4] = {};
        // From −2 to −1, 1 and 2 steps; rounding on the way is 1e-16 of the point.
        double const moves[] = {-2, 1, 2, 1};
        for (int i = 0; i < 4; ++i) {
            displace(std::get<Wrt>(all), moves[i] * difference_step, direction<Seed>);
            e.run(pointers);
            f[i] = e.result(0)[0];
        }
        double const apart = inner_product(gradient, direction<Seed>) -
                             five_point(f[0], f[1], f[2], f[3], difference_step);
        return apart < 0 ? -apart : apart;
    }();

    static constexpr double value = [] {
        double const norm = math::sqrt(inner_product(gradient, gradient));
        double const worst = math::max(error_along<1>, math::max(error_along<2>, error_along<3>));
        if (worst == 0) return 0.0;
        return norm > worst * 1e-100 ? worst / norm : std::numeric_limits<double>::max();
    }();
};

}  // namespace check

/// How far the derived gradient of f is from differences of f, as a constant:
///
///     static_assert(us::gradient_error<loss, cell, xs> < 1e-8);
///
/// The largest of |⟨g, v⟩ − D_v f| / ‖g‖₂ over three seeded directions v of length 1, where g is
/// the gradient with respect to argument 0 at the given arguments and D_v f a five-point difference
/// with step 2⁻¹⁰. f returns a scalar or {scalar, aux}. All is computed in double, float arguments
/// are converted. A right gradient of a smooth function gives 1e-10 or less; a wrong one its own
/// relative error, but for the factor by which a direction sees it (typically n^-½ of n entries).
///
/// f and the arguments are constants with static storage. The gradient and each direction are
/// constants of their own: an LSTM of 10 steps, inputs and units takes a quarter of clang's default
/// limit. What is too large for the compiler is for `check_gradient`.
template <auto const& F, auto const&... Args>
inline constexpr double gradient_error = check::constant_check<0, F, Args...>::value;

/// The same with respect to argument number Wrt.
template <int Wrt, auto const& F, auto const&... Args>
inline constexpr double gradient_error_wrt = check::constant_check<Wrt, F, Args...>::value;

}  // namespace v0
}  // namespace unspool
