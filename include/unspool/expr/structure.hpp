// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/stacked.hpp>

#include <boost/hana/accessors.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/fwd/core/to.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/unpack.hpp>

#include <array>
#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

/// Structures: what a function may take and return. A leaf is a tensor or an arithmetic scalar;
/// leaves may stand in std::tuple, std::pair, std::array, in Boost.Hana structs and in the
/// library's own results, nested as the user likes. The order of leaves is the order of
/// declaration.
namespace unspool {
inline namespace v0 {

namespace hana = boost::hana;

/// Marks the elements of a tensor that exists only while a function is traced: `tensor<traced<T>,
/// N...>` is an expression of shape N... with elements of type T. By itself it is a scalar
/// expression, what a member of type T is in the traced form of a struct; see expr/traced.hpp.
template <class T>
struct traced;

template <class X>
concept hana_struct = hana::Struct<std::remove_cvref_t<X>>::value;

/// Library types that hold members of any structure say so by a `members()` that ties them and a
/// template whose arguments are the members' types, in order.
template <class X>
concept composite = requires(X x) {
    x.members();
};

namespace detail {

template <class X>
inline constexpr bool is_tuple_like = false;
template <class... X>
inline constexpr bool is_tuple_like<std::tuple<X...>> = true;
template <class A, class B>
inline constexpr bool is_tuple_like<std::pair<A, B>> = true;
template <class X, std::size_t N>
inline constexpr bool is_tuple_like<std::array<X, N>> = true;

}  // namespace detail

/// True for a leaf: a tensor, traced or not, or an arithmetic scalar.
template <class X>
inline constexpr bool is_leaf = is_tensor<X> || std::is_arithmetic_v<X>;

// Diagnoses are static_asserts in function templates of deduced return type. The compiler reports
// each set of arguments once, prints the arguments, and goes on: a class with a failed
// static_assert is no constant to clang, and every use of it would be an error of its own.
template <class X, template <class> class Map>
struct map_elements;

namespace detail {

template <class X>
constexpr bool find_structure();

/// Whether X is made of leaves.
template <class X>
inline constexpr bool is_structure = find_structure<X>();

/// Says what X is not. Code that comes here goes on with a scalar in the place of X.
template <class X>
constexpr auto structure() {
    constexpr bool is_hana_struct = hana_struct<X>;
    if constexpr (is_hana_struct)
        static_assert(
            !is_hana_struct,
            "unspool: a struct of parameters is a template whose first argument is the "
            "element type, S<T, N...>, and lists tensors of T; it stands in structure<S>");
    else if constexpr (requires(X const& x) { x.shape(); })
        static_assert(
            is_hana_struct,
            "unspool: an array or expression of another library is an argument through "
            "us::as<us::tensor<T, N...>>(x), which says its shape; it stands in structure<X>");
    else
        static_assert(
            is_hana_struct,
            "unspool: an argument or result is neither a tensor, a number, a tuple, pair or "
            "array of these, nor a Boost.Hana struct of them; it stands in structure<X>");
    return true;
}

/// A struct that has more bytes than its listed members fill would lose the others.
template <class X, std::size_t Listed>
constexpr auto listed_members() {
    constexpr bool complete = sizeof(X) <= Listed;
    static_assert(
        complete,
        "unspool: a struct has members that its BOOST_HANA_DEFINE_STRUCT does not list, its "
        "own or a base's; they would be lost; it stands in listed_members<S, bytes>");
    return true;
}

/// The bytes that members of these types take in a struct.
template <class... M>
constexpr std::size_t size_of_members(std::tuple<M...>*) {
    std::size_t at = 0;
    std::size_t alignment = 1;
    auto place = [&](std::size_t size, std::size_t aligned) {
        at = (at + aligned - 1) / aligned * aligned + size;
        if (alignment < aligned) alignment = aligned;
    };
    (place(sizeof(M), alignof(M)), ...);
    return (at + alignment - 1) / alignment * alignment;
}

}  // namespace detail

/// Calls f(leaf) for every leaf of x, in order.
template <class F, class X>
constexpr void for_each_leaf(F&& f, X&& x) {
    using bare = std::remove_cvref_t<X>;
    if constexpr (is_leaf<bare>) {
        f(x);
    } else if constexpr (detail::is_tuple_like<bare>) {
        std::apply([&](auto&&... member) { (for_each_leaf(f, member), ...); }, x);
    } else if constexpr (composite<bare>) {
        std::apply([&](auto&&... member) { (for_each_leaf(f, member), ...); }, x.members());
    } else if constexpr (hana_struct<bare>) {
        hana::for_each(hana::accessors<bare>(),
                       [&](auto accessor) { for_each_leaf(f, hana::second(accessor)(x)); });
    } else {
        detail::structure<bare>();
    }
}

/// Calls f(leaf of x, leaf of y, …) for corresponding leaves of structures of one shape.
template <class F, class X, class... Y>
constexpr void for_each_leaf_of(F&& f, X&& x, Y&&... y) {
    using bare = std::remove_cvref_t<X>;
    if constexpr (is_leaf<bare>) {
        f(x, y...);
    } else if constexpr (detail::is_tuple_like<bare>) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            auto at = [&](auto i) { for_each_leaf_of(f, std::get<i()>(x), std::get<i()>(y)...); };
            (at(std::integral_constant<std::size_t, I>{}), ...);
        }
        (std::make_index_sequence<std::tuple_size_v<bare>>{});
    } else if constexpr (composite<bare>) {
        for_each_leaf_of(f, x.members(), y.members()...);
    } else {
        hana::for_each(hana::accessors<bare>(), [&](auto accessor) {
            auto get = hana::second(accessor);
            for_each_leaf_of(f, get(x), get(y)...);
        });
    }
}

