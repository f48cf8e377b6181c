// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/refuse.hpp>
#include <unspool/core/tensor_view.hpp>
#include <unspool/expr/structure.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

/// @file
/// Arrays of other types as arguments, without a copy.

namespace unspool {
inline namespace v0 {

template <class T, std::size_t... N>
inline constexpr bool is_leaf<tensor_view<T, N...>> = true;
template <class T, std::size_t... N>
struct element<tensor_view<T, N...>> {
    using type = std::remove_const_t<T>;
};
template <class T, std::size_t... N, template <class> class Map>
struct map_elements<tensor_view<T, N...>, Map> {
    using type = tensor<Map<std::remove_const_t<T>>, N...>;
};

/// Whether the elements of an array type that tells its shape lie in row-major order. The headers
/// in ext/ say so for the libraries they adapt.
template <class X>
inline constexpr bool is_row_major = false;

/// How an array that computes its elements gives them: `evaluation<X>::write(x, tensor)`. The
/// headers in ext/ specialise it.
template <class X>
struct evaluation {};

/// The shape that the type of an array's extents tells, as `static_extents<Extents>::value`, if it
/// tells one.
template <class Extents>
struct static_extents {};

namespace detail {

template <class X>
concept contiguous = requires(X const& x) {
    std::data(x);
    std::size(x);
};
template <class X>
concept tells_shape = requires(X const& x) {
    x.shape().begin();
    x.shape().size();
};

template <class Tensor>
struct view_of;
template <class T, std::size_t... N>
struct view_of<tensor<T, N...>> {
    using type = tensor_view<T const, N...>;
};

template <class Extents>
std::string shape_text(Extents const& extents, std::size_t rank) {
    std::string text = "(";
    for (std::size_t i = 0; i < rank; ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(extents[i]);
    return text + (rank == 1 ? ",)" : ")");
}

template <class X, class Tensor>
concept evaluated = requires(X const& x, Tensor& t) {
    evaluation<X>::write(x, t);
};

template <shape Given, shape Expected>
constexpr auto shape_of_array() {
    constexpr bool same = Given == Expected;
    static_assert(same, "unspool: as<tensor>(x) takes an array of the tensor's shape; what it has "
                        "and what is expected stand in shape_of_array<given, expected>");
    return same;
}

template <class X>
struct array_element {
    using type = std::remove_cvref_t<decltype(*std::data(std::declval<X const&>()))>;
};
template <class X>
    requires requires { typename X::value_type; }
struct array_element<X> {
    using type = std::remove_cv_t<typename X::value_type>;
};

template <class Given, bool RowMajor>
struct layout_of {
    static_assert(RowMajor,
                  "unspool: an array is not known to be row-major; its type stands in "
                  "layout_of<array>; store it row-major, and include unspool/ext/ for its library");
};

/// Refuses an array of another shape or number of elements than the tensor's.
template <class Tensor, class X>
constexpr void check_shape(X const& x) {
    std::size_t const rank = static_cast<std::size_t>(Tensor::rank);
    if constexpr (tells_shape<X>) {
        auto const& given = x.shape();
        if constexpr (requires { static_extents<typename X::shape_type>::value; })
            shape_of_array<static_extents<typename X::shape_type>::value, Tensor::dims>();
        bool same = given.size() == rank;
        for (std::size_t i = 0; same && i < rank; ++i)
            same = static_cast<std::size_t>(given[i]) ==
                   static_cast<std::size_t>(Tensor::dims.extent[i]);
        if (!same)
            refuse<std::invalid_argument>(
                ("unspool: an array of shape " + shape_text(given, given.size()) +
                 " is given where shape " + shape_text(Tensor::dims.extent, rank) + " is expected")
                    .c_str());
    } else {
        if (std::size(x) != static_cast<std::size_t>(Tensor::count))
            refuse<std::invalid_argument>(
                ("unspool: " + std::to_string(std::size(x)) + " elements are given where shape " +
                 shape_text(Tensor::dims.extent, rank) + " is expected, " +
                 std::to_string(Tensor::count) + " elements")
                    .c_str());
    }
}

}  // namespace detail

/// An array as a tensor of that shape: `step(cell, us::as<us::tensor<double, 10, 8>>(x))`.
///
/// x is contiguous: std::array, std::span, std::vector, of as many elements; or an array that tells
/// its shape, row-major, of that very shape (xt::xtensor and xt::xarray with ext/xtensor.hpp).
/// Elements must have the tensor's type. Nothing is copied: x must outlive the result; but an
/// expression, `as<…>(xt::exp(a) + b)`, is computed into a tensor. Throws std::invalid_argument
/// with both shapes, or numbers of elements, if they differ (with -fno-exceptions: writes that and
/// aborts); where x's type tells its shape, a wrong one does not compile.
template <class Tensor, class X>
    requires is_tensor<Tensor>
constexpr auto as(X const& x) {
    using namespace detail;
    constexpr bool computes = evaluated<X, Tensor>;
    constexpr bool usable = computes || contiguous<X>;
    static_assert(usable, "unspool: as<tensor>(x) takes an array that has data() and size()");
    if constexpr (!usable) {
        return Tensor{};
    } else {
        static_assert(std::same_as<typename array_element<X>::type, typename Tensor::value_type>,
                      "unspool: as<tensor>(x) takes an array of the tensor's element type");
        check_shape<Tensor>(x);
        if constexpr (computes) {
            Tensor result;
            evaluation<X>::write(x, result);
            return result;
        } else {
            if constexpr (tells_shape<X>) static_assert(sizeof(layout_of<X, is_row_major<X>>) > 0);
            return typename view_of<Tensor>::type(std::data(x));
        }
    }
}

}  // namespace v0
}  // namespace unspool
