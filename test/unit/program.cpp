// SPDX-License-Identifier: BSL-1.0
// Calls of a program: what they return, and that they agree with each other to the bit and with the
// compiler's own evaluation to rounding.
#include "unit/program_model.hpp"

#include "support/allocations.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(NDEBUG) && __has_include(<sys/wait.h>)
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace us = unspool;
using namespace unspool_test;

namespace {

/// By the compiler: the graph as it was traced, evaluated node by node.
constexpr auto by_compiler = loss_and_gradient(cell, xs);

}  // namespace

TEST_CASE("a program, a direct call and the compiler agree", "[unit]") {
    us::program step(loss_and_gradient, cell, xs);
    static_assert(std::is_same_v<decltype(step), gradient_program>);
    auto const& result = step(cell, xs);
    CHECK(same_bits(result, loss_and_gradient(cell, xs)));
    double worst = 0, largest = 0;
    for_each_pair(result, by_compiler, [&](double x, double y) {
        worst = std::max(worst, std::fabs(x - y));
        largest = std::max(largest, std::fabs(y));
    });
    CHECK(largest > 1e-3);
    CHECK(worst <= 1e-12 * largest);
    CHECK(std::fabs(result.value - by_compiler.value) <= 1e-12 * by_compiler.value);
}

TEST_CASE("a program is deterministic", "[unit]") {
    gradient_program step, other;
    auto const first = step(cell, xs);
    auto const changed_xs = us::normal<double, 7, 2, 3>(99);
    auto const changed = step(cell, changed_xs);
    CHECK_FALSE(same_bits(first, changed));
    // Nothing of an earlier call is left behind.
    for (int k = 0; k < 20; ++k) {
        CHECK(same_bits(step(cell, xs), first));
        CHECK(same_bits(step(cell, changed_xs), changed));
    }
    CHECK(same_bits(other(cell, xs), first));
}

TEST_CASE("a program does not depend on the alignment of its arguments", "[unit]") {
    auto const expected = gradient_program{}(cell, xs);
    std::vector<double> memory(sequence::count + 16);
    using view = decltype(us::as<sequence>(std::span<double const>{}));
    us::program<decltype(us::value_and_grad<0, 1>(loss)), cell_type, view> step;
    for (std::size_t offset = 0; offset < 9; ++offset) {
        std::copy(xs.begin(), xs.end(), memory.begin() + std::ptrdiff_t(offset));
        std::span<double const> const place(memory.data() + offset, std::size_t(sequence::count));
        auto const& [value, gradient] = step(cell, us::as<sequence>(place));
        CHECK(value == expected.value);
        CHECK(std::get<0>(gradient).kernel == std::get<0>(expected.gradient).kernel);
        CHECK(std::get<0>(gradient).recurrent_kernel ==
              std::get<0>(expected.gradient).recurrent_kernel);
        CHECK(std::get<0>(gradient).bias == std::get<0>(expected.gradient).bias);
        CHECK(std::get<1>(gradient) == std::get<1>(expected.gradient));
    }
}

TEST_CASE("a program returns a reference to its own result, or writes to the caller's", "[unit]") {
    gradient_program step;
    auto const& first = step(cell, xs);
    auto const copy = first;
    auto const& second = step(cell, us::normal<double, 7, 2, 3>(99));
    CHECK(&first == &second);  // valid until the next call: the same place
    gradient_program::result_type into;
    auto const kept = second;
    step(cell, xs, into);
    CHECK(same_bits(into, copy));
    CHECK(same_bits(second, kept));  // which the other form leaves alone
}

TEST_CASE("overlap of result and arguments is found to the element", "[unit]") {
    cell_type params = cell;
    CHECK(us::run::overlaps(params.kernel, params, xs));
    CHECK(us::run::overlaps(std::tuple<us::tensor<double, 2>>{}, params, xs) == false);
    alignas(64) double memory[12]{};
    auto at = [&](std::size_t from) {
        return us::as<us::tensor<double, 4>>(std::span<double const>(memory + from, 4));
    };
    CHECK(us::run::overlaps(at(0), at(3)));
    CHECK(us::run::overlaps(at(3), at(0)));
    CHECK_FALSE(us::run::overlaps(at(0), at(4)));
    CHECK_FALSE(us::run::overlaps(at(4), at(0)));
}

#if !defined(NDEBUG) && __has_include(<sys/wait.h>)
TEST_CASE("a result that overlaps an argument stops a debug build", "[unit]") {
    using value = us::tensor<double, 9>;
    constexpr auto twice = [](auto x) { return 2 * x; };
    us::program<std::remove_const_t<decltype(twice)>, value> step;
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);  // not the test runner's
        dup2(ends[1], STDERR_FILENO);
        value x{};
        step(x, x);
        _exit(0);
    }
    close(ends[1]);
    std::string said;
    char buffer[256];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
        said.append(buffer, std::size_t(n));
    close(ends[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGABRT);
    CHECK(said.find("unspool: the result overlaps an argument") != std::string::npos);
}
#endif

TEST_CASE("a program can be moved, not copied", "[unit]") {
    static_assert(std::is_nothrow_move_constructible_v<gradient_program>);
    static_assert(!std::is_copy_constructible_v<gradient_program>);
    static_assert(!std::is_copy_assignable_v<gradient_program>);
    auto const expected = gradient_program{}(cell, xs);
    gradient_program step;
    step(cell, us::normal<double, 7, 2, 3>(99));
    gradient_program moved(std::move(step));
    CHECK(same_bits(moved(cell, xs), expected));
    moved = gradient_program{};
    CHECK(same_bits(moved(cell, xs), expected));
}

TEST_CASE("a program prints its graph", "[unit]") {
    std::string const text = gradient_program::text();
    CHECK(text.find("scan") != std::string::npos);
    CHECK(text.find("tanh") != std::string::npos);
    std::string const dot = gradient_program::dot();
    CHECK(dot.rfind("digraph", 0) == 0);
    CHECK(std::count(dot.begin(), dot.end(), '{') == std::count(dot.begin(), dot.end(), '}'));
    CHECK(gradient_program::instructions > 3);
}

TEST_CASE("a thousand training steps allocate nothing", "[unit]") {
    auto const step =
        std::make_unique<us::program<decltype(us::value_and_grad(loss)), cell_type, sequence>>();
    cell_type trained = cell;
    us::adam<cell_type> optimiser{.learning_rate = 1e-2};
    double const before = (*step)(trained, xs).value;
    auto const allocated = allocations_during([&] {
        for (int k = 0; k < 1000; ++k) {
            auto const& [value, gradient] = (*step)(trained, xs);
            optimiser.step(trained, gradient);
        }
    });
    CHECK(allocated.total() == 0);
    double const after = (*step)(trained, xs).value;
    CHECK(after < 0.01 * before);
    // A direct call needs no heap either.
    CHECK(allocations_during([&] {
              CHECK(loss_and_gradient(trained, xs).value == after);
          }).total() == 0);
}
