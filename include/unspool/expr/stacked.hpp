// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/tensor.hpp>

/// Structs over time. A struct of tensors fixes its members' shapes up to their element type, so
/// the element type says which of them have an axis of time.
namespace unspool {
inline namespace v0 {

/// An element type that puts an axis of `Steps` before those of every member of a struct:
/// `lstm_state<stacked<double, 10>, 1, 8>` is the states of ten steps, and its member h, declared
/// `tensor<T, 1, 8>`, is a `tensor<double, 10, 1, 8>`.
template <class T, int Steps>
struct stacked;

/// An element type that takes the first axis, of `Steps`, from every member of a struct: of a
/// struct that lists whole sequences, one step.
template <class T, int Steps>
struct unstacked;

namespace detail {

template <class X, int Steps>
struct with_front {};
template <class T, std::size_t... N, int Steps>
struct with_front<tensor<T, N...>, Steps> {
    using type = tensor<T, static_cast<std::size_t>(Steps), N...>;
};
template <class X>
struct without_front {
    using type = X;  // a scalar has no steps, which is told where that matters
};
template <class T, std::size_t First, std::size_t... N>
struct without_front<tensor<T, First, N...>> {
    using type = tensor<T, N...>;
};

/// The tensor that `tensor<T, N...>` is, with elements that are numbers.
template <class T, std::size_t... N>
struct spelt_out {
    using type = tensor<T, N...>;
};
template <class T, int Steps, std::size_t... N>
struct spelt_out<stacked<T, Steps>, N...> : with_front<typename spelt_out<T, N...>::type, Steps> {};
template <class T, int Steps, std::size_t... N>
struct spelt_out<unstacked<T, Steps>, N...> : without_front<typename spelt_out<T, N...>::type> {};
template <class T, std::size_t... N>
using spelt_out_t = typename spelt_out<T, N...>::type;

/// `Map` of the number in an element type.
template <class T, template <class> class Map>
struct map_number {
    using type = Map<T>;
};
template <class T, int Steps, template <class> class Map>
struct map_number<stacked<T, Steps>, Map> {
    using type = stacked<typename map_number<T, Map>::type, Steps>;
};
template <class T, int Steps, template <class> class Map>
struct map_number<unstacked<T, Steps>, Map> {
    using type = unstacked<typename map_number<T, Map>::type, Steps>;
};

/// The element type of all steps of a struct, and of one of them.
template <class T, int Steps>
struct over_time {
    using all = stacked<T, Steps>;
    using one = unstacked<T, Steps>;
};
template <class T, int Steps>
struct over_time<unstacked<T, Steps>, Steps> {
    using all = T;
    using one = unstacked<unstacked<T, Steps>, Steps>;
};
template <class T, int Steps>
struct over_time<stacked<T, Steps>, Steps> {
    using all = stacked<stacked<T, Steps>, Steps>;
    using one = T;
};

}  // namespace detail

template <class T, int Steps, std::size_t... N>
struct tensor<stacked<T, Steps>, N...> : detail::spelt_out_t<stacked<T, Steps>, N...> {
    using spelt_out = detail::spelt_out_t<stacked<T, Steps>, N...>;
    using spelt_out::spelt_out;
    using spelt_out::operator=;
    constexpr tensor(spelt_out const& value) : spelt_out(value) {}
};
template <class T, int Steps, std::size_t... N>
struct tensor<unstacked<T, Steps>, N...> : detail::spelt_out_t<unstacked<T, Steps>, N...> {
    using spelt_out = detail::spelt_out_t<unstacked<T, Steps>, N...>;
    using spelt_out::spelt_out;
    using spelt_out::operator=;
    constexpr tensor(spelt_out const& value) : spelt_out(value) {}
};

/// What a member of type T, a number, becomes.
template <class T, int Steps>
struct stacked : tensor<stacked<T, Steps>> {
    using tensor<stacked<T, Steps>>::tensor;
    using tensor<stacked<T, Steps>>::operator=;
};
template <class T, int Steps>
struct unstacked : tensor<unstacked<T, Steps>> {
    using tensor<unstacked<T, Steps>>::tensor;
    using tensor<unstacked<T, Steps>>::operator=;
};

template <class T, int Steps>
inline constexpr bool is_tensor<stacked<T, Steps>> = true;
template <class T, int Steps>
inline constexpr bool is_tensor<unstacked<T, Steps>> = true;

}  // namespace v0
}  // namespace unspool
