// SPDX-License-Identifier: BSL-1.0
// Replaces operator new and the malloc family by counting ones.
#include "support/allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNSPOOL_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNSPOOL_TEST_SANITIZED 1
#endif
#endif
#ifndef UNSPOOL_TEST_SANITIZED
#define UNSPOOL_TEST_SANITIZED 0
#endif

namespace {

// constant-initialised: malloc runs before any constructor does
constinit std::atomic<std::size_t> news{0};
constinit std::atomic<std::size_t> mallocs{0};
constinit std::atomic<std::size_t> bytes_asked{0};

[[maybe_unused]] void count(std::atomic<std::size_t>& kind, std::size_t size) noexcept {
    kind.fetch_add(1, std::memory_order_relaxed);
    bytes_asked.fetch_add(size, std::memory_order_relaxed);
}

}  // namespace

unspool_test::allocation_counts unspool_test::allocations() noexcept {
    return {news.load(std::memory_order_relaxed), mallocs.load(std::memory_order_relaxed),
            bytes_asked.load(std::memory_order_relaxed)};
}

#if UNSPOOL_TEST_SANITIZED

// of sanitizer/allocator_interface.h, which Debian's g++ does not ship
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(void const volatile*,
                                                                  std::size_t),
                                                         void (*)(void const volatile*));

namespace {

[[maybe_unused]] int const hooked = __sanitizer_install_malloc_and_free_hooks(
    [](void const volatile*, std::size_t size) { count(mallocs, size); },
    [](void const volatile*) {});

}  // namespace

#else

#if defined(__GLIBC__)

// glibc's own entry points: the way to reach the real allocator from its replacement
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* __libc_valloc(std::size_t);
void* __libc_pvalloc(std::size_t);
}

namespace {

void* plain(std::size_t size) noexcept { return __libc_malloc(size); }
void* aligned(std::size_t alignment, std::size_t size) noexcept {
    return __libc_memalign(alignment, size);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) noexcept {
    count(mallocs, size);
    return __libc_malloc(size);
}

void* calloc(std::size_t number, std::size_t size) noexcept {
    count(mallocs, number * size);
    return __libc_calloc(number, size);
}

void* realloc(void* old, std::size_t size) noexcept {
    count(mallocs, size);
    return __libc_realloc(old, size);
}

void* reallocarray(void* old, std::size_t number, std::size_t size) noexcept {
    std::size_t total = 0;
    if (__builtin_mul_overflow(number, size, &total)) {
        errno = ENOMEM;
        return nullptr;
    }
    return realloc(old, total);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
    count(mallocs, size);
    return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    return memalign(alignment, size);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
        return EINVAL;
    }
    void* const p = memalign(alignment, size);
    if (p == nullptr) {
        return ENOMEM;
    }
    *result = p;
    return 0;
}

void* valloc(std::size_t size) noexcept {
    count(mallocs, size);
    return __libc_valloc(size);
}

void* pvalloc(std::size_t size) noexcept {
    count(mallocs, size);
    return __libc_pvalloc(size);
}

}  // extern "C"

#else

namespace {

void* plain(std::size_t size) noexcept { return std::malloc(size); }
void* aligned(std::size_t alignment, std::size_t size) noexcept {
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

}  // namespace

#endif

namespace {

void* counted_new(std::size_t size) noexcept {
    count(news, size);
    return plain(size == 0 ? 1 : size);
}

void* counted_new(std::size_t size, std::align_val_t alignment) noexcept {
    count(news, size);
    return aligned(static_cast<std::size_t>(alignment), size == 0 ? 1 : size);
}

void* or_throw(void* p) {
    if (p == nullptr) {
        throw std::bad_alloc{};
    }
    return p;
}

}  // namespace

void* operator new(std::size_t size) { return or_throw(counted_new(size)); }
void* operator new[](std::size_t size) { return or_throw(counted_new(size)); }
void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return counted_new(size); }
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return counted_new(size); }
void* operator new(std::size_t size, std::align_val_t a) { return or_throw(counted_new(size, a)); }
void* operator new[](std::size_t size, std::align_val_t a) {
    return or_throw(counted_new(size, a));
}
void* operator new(std::size_t size, std::align_val_t a, std::nothrow_t const&) noexcept {
    return counted_new(size, a);
}
void* operator new[](std::size_t size, std::align_val_t a, std::nothrow_t const&) noexcept {
    return counted_new(size, a);
}

void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::nothrow_t const&) noexcept { std::free(p); }
void operator delete[](void* p, std::nothrow_t const&) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t, std::nothrow_t const&) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t, std::nothrow_t const&) noexcept { std::free(p); }

#endif
