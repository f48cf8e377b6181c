// SPDX-License-Identifier: BSL-1.0
// Where a program's workspace lies: inside, on the heap, in the caller's memory; and programs in
// several threads.
#include "unit/program_model.hpp"

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/skip.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace us = unspool;
using namespace unspool_test;

namespace {

// A sequence so long that what the reverse sweep reads is above 64 KiB.
using long_sequence = us::tensor<double, 700, 2, 3>;
using long_program = us::program<decltype(us::value_and_grad(loss)), cell_type, long_sequence>;
static_assert(gradient_program::workspace_bytes <= 64 * 1024);
static_assert(long_program::workspace_bytes > 64 * 1024);
// The reverse sweep reads four gates, c and tanh(c) of every step: 6·T·B·H numbers. Beside them the
// sweep's own, a few more of that size, and nothing that grows faster.
static_assert(long_program::workspace_bytes >= 6 * 700 * 2 * 5 * sizeof(double));
static_assert(long_program::workspace_bytes <= 16 * 700 * 2 * 5 * sizeof(double));
static_assert(sizeof(gradient_program) <=
              gradient_program::workspace_bytes + sizeof(gradient_program::result_type) + 128);
static_assert(sizeof(long_program) <= sizeof(long_program::result_type) + 192);

// What goes straight from arguments to result needs no memory.
inline constexpr auto straight = [](auto x) { return us::tanh(2 * x + 1) * x; };
static_assert(us::program<decltype(straight), us::tensor<double, 33>>::workspace_bytes == 0);

std::unique_ptr<long_sequence> long_input() {
    auto x = std::make_unique<long_sequence>();
    us::fill_normal(*x, 5);
    return x;
}

std::string message_of(std::span<std::byte> memory) {
    try {
        long_program step(memory);
    } catch (std::invalid_argument const& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("a large workspace is one allocation, made by the constructor", "[unit]") {
    // unit/allocations.cpp fails where nothing else is the reason
    if (allocations_during([] { ::operator delete(::operator new(1)); }).total() == 0)
        UNSPOOL_SKIP("valgrind has put its own allocator before the one that counts");
    auto const x = long_input();
    std::optional<long_program> step;
    auto const made = allocations_during([&] { step.emplace(); });
    CHECK(made.total() >= 1);
    CHECK(made.news <= 1);
    CHECK(made.bytes >= long_program::workspace_bytes);
    CHECK(allocations_during([&] {
              for (int k = 0; k < 10; ++k) (*step)(cell, *x);
          }).total() == 0);
    auto const expected = (*step)(cell, *x);
    long_program moved(std::move(*step));
    CHECK(same_bits(moved(cell, *x), expected));
    step.reset();
    CHECK(same_bits(moved(cell, *x), expected));
}

TEST_CASE("a program with a large workspace can be assigned", "[unit]") {
    auto const x = long_input();
    auto const expected = long_program{}(cell, *x);
    long_program moved;
    long_program assigned;
    assigned = std::move(moved);
    CHECK(same_bits(assigned(cell, *x), expected));
    assigned = long_program{};
    CHECK(same_bits(assigned(cell, *x), expected));
}

TEST_CASE("a program works in the caller's memory, in as much as it says and no more", "[unit]") {
    auto const x = long_input();
    constexpr std::size_t bytes = long_program::workspace_bytes;
    constexpr std::size_t guard = 4096;
    constexpr auto pattern = std::byte{0xA5};
    std::vector<std::byte> memory(bytes + 2 * guard + 64, pattern);
    auto const address = reinterpret_cast<std::uintptr_t>(memory.data());
    std::size_t const begin = guard + (64 - address % 64) % 64;
    std::span<std::byte> const place(memory.data() + begin, bytes);
    auto const expected = long_program{}(cell, *x);
    std::optional<long_program> step;
    CHECK(allocations_during([&] { step.emplace(place); }).total() == 0);
    CHECK(same_bits((*step)(cell, *x), expected));
    auto untouched = [&](std::size_t from, std::size_t to) {
        return std::all_of(memory.begin() + std::ptrdiff_t(from),
                           memory.begin() + std::ptrdiff_t(to),
                           [](std::byte b) { return b == pattern; });
    };
    CHECK(untouched(0, begin));
    CHECK(untouched(begin + bytes, memory.size()));
    CHECK_FALSE(untouched(begin, begin + bytes));
    long_program moved(std::move(*step));
    CHECK(same_bits(moved(cell, *x), expected));

    CHECK(message_of(place.first(bytes - 1)) ==
          "unspool: the memory is smaller than workspace_bytes");
    CHECK(message_of(std::span<std::byte>{}) ==
          "unspool: the memory is smaller than workspace_bytes");
    CHECK(message_of({memory.data() + begin + 8, bytes}) ==
          "unspool: the memory is not aligned to 64 bytes");
    // A small program checks the memory all the same.
    CHECK_THROWS_AS(gradient_program(place.first(8)), std::invalid_argument);
    gradient_program small(place.first(gradient_program::workspace_bytes));
    CHECK(same_bits(small(cell, xs), gradient_program{}(cell, xs)));
}

TEST_CASE("programs in threads share parameters and give equal bits", "[unit]") {
    auto const x = long_input();
    auto const expected = std::make_unique<gradient_program>();
    auto const& short_result = (*expected)(cell, xs);
    auto const long_result = long_program{}(cell, *x);
    for (int count : {2, 8}) {
        std::vector<int> same(std::size_t(count), 0);
        std::vector<std::thread> threads;
        for (int k = 0; k < count; ++k)
            threads.emplace_back([&, k] {
                gradient_program step;
                long_program long_step;
                for (int n = 0; n < 50; ++n)
                    same[std::size_t(k)] += same_bits(step(cell, xs), short_result) &&
                                            same_bits(long_step(cell, *x), long_result);
            });
        for (std::thread& t : threads) t.join();
        CHECK(std::all_of(same.begin(), same.end(), [](int n) { return n == 50; }));
    }
}
