// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/refuse.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

/// @file
/// The memory of a program.

namespace unspool {
inline namespace v0 {
namespace run {

/// Up to here memory lies inside of its owner; above, it is allocated once.
inline constexpr std::size_t inline_bytes = 64 * 1024;
inline constexpr std::size_t memory_alignment = 64;

/// Aligned memory from the heap; large blocks ask for huge pages, which long sequences gain by.
class heap_block {
public:
    heap_block() = default;
    explicit heap_block(std::size_t bytes) {
        constexpr std::size_t huge = std::size_t{2} << 20;
        alignment_ = bytes >= huge ? huge : memory_alignment;
        data_ = ::operator new (bytes, std::align_val_t{alignment_});
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (bytes >= huge) (void)::madvise(data_, bytes, MADV_HUGEPAGE);  // a wish, no need
#endif
    }
    heap_block(heap_block&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), alignment_(other.alignment_) {}
    heap_block& operator=(heap_block&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(alignment_, other.alignment_);
        return *this;
    }
    ~heap_block() {
        if (data_ != nullptr) ::operator delete (data_, std::align_val_t{alignment_});
    }
    void* data() const { return data_; }

private:
    void* data_ = nullptr;
    std::size_t alignment_ = memory_alignment;
};

/// `Count` elements of type T: inside, on the heap, or the caller's.
template <class T, int Count, bool Inside = (Count * sizeof(T) <= inline_bytes)>
class storage {
public:
    storage() = default;
    explicit storage(std::span<std::byte> memory) { (void)checked(memory); }
    T* data() { return elements_; }

    static T* checked(std::span<std::byte> memory) {
        if (memory.size() < Count * sizeof(T))
            unspool::detail::refuse<std::invalid_argument>(
                "unspool: the memory is smaller than workspace_bytes");
        if (reinterpret_cast<std::uintptr_t>(memory.data()) % memory_alignment != 0)
            unspool::detail::refuse<std::invalid_argument>(
                "unspool: the memory is not aligned to 64 bytes");
        return reinterpret_cast<T*>(memory.data());
    }

private:
    alignas(memory_alignment) T elements_[Count == 0 ? 1 : static_cast<std::size_t>(Count)];
};
template <class T, int Count>
class storage<T, Count, false> {
public:
    storage() : block_(Count * sizeof(T)), data_(static_cast<T*>(block_.data())) {}
    explicit storage(std::span<std::byte> memory)
        : data_(storage<T, Count, true>::checked(memory)) {}
    T* data() { return data_; }

private:
    heap_block block_;
    T* data_;
};

/// A value of type X: inside if it is small, else on the heap.
template <class X, bool Inside = (sizeof(X) <= inline_bytes)>
class held {
public:
    X& operator*() { return value_; }

private:
    X value_{};
};
template <class X>
class held<X, false> {
public:
    X& operator*() { return *value_; }

private:
    std::unique_ptr<X> value_ = std::make_unique<X>();
};

}  // namespace run
}  // namespace v0
}  // namespace unspool
