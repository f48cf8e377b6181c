// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/unroll.hpp>
#include <unspool/run/call.hpp>

namespace unspool {
inline namespace v0 {

/// The function that `unroll` makes of F.
template <class F, int Factor>
struct unroll_of {
    static_assert(Factor > 0, "unspool: the factor of unroll is at least 1");
    template <class... Args>
    using result = traced_result<F, Args...>;
    template <class... Args>
    static constexpr auto check() {
        return detail::check_call<F, Args...>();
    }
    template <class... Args>
    static constexpr graph build() {
        return unroll(thaw(frozen_function<F, Args...>::value), Factor);
    }
    template <class... Args>
    constexpr auto operator()(Args const&... args) const {
        return call(*this, args...);
    }
};

template <class F, int Factor, class... Args>
struct detail::innermost<unroll_of<F, Factor>, Args...> : detail::innermost<F, Args...> {};

/// f with its outermost loops unrolled: a scan of at most `Factor` steps becomes straight code, of
/// a longer one each turn does `Factor` steps if that divides their number. The value is the same
/// bit for bit before other passes; compile time grows with the factor.
template <int Factor, class F>
constexpr auto unroll(F) {
    return unroll_of<F, Factor>{};
}

}  // namespace v0
}  // namespace unspool
