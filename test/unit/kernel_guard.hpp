// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/skip.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

/// @file
/// Memory between two forbidden pages, and seeded values, for the tests of the kernels.

namespace kernel_test {

/// `count` elements that end (or begin) exactly at a page which may not be touched.
template <class T>
class guarded {
public:
    guarded(int count, bool at_end) : count_(count) {
        std::size_t const page = std::size_t(sysconf(_SC_PAGESIZE));
        std::size_t const bytes = std::size_t(count) * sizeof(T);
        inner_ = (bytes + page - 1) / page * page + page;
        total_ = inner_ + 2 * page;
        base_ = static_cast<char*>(
            mmap(nullptr, total_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (base_ == MAP_FAILED || mprotect(base_ + page, inner_, PROT_READ | PROT_WRITE) != 0)
            throw std::bad_alloc();
        data_ = reinterpret_cast<T*>(base_ + page + (at_end ? inner_ - bytes : 0));
    }
    guarded(guarded const&) = delete;
    guarded& operator=(guarded const&) = delete;
    ~guarded() { munmap(base_, total_); }

    T* data() { return data_; }
    int size() const { return count_; }
    T& operator[](int i) { return data_[i]; }

private:
    int count_;
    std::size_t inner_, total_;
    char* base_;
    T* data_;
};

/// Notes that the running case did not run: this build is for a smaller instruction set.
template <class Arch>
void skip_absent() {
    UNSPOOL_SKIP(std::string("this build has no ") + Arch::name);
}

/// Values in [-1, 1) from a linear congruence: the same everywhere.
class values {
public:
    explicit values(std::uint64_t seed) : state_(seed * 2862933555777941757u + 3037000493u) {}
    double operator()() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return double(std::int64_t(state_ >> 11)) / double(std::int64_t{1} << 52) - 1;
    }

private:
    std::uint64_t state_;
};

template <class T>
void fill(guarded<T>& x, std::uint64_t seed) {
    values next(seed);
    for (int i = 0; i < x.size(); ++i) x[i] = T(next());
}

}  // namespace kernel_test