namespace detail {

template <class... X>
std::tuple<std::remove_cvref_t<X>...> bare_types(std::tuple<X...> const&);
template <class X, class... A>
std::tuple<std::remove_cvref_t<decltype(hana::second(std::declval<A>())(std::declval<X&>()))>...>
hana_types(hana::tuple<A...> const&);

template <class X>
constexpr auto find_member_types() {
    if constexpr (is_tuple_like<X>) {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return std::type_identity<std::tuple<std::tuple_element_t<I, X>...>>{};
        }
        (std::make_index_sequence<std::tuple_size_v<X>>{});
    } else if constexpr (composite<X>) {
        return std::type_identity<decltype(bare_types(std::declval<X&>().members()))>{};
    } else if constexpr (hana_struct<X>) {
        using members = decltype(hana_types<X>(hana::accessors<X>()));
        listed_members<X, size_of_members(static_cast<members*>(nullptr))>();
        return std::type_identity<members>{};
    } else {
        return std::type_identity<std::tuple<double>>{};
    }
}

template <class T>
using same_element = T;
template <class X>
inline constexpr bool has_traced_form = requires {
    typename map_elements<X, same_element>::type;
};

template <class X>
constexpr bool find_structure() {
    if constexpr (is_leaf<X>) {
        return true;
    } else if constexpr (hana_struct<X> && !has_traced_form<X>) {
        return false;
    } else if constexpr (is_tuple_like<X> || composite<X> || hana_struct<X>) {
        return []<class... M>(std::type_identity<std::tuple<M...>>) {
            return (is_structure<M> && ...);
        }(find_member_types<X>());
    } else {
        return false;
    }
}

/// Says which part of X is no structure.
template <class X>
constexpr auto check_structure() {
    if constexpr (!is_structure<X>) {
        if constexpr (is_tuple_like<X> || composite<X> || (hana_struct<X> && has_traced_form<X>))
            []<class... M>(std::type_identity<std::tuple<M...>>) {
                (check_structure<M>(), ...);
            }(find_member_types<X>());
        else structure<X>();
    }
    return std::bool_constant<is_structure<X>>{};
}

}  // namespace detail

/// The types of the direct members of a structure that is not a leaf, as a std::tuple.
template <class X>
using member_types = typename decltype(detail::find_member_types<X>())::type;

/// The types of all leaves of a structure, in order, as a std::tuple.
template <class X>
struct leaves_of {
    template <class... M>
    static auto join(std::tuple<M...>*)
        -> decltype(std::tuple_cat(std::declval<typename leaves_of<M>::type>()...));
    using type = decltype(join(static_cast<member_types<X>*>(nullptr)));
};
template <class X>
    requires is_leaf<X>
struct leaves_of<X> {
    using type = std::tuple<X>;
};

