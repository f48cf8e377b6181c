// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/tensor.hpp>

#include <type_traits>

namespace unspool {
inline namespace v0 {

/// Elements that lie somewhere else, seen as a tensor of static shape: row-major, contiguous, of
/// any alignment. `tensor_view<double const, 10, 8>` is an argument wherever `tensor<double, 10,
/// 8>` is; gradients with respect to it are tensors. It owns nothing: what it looks at must outlive
/// it.
template <class T, std::size_t... N>
class tensor_view {
public:
    using value_type = std::remove_const_t<T>;
    using tensor_type = tensor<value_type, N...>;
    static constexpr int rank = tensor_type::rank;
    static constexpr shape dims = tensor_type::dims;
    static constexpr int count = tensor_type::count;

    /// At least `count` elements from `data` on.
    constexpr explicit tensor_view(T* data) : data_(data) {}
    constexpr tensor_view(tensor_type& t) : data_(t.data()) {}
    constexpr tensor_view(tensor_type const& t) requires std::is_const_v<T> : data_(t.data()) {}

    static constexpr int size() { return count; }
    constexpr T* data() const { return data_; }
    constexpr T* begin() const { return data_; }
    constexpr T* end() const { return data_ + count; }
    constexpr T& operator[](int k) const { return data_[k]; }
    template <class... I>
        requires(sizeof...(I) == sizeof...(N) && (std::is_convertible_v<I, int> && ...))
    constexpr T& operator()(I... i) const {
        int k = 0;
        int axis = 0;
        ((k = k * dims.extent[axis++] + static_cast<int>(i)), ...);
        return data_[k];
    }

private:
    T* data_;
};

}  // namespace v0
}  // namespace unspool
