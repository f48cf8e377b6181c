// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <utility>

namespace unspool_test {

/// std::function, in constant evaluation too.
template <class Signature>
class constexpr_function;
template <class R, class... X>
class constexpr_function<R(X...)> {
public:
    constexpr constexpr_function() = default;
    template <class F>
    constexpr constexpr_function(F f) : held_(new holder<F>(std::move(f))) {}
    constexpr constexpr_function(constexpr_function const& other)
        : held_(other.held_ == nullptr ? nullptr : other.held_->copy()) {}
    constexpr constexpr_function(constexpr_function&& other) noexcept
        : held_(std::exchange(other.held_, nullptr)) {}
    constexpr constexpr_function& operator=(constexpr_function other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    constexpr ~constexpr_function() { delete held_; }

    constexpr R operator()(X... x) const { return held_->call(x...); }

private:
    struct callable {
        constexpr virtual ~callable() = default;
        constexpr virtual R call(X...) const = 0;
        constexpr virtual callable* copy() const = 0;
    };
    template <class F>
    struct holder final : callable {
        F f;
        constexpr explicit holder(F given) : f(std::move(given)) {}
        constexpr ~holder() override {}
        constexpr R call(X... x) const override { return f(x...); }
        constexpr callable* copy() const override { return new holder(f); }
    };

    callable* held_ = nullptr;
};

}  // namespace unspool_test
