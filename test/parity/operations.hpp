// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/unspool.hpp>

#include "parity/reference.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// The cases of data/operations.json: value, vjp and jvp of each through `program`. Many cases make
/// one function, which saves compile time, and in which the passes find the more to do.
namespace unspool_test::parity::operations {

namespace us = unspool;

/// A shape as a type.
template <std::size_t... N>
struct dims {
    template <class T>
    using tensor = us::tensor<T, N...>;
};
using scalar = dims<>;

/// Case NAME of the file: arguments of shapes A, B, C and the expression of a, b, c.
#define UNSPOOL_CASE_1(NAME, A, ...)                               \
    struct NAME##_case : operation<A> {                            \
        static constexpr char name[] = #NAME;                      \
        static constexpr auto call(auto a) { return __VA_ARGS__; } \
    }
#define UNSPOOL_CASE_2(NAME, A, B, ...)                                    \
    struct NAME##_case : operation<A, B> {                                 \
        static constexpr char name[] = #NAME;                              \
        static constexpr auto call(auto a, auto b) { return __VA_ARGS__; } \
    }
#define UNSPOOL_CASE_3(NAME, A, B, C, ...)                                         \
    struct NAME##_case : operation<A, B, C> {                                      \
        static constexpr char name[] = #NAME;                                      \
        static constexpr auto call(auto a, auto b, auto c) { return __VA_ARGS__; } \
    }

template <class... Shape>
struct operation {
    template <class T>
    using arguments = std::tuple<typename Shape::template tensor<T>...>;
};

/// A case's results as a tuple, whatever it returns.
template <class Case>
inline constexpr auto results = [](auto const&... x) {
    auto const y = Case::call(x...);
    if constexpr (us::expression<std::remove_const_t<decltype(y)>>) return std::tuple{y};
    else return std::apply([](auto const&... item) { return std::tuple{item...}; }, y);
};

template <class Case, class T, class Arguments = typename Case::template arguments<T>>
struct data_of;
template <class Case, class T, class... X>
struct data_of<Case, T, std::tuple<X...>> {
    using arguments = std::tuple<X...>;
    using outputs =
        us::as_plain<us::traced_result<std::remove_const_t<decltype(results<Case>)>, X...>>;
    /// arguments, cotangents, tangents
    using type = std::tuple<arguments, outputs, arguments>;
};

/// {results of vjp, results of jvp} of one case.
template <class Case, class Data>
constexpr auto both_modes(Data const& data) {
    return []<std::size_t... I>(std::index_sequence<I...>, auto const& arguments,
                                auto const& cotangents, auto const& tangents) {
        return std::tuple{
            us::vjp<int(I)...>(results<Case>)(std::get<I>(arguments)..., cotangents),
            us::jvp<int(I)...>(results<Case>)(std::get<I>(arguments)..., std::get<I>(tangents)...)};
    }
    (std::make_index_sequence<std::tuple_size_v<std::tuple_element_t<0, Data>>>{},
     std::get<0>(data), std::get<1>(data), std::get<2>(data));
}
template <class... Case>
inline constexpr auto group =
    [](auto const&... data) { return std::tuple{both_modes<Case>(data)...}; };

/// Reads a stored list of arrays into the tensors of a tuple.
template <class... X>
void read(json const& from, std::tuple<X...>& to) {
    REQUIRE(from.size() == sizeof...(X));
    std::size_t k = 0;
    us::for_each_leaf(
        [&](auto& leaf) {
            std::vector<double> const values = numbers(from.at(k++));
            REQUIRE(values.size() == std::size_t(leaf.count));
            std::transform(values.begin(), values.end(), leaf.begin(), [](double v) {
                return static_cast<typename std::remove_cvref_t<decltype(leaf)>::value_type>(v);
            });
        },
        to);
}

/// Relative to the entry, or to `least` if that is larger: what cancels is as exact as its terms.
template <class X>
void check_arrays(X const& found, json const& expected, double tolerance, double least,
                  std::string const& what) {
    std::size_t k = 0;
    us::for_each_leaf(
        [&](auto const& leaf) {
            auto const* const begin = us::run::elements_of(leaf);
            std::vector<double> const values(begin, begin + us::run::element_count(leaf));
            auto const v = compare_entries(values, expected.at(k++), tolerance, least);
            INFO(what << ": " << text(v));
            CHECK(v);
        },
        found);
    CHECK(k == expected.size());
}

template <class T, class... Case>
void check() {
    static json const doc = load("operations");
    std::tuple<typename data_of<Case, T>::type...> data{};
    auto read_case = [&](char const* name, auto& of_case) {
        json const& c = find(doc, name);
        auto& [arguments, cotangents, tangents] = of_case;
        read(c.at("args"), arguments);
        read(c.at("cotangents"), cotangents);
        read(c.at("tangents"), tangents);
    };
    std::apply([&](auto&... d) { (read_case(Case::name, d), ...); }, data);

    auto const step = std::make_unique<us::program<std::remove_const_t<decltype(group<Case...>)>,
                                                   typename data_of<Case, T>::type...>>();
    auto const& found =
        std::apply([&](auto const&... d) -> decltype(auto) { return (*step)(d...); }, data);
    constexpr double tolerance = std::is_same_v<T, double> ? 1e-12 : 1e-5;
    auto check_case = [&](std::string const& name, auto const& pair) {
        json const& c = find(doc, name);
        auto const& [reverse, forward] = pair;
        // tanh and sigmoid have derivatives made of their outputs, whose accuracy is absolute.
        bool const wide = name.find("_wide") != std::string::npos;
        double const least = wide ? 0 : 1.0 / 32;
        double const least_of_derivative =
            name == "tanh_wide" || name == "sigmoid_wide" ? 1 : least;
        check_arrays(reverse.value, c.at("outputs"), tolerance, least, name + " value");
        check_arrays(forward.first, c.at("outputs"), tolerance, least, name + " value with jvp");
        check_arrays(reverse.gradient, c.at("vjp"), tolerance, least_of_derivative, name + " vjp");
        check_arrays(forward.second, c.at("jvp"), tolerance, least_of_derivative, name + " jvp");
    };
    std::apply([&](auto const&... pair) { (check_case(Case::name, pair), ...); }, found);
}

}  // namespace unspool_test::parity::operations
