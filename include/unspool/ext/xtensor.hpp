// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/as.hpp>
#include <unspool/expr/traced.hpp>

#if __has_include(<xtensor/containers/xtensor.hpp>)  // since xtensor 0.26
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xarray.hpp>
#include <xtensor/containers/xfixed.hpp>
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xtensor.hpp>
#endif

#include <array>
#include <type_traits>

/// @file
/// xtensor's arrays as arguments, and results as xtensor's views. Only expressions are copied.
///
/// * `xt::xtensor_fixed<double, xt::xshape<10, 8>>` is an argument as it is, alone or in a
///   std::tuple, std::pair or std::array; a gradient with respect to it is a `tensor<double, 10,
///   8>`. As a member of a struct of parameters, `xt::xtensor_fixed<T, xt::xshape<N...>>`, it is
///   one of the gradient, too, whose type is the struct's own.
/// * `xt::xtensor` and `xt::xarray` come through `us::as<us::tensor<double, 10, 8>>(x)`, which
///   checks the shape; an expression or a view, `us::as<us::tensor<double, 10, 8>>(xt::exp(a) +
///   b)`, is computed into a tensor.
/// * `us::ext::view(t)` makes a tensor an xtensor expression.
///
/// All row-major, xtensor's default; column-major arrays do not compile.
///
/// clang 17 and later find xtensor up to 0.24's `rebind_container` ambiguous: give units that
/// include this header -fno-relaxed-template-template-args (clang 19 deprecates the flag: also
/// -Wno-deprecated-no-relaxed-template-template-args). unspool itself works with and without it.

namespace unspool {
inline namespace v0 {

namespace detail {

template <xt::layout_type L>
constexpr auto xtensor_layout() {
    constexpr bool row_major = L == xt::layout_type::row_major;
    static_assert(row_major,
                  "unspool: an xt::xtensor_fixed is not row-major; store it row-major, as the "
                  "library's tensors are");
    return row_major;
}

template <class T, std::size_t... N, xt::layout_type L, bool S, class Tag>
inline constexpr bool is_traced<xt::xfixed_container<traced<T>, xt::fixed_shape<N...>, L, S, Tag>> =
    true;
}  // namespace detail

template <class T, std::size_t... N, xt::layout_type L, bool S, class Tag>
inline constexpr bool is_tensor<xt::xfixed_container<traced<T>, xt::fixed_shape<N...>, L, S, Tag>> =
    true;
template <class T, std::size_t... N, xt::layout_type L, bool S, class Tag>
inline constexpr bool is_leaf<xt::xfixed_container<T, xt::fixed_shape<N...>, L, S, Tag>> = true;
template <class T, std::size_t... N, xt::layout_type L, bool S, class Tag>
struct element<xt::xfixed_container<T, xt::fixed_shape<N...>, L, S, Tag>> : element<T> {};
template <class T, std::size_t... N, xt::layout_type L, bool S, class Tag,
          template <class> class Map>
struct map_elements<xt::xfixed_container<T, xt::fixed_shape<N...>, L, S, Tag>, Map>
    : detail::spelt_out<Map<T>, N...> {
    using checked = decltype(detail::xtensor_layout<L>());
};

template <class X>
    requires requires { X::static_layout; }
inline constexpr bool is_row_major<X> = X::static_layout == xt::layout_type::row_major;

template <std::size_t... N>
struct static_extents<xt::fixed_shape<N...>> {
    static constexpr shape value = shape::of(N...);
};

namespace ext {

/// A tensor's elements as an xtensor expression of the same shape, without a copy: it looks at t,
/// which must outlive it. Writable if t is.
template <class T, std::size_t... N>
auto view(tensor<T, N...>& t) {
    return xt::adapt(t.data(), static_cast<std::size_t>(t.size()), xt::no_ownership(),
                     std::array<std::size_t, sizeof...(N)>{N...});
}
template <class T, std::size_t... N>
auto view(tensor<T, N...> const& t) {
    return xt::adapt(t.data(), static_cast<std::size_t>(t.size()), xt::no_ownership(),
                     std::array<std::size_t, sizeof...(N)>{N...});
}
template <class T, std::size_t... N>
auto view(tensor<T, N...> const&&) = delete;

}  // namespace ext

/// Expressions; views, too, since data() of a view is not where it begins.
template <class X>
    requires(xt::is_xexpression<X>::value && !std::is_base_of_v<xt::xcontainer<X>, X>)
struct evaluation<X> {
    template <class Tensor>
    static void write(X const& x, Tensor& to) {
        ext::view(to).assign(x);
    }
};

}  // namespace v0
}  // namespace unspool

namespace xt {

/// What an xtensor_fixed in a struct of parameters is while a function is traced: an expression.
template <class T, std::size_t... N, layout_type L, bool S, class Tag>
class xfixed_container<unspool::traced<T>, fixed_shape<N...>, L, S, Tag>
    : public unspool::tensor<unspool::traced<T>, N...> {
    using expression = unspool::tensor<unspool::traced<T>, N...>;
    using checked = decltype(unspool::detail::xtensor_layout<L>());

public:
    using expression::operator=;
    constexpr xfixed_container() = default;
    constexpr xfixed_container(expression const& value) : expression(value) {}
};

}  // namespace xt
