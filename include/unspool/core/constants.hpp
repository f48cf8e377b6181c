// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/tensor.hpp>

/// Tensors of given elements, by NumPy's names: `us::eye<double, 3>()`.
namespace unspool {
inline namespace v0 {

/// Every element is `value`.
template <class T, std::size_t... N>
constexpr tensor<T, N...> full(T value) {
    tensor<T, N...> x;
    x.fill(value);
    return x;
}
template <class T, std::size_t... N>
constexpr tensor<T, N...> zeros() {
    return {};
}
template <class T, std::size_t... N>
constexpr tensor<T, N...> ones() {
    return full<T, N...>(T(1));
}
/// 0, 1, …, N − 1.
template <class T, std::size_t N>
constexpr tensor<T, N> arange() {
    tensor<T, N> x;
    for (int i = 0; i < static_cast<int>(N); ++i) x[i] = static_cast<T>(i);
    return x;
}
/// A matrix with ones on its diagonal, square unless told its columns.
template <class T, std::size_t Rows, std::size_t Columns = Rows>
constexpr tensor<T, Rows, Columns> eye() {
    tensor<T, Rows, Columns> x;
    for (int i = 0; i < static_cast<int>(Rows < Columns ? Rows : Columns); ++i) x(i, i) = T(1);
    return x;
}

}  // namespace v0
}  // namespace unspool
