// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/shape.hpp>

#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace unspool {
inline namespace v0 {

/// A tensor of static shape that owns its elements: row-major, 64-byte aligned, a literal type.
/// `tensor<double, 10, 4>` has 10 rows of 4; `tensor<float>` is a scalar and converts to one.
/// Sequences are time-major: the first axis is time. Elements start as zero.
///
/// Element access is `x(i, j)` or, in row-major order, `x[k]`. An index out of range is undefined
/// at run time and a compile error in a constant. Above 64 KiB, keep tensors off the stack.
template <class T, std::size_t... N>
struct tensor {
    static_assert(std::is_arithmetic_v<T>, "unspool: the elements of a tensor are numbers");
    static_assert(((N > 0) && ...), "unspool: every extent of a tensor is at least 1");
    static_assert(sizeof...(N) <= max_rank, "unspool: a tensor has at most 8 axes");

    using value_type = T;
    static constexpr int rank = sizeof...(N);
    static constexpr shape dims = shape::of(N...);
    static constexpr int count = dims.size();

    alignas(64) T elements[static_cast<std::size_t>(count)]{};

    constexpr tensor() = default;
    /// The elements in row-major order, exactly `size()` of them.
    template <class... E>
        requires(sizeof...(E) == static_cast<std::size_t>(count) &&
                 (std::is_arithmetic_v<E> && ...))
    constexpr explicit(rank != 0) tensor(E... e) : elements{static_cast<T>(e)...} {}

    static constexpr int size() { return count; }
    constexpr T* data() { return elements; }
    constexpr T const* data() const { return elements; }
    constexpr T* begin() { return elements; }
    constexpr T* end() { return elements + count; }
    constexpr T const* begin() const { return elements; }
    constexpr T const* end() const { return elements + count; }
    constexpr T& operator[](int k) { return elements[k]; }
    constexpr T const& operator[](int k) const { return elements[k]; }

    template <class... I>
        requires(sizeof...(I) == sizeof...(N) && (std::is_convertible_v<I, int> && ...))
    constexpr T& operator()(I... i) { return elements[offset(static_cast<int>(i)...)]; }
    template <class... I>
        requires(sizeof...(I) == sizeof...(N) && (std::is_convertible_v<I, int> && ...))
    constexpr T const& operator()(I... i) const { return elements[offset(static_cast<int>(i)...)]; }

    constexpr operator T() const requires(sizeof...(N) == 0) { return elements[0]; }
    constexpr void fill(T value) {
        for (int k = 0; k < count; ++k) elements[k] = value;
    }
    friend constexpr bool operator==(tensor const& a, tensor const& b) {
        for (int k = 0; k < count; ++k)
            if (a.elements[k] != b.elements[k]) return false;
        return true;
    }

private:
    template <class... I>
    static constexpr int offset(I... i) {
        int k = 0;
        int axis = 0;
        ((k = k * dims.extent[axis++] + i), ...);
        return k;
    }
};

template <class X>
inline constexpr bool is_tensor = false;
template <class T, std::size_t... N>
inline constexpr bool is_tensor<tensor<T, N...>> = true;

}  // namespace v0
}  // namespace unspool
