// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <initializer_list>
#include <utility>

namespace unspool {
inline namespace v0 {

/// A growable array for constant evaluation and run time alike: what the graph and the passes are
/// made of. std::vector is not used because clang's constant evaluator charges a step for each of
/// its internal calls and, with libstdc++ 12, refuses `vector<int> v(n)` altogether.
template <class T>
class list {
public:
    constexpr list() = default;
    constexpr list(std::initializer_list<T> items) {
        reserve(static_cast<int>(items.size()));
        for (T const& item : items) data_[size_++] = item;
    }
    constexpr list(int n, T const& value) { resize(n, value); }
    constexpr list(T const* first, int n) {
        reserve(n);
        for (int i = 0; i < n; ++i) data_[i] = first[i];
        size_ = n;
    }
    constexpr list(list const& other) : list(other.data_, other.size_) {}
    constexpr list(list&& other) noexcept
        : data_(other.data_), size_(other.size_), capacity_(other.capacity_) {
        other.data_ = nullptr;
        other.size_ = other.capacity_ = 0;
    }
    constexpr list& operator=(list other) noexcept {
        T* const old = data_;
        data_ = other.data_;
        size_ = other.size_;
        capacity_ = other.capacity_;
        other.data_ = old;
        return *this;
    }
    constexpr ~list() { delete[] data_; }

    constexpr int size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T* data() { return data_; }
    constexpr T const* data() const { return data_; }
    constexpr T& operator[](int i) { return data_[i]; }
    constexpr T const& operator[](int i) const { return data_[i]; }
    constexpr T& back() { return data_[size_ - 1]; }
    constexpr T const& back() const { return data_[size_ - 1]; }
    constexpr T* begin() { return data_; }
    constexpr T* end() { return data_ + size_; }
    constexpr T const* begin() const { return data_; }
    constexpr T const* end() const { return data_ + size_; }

    constexpr void reserve(int n) {
        if (n <= capacity_) return;
        T* wider = new T[static_cast<unsigned>(n)]{};
        // Casts, since to a constant evaluator std::move is a call.
        for (int i = 0; i < size_; ++i) wider[i] = static_cast<T&&>(data_[i]);
        delete[] data_;
        data_ = wider;
        capacity_ = n;
    }
    constexpr void push_back(T item) {
        if (size_ == capacity_) grow(capacity_ == 0 ? 8 : size_ + 1);
        data_[size_++] = static_cast<T&&>(item);
    }
    constexpr void append(list const& other) {
        grow(size_ + other.size_);
        for (int i = 0; i < other.size_; ++i) data_[size_++] = other.data_[i];
    }
    constexpr void resize(int n, T const& value = T{}) {
        grow(n);
        for (int i = size_; i < n; ++i) data_[i] = value;
        size_ = n;
    }
    constexpr void pop_back() { --size_; }
    constexpr void insert(int at, T item) {
        push_back(static_cast<T&&>(item));
        for (int i = size_ - 1; i > at; --i) std::swap(data_[i], data_[i - 1]);
    }
    constexpr void erase(int at) {
        for (int i = at + 1; i < size_; ++i) data_[i - 1] = static_cast<T&&>(data_[i]);
        --size_;
    }

    constexpr int find(T const& item) const {
        for (int i = 0; i < size_; ++i)
            if (data_[i] == item) return i;
        return -1;
    }
    constexpr bool contains(T const& item) const { return find(item) >= 0; }
    friend constexpr bool operator==(list const& a, list const& b) {
        if (a.size_ != b.size_) return false;
        for (int i = 0; i < a.size_; ++i)
            if (!(a.data_[i] == b.data_[i])) return false;
        return true;
    }

private:
    /// Room for n; repeated growth costs linear time in all.
    constexpr void grow(int n) {
        if (n > capacity_) reserve(n > 2 * capacity_ ? n : 2 * capacity_);
    }

    T* data_ = nullptr;
    int size_ = 0;
    int capacity_ = 0;
};

}  // namespace v0
}  // namespace unspool
