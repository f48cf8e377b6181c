// SPDX-License-Identifier: BSL-1.0
// The counter that other tests rely on must see what it claims to see.
#include "support/allocations.hpp"

#include "support/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

using unspool_test::allocations_during;

namespace {

// keeps the compiler from removing a pair of allocation and release
template <class T>
T* seen(T* p) {
    asm volatile("" : : "g"(p) : "memory");
    return p;
}

struct alignas(128) wide {
    double values[16];
};

}  // namespace

TEST_CASE("nothing allocated counts as nothing", "[allocations]") {
    int x = 0;
    auto const counted = allocations_during([&] { x = *seen(&x) + 1; });
    CHECK(counted.total() == 0);
    CHECK(counted.bytes == 0);
}

TEST_CASE("every form of new is counted", "[allocations]") {
    std::align_val_t const alignment{256};
    auto const counted = allocations_during([&] {
        delete seen(new int{1});
        delete[] seen(new int[3]);
        delete seen(new (std::nothrow) int{2});
        delete[] seen(new (std::nothrow) int[3]);
        delete seen(new wide);
        delete[] seen(new wide[2]);
        delete seen(new (std::nothrow) wide);
        delete[] seen(new (std::nothrow) wide[2]);
        ::operator delete(seen(::operator new(1000, alignment)), alignment);
    });
    CHECK(counted.total() == 9);
    CHECK(counted.bytes >= 1000);
}

TEST_CASE("the malloc family is counted", "[allocations]") {
    void* aligned = nullptr;
    auto const counted = allocations_during([&] {
        void* p = seen(std::malloc(10));
        p = seen(std::realloc(p, 100));
        std::free(p);
        std::free(seen(std::calloc(3, 5)));
        std::free(seen(std::aligned_alloc(64, 128)));
        if (posix_memalign(&aligned, 64, 100) == 0) {
            std::free(seen(aligned));
        }
    });
    CHECK(counted.mallocs == 5);
    CHECK(reinterpret_cast<std::size_t>(aligned) % 64 == 0);
}

TEST_CASE("allocations inside libraries are counted", "[allocations]") {
    auto const counted = allocations_during([] {
        std::free(seen(strdup("a string copied by the C library")));
        std::vector<double> v(100);
        seen(v.data());
        std::string s(100, 'x');
        seen(s.data());
        auto shared = std::make_shared<int>(3);
        seen(shared.get());
    });
    CHECK(counted.total() == 4);
}
