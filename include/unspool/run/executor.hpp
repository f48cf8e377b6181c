// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/run/instructions.hpp>

#include <array>

/// @file
/// Walks a plan. Its loops are loops; everything between is known to the compiler.

namespace unspool {
inline namespace v0 {
namespace run {

namespace detail {

template <class Plan, int Begin, int End>
constexpr int direct_instructions() {
    int n = 0;
    for (int i = Begin; i < End; ++n)
        i = Plan::value.code[i].what == instruction::kind::loop ? Plan::value.code[i].end : i + 1;
    return n;
}
/// The instructions of a range that stand in no loop of it.
template <class Plan, int Begin, int End>
inline constexpr auto sequence = [] {
    std::array<int, static_cast<std::size_t>(direct_instructions<Plan, Begin, End>()) + 1> s{};
    std::size_t n = 0;
    for (int i = Begin; i < End;) {
        s[n++] = i;
        i = Plan::value.code[i].what == instruction::kind::loop ? Plan::value.code[i].end : i + 1;
    }
    return s;
}();

}  // namespace detail

template <class Plan, int Begin, int End, class Arch, class T>
UNSPOOL_INLINE void execute(frame<T, array_count<Plan>>& f);

template <class Plan, int At, class Arch, class T>
UNSPOOL_INLINE void run_loop(frame<T, array_count<Plan>>& f) {
    constexpr instruction self = Plan::value.code[At];
    auto& time = f.time[self.depth];
    auto& iteration = f.iteration[self.depth];
    time = self.reverse ? self.steps - 1 : 0;
    for (iteration = 0; iteration < self.steps; ++iteration) {
        execute<Plan, At + 1, self.end, Arch, T>(f);
        time += self.reverse ? -1 : 1;
    }
}

template <class Plan, int At, class Arch, class T>
UNSPOOL_INLINE void run_instruction(frame<T, array_count<Plan>>& f) {
    constexpr auto what = Plan::value.code[At].what;
    if constexpr (what == instruction::kind::group) run_group<Plan, At, Arch, T>(f);
    else if constexpr (what == instruction::kind::product) run_product<Plan, At, Arch, T>(f);
    else if constexpr (what == instruction::kind::pack) run_pack<Plan, At, Arch, T>(f);
    else if constexpr (what == instruction::kind::reduce) run_reduce<Plan, At, Arch, T>(f);
    else if constexpr (what == instruction::kind::copy) run_copy<Plan, At, Arch, T>(f);
    else if constexpr (what == instruction::kind::gather) run_gather<Plan, At, Arch, T>(f);
    else if constexpr (what == instruction::kind::scatter_add)
        run_scatter_add<Plan, At, Arch, T>(f);
    else run_loop<Plan, At, Arch, T>(f);
}

/// Runs the instructions [Begin, End) of a plan.
template <class Plan, int Begin, int End, class Arch, class T>
UNSPOOL_INLINE void execute(frame<T, array_count<Plan>>& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        if constexpr (sizeof...(I) < 256) {
            (run_instruction<Plan, detail::sequence<Plan, Begin, End>[I], Arch, T>(f), ...);
        } else {  // clang nests the operands of a fold no deeper
            int const in_order[] = {
                (run_instruction<Plan, detail::sequence<Plan, Begin, End>[I], Arch, T>(f), 0)...};
            (void)in_order;
        }
    }
    (std::make_index_sequence<static_cast<std::size_t>(
         detail::direct_instructions<Plan, Begin, End>())>{});
}

/// The literals of a plan in the program's element type.
template <class Plan, class T>
alignas(64) inline constexpr auto literals = [] {
    std::array<T, static_cast<std::size_t>(Plan::value.size.literals) + 1> table{};
    for (int i = 0; i < Plan::value.size.literals; ++i)
        table[static_cast<std::size_t>(i)] = static_cast<T>(Plan::value.literals[i]);
    return table;
}();

}  // namespace run
}  // namespace v0
}  // namespace unspool