namespace detail {

template <int Position>
struct argument_number {};

/// The names of all leaves of an argument: pointers to members, or the argument's number.
template <class X, class Name>
struct named_leaves {
    template <class... M>
    static auto join(std::tuple<M...>*)
        -> decltype(std::tuple_cat(std::declval<typename named_leaves<M, Name>::type>()...));
    template <class... A>
    static auto members(hana::tuple<A...> const&) -> decltype(std::tuple_cat(
        std::declval<typename named_leaves<
            std::remove_cvref_t<decltype(hana::second(std::declval<A>())(std::declval<X&>()))>,
            std::remove_cvref_t<decltype(hana::second(std::declval<A>()))>>::type>()...));
    static constexpr auto pick() {
        if constexpr (is_leaf<X>) return std::type_identity<std::tuple<Name>>{};
        else if constexpr (is_tuple_like<X> || composite<X>)
            return std::type_identity<decltype(join(static_cast<member_types<X>*>(nullptr)))>{};
        else return std::type_identity<decltype(members(hana::accessors<X>()))>{};
    }
    using type = typename decltype(pick())::type;
};

}  // namespace detail

/// The number of leaves of a structure.
template <class X>
inline constexpr int leaf_count = static_cast<int>(std::tuple_size_v<typename leaves_of<X>::type>);

/// The structure X with each leaf's element type T replaced by `Map<T>`. The traced form of a
/// struct that is no template of its element type is told by specialising this.
template <class X, template <class> class Map>
struct map_elements {};

namespace detail {

/// What is no structure is told where arguments and results are checked; here a scalar takes its
/// place.
template <class X, template <class> class Map>
struct mapped : map_elements<X, Map> {};
template <class X, template <class> class Map>
    requires(!requires { typename map_elements<X, Map>::type; })
struct mapped<X, Map> {
    using type = tensor<Map<double>>;
};

}  // namespace detail

template <class X, template <class> class Map>
using map_elements_t = typename detail::mapped<X, Map>::type;

template <class X, template <class> class Map>
    requires std::is_arithmetic_v<X>
struct map_elements<X, Map> {
    using type = tensor<Map<X>>;
};
template <class T, std::size_t... N, template <class> class Map>
struct map_elements<tensor<T, N...>, Map> : detail::spelt_out<Map<T>, N...> {};
template <class T, int Steps, template <class> class Map>
struct map_elements<stacked<T, Steps>, Map> : detail::spelt_out<Map<stacked<T, Steps>>> {};
template <class T, int Steps, template <class> class Map>
struct map_elements<unstacked<T, Steps>, Map> : detail::spelt_out<Map<unstacked<T, Steps>>> {};
template <class... X, template <class> class Map>
struct map_elements<std::tuple<X...>, Map> {
    using type = std::tuple<map_elements_t<X, Map>...>;
};
template <class A, class B, template <class> class Map>
struct map_elements<std::pair<A, B>, Map> {
    using type = std::pair<map_elements_t<A, Map>, map_elements_t<B, Map>>;
};
template <class X, std::size_t N, template <class> class Map>
struct map_elements<std::array<X, N>, Map> {
    using type = std::array<map_elements_t<X, Map>, N>;
};
template <template <class, auto...> class S, class T, auto A, auto... N, template <class> class Map>
    requires(hana_struct<S<T, A, N...>>)
struct map_elements<S<T, A, N...>, Map> {
    using type = S<Map<T>, A, N...>;
};
template <template <class> class S, class T, template <class> class Map>
    requires(hana_struct<S<T>>)
struct map_elements<S<T>, Map> {
    using type = S<Map<T>>;
};
template <template <class...> class S, class... X, template <class> class Map>
    requires(composite<S<X...>>)
struct map_elements<S<X...>, Map> {
    using type = S<map_elements_t<X, Map>...>;
};

/// The element type of a leaf; of a structure, that of its first leaf.
template <class X>
struct element {
    using type = typename element<std::tuple_element_t<0, typename leaves_of<X>::type>>::type;
};
template <class X>
    requires std::is_arithmetic_v<X>
struct element<X> {
    using type = X;
};
template <class T>
struct element<traced<T>> {
    using type = T;
};
template <class T, int Steps>
struct element<stacked<T, Steps>> : element<T> {};
template <class T, int Steps>
struct element<unstacked<T, Steps>> : element<T> {};
template <class T, std::size_t... N>
struct element<tensor<T, N...>> : element<T> {};
template <class X>
using element_t = typename element<std::remove_cvref_t<X>>::type;

}  // namespace v0
}  // namespace unspool
