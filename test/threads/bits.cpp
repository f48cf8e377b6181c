// SPDX-License-Identifier: BSL-1.0
// The bits of a gradient: one value for each instruction set, whatever the compiler, the run, the
// thread and the place of the arguments.
#include <unspool/unspool.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

namespace us = unspool;

namespace {

constexpr auto loss = [](auto cell, auto xs) { return us::mean(us::lstm(cell, xs).outputs); };

/// FNV-1a over the bytes of numbers, low byte first.
class hash {
public:
    template <class T>
    void add(T const* x, int count) {
        using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        for (int i = 0; i < count; ++i) {
            word const bits = std::bit_cast<word>(x[i]);
            for (std::size_t byte = 0; byte < sizeof(T); ++byte) {
                state_ ^= std::uint64_t((bits >> (8 * byte)) & 0xFF);
                state_ *= 0x100000001B3u;
            }
        }
    }
    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0xCBF29CE484222325u;
};

template <class Result>
std::uint64_t hash_of(Result const& r) {
    hash h;
    h.add(&r.value, 1);
    us::for_each_leaf([&](auto const& leaf) { h.add(leaf.data(), leaf.size()); }, r.gradient);
    return h.value();
}

template <class T, int Steps, int Batch, int Inputs, int Units>
struct model {
    using params = us::lstm_params<T, Inputs, Units>;
    using sequence = us::tensor<T, Steps, Batch, Inputs>;
    using gradient = us::program<decltype(us::value_and_grad(loss)), params, sequence>;
    std::unique_ptr<params> cell = std::make_unique<params>(us::initial<params>(5));
    std::unique_ptr<sequence> xs =
        std::make_unique<sequence>(us::normal<T, Steps, Batch, Inputs>(6));
};

/// The hashes of one instruction set: float and double, one row and several.
struct hashes {
    std::string_view arch;
    std::uint64_t float_row, float_batch, double_batch;
};
constexpr hashes known[] = {
    {"sse2", 0x218aeb388e209065, 0xa9585ae5668f0a47, 0x3919bad6eeaf7d3c},
    {"avx2", 0x5ba1fb5e9d67d76d, 0xa6bf2504bc7737d3, 0x02ee3f3a6b051843},
    {"avx512", 0x6e430a6ab40b7d85, 0x51bbdbdaa44e4bd9, 0xaef975d3079ab540},
};

template <class Model>
std::uint64_t hash_of_run(Model const& m) {
    auto step = std::make_unique<typename Model::gradient>();
    return hash_of((*step)(*m.cell, *m.xs));
}

}  // namespace

TEST_CASE("the bits of an instruction set are known", "[bits]") {
    using arch = us::simd::native;
    hashes const* expected = nullptr;
    for (hashes const& h : known)
        if (h.arch == arch::name) expected = &h;
    if (expected == nullptr) UNSPOOL_SKIP("no bits are stored for this instruction set");
    CHECK(hash_of_run(model<float, 33, 1, 7, 19>{}) == expected->float_row);
    CHECK(hash_of_run(model<float, 17, 5, 3, 33>{}) == expected->float_batch);
    CHECK(hash_of_run(model<double, 17, 5, 3, 33>{}) == expected->double_batch);
}

TEST_CASE("the bits do not depend on the run or on where the arguments lie", "[bits]") {
    using small = model<float, 17, 5, 3, 33>;
    using view = us::tensor_view<float const, 17, 5, 3>;
    small const m;
    std::uint64_t const once = hash_of_run(m);
    us::program<decltype(us::value_and_grad(loss)), small::params, view> step;
    std::vector<float> memory(std::size_t(small::sequence::count) + 16);
    for (std::size_t shift = 0; shift < 16; ++shift) {
        std::copy(m.xs->begin(), m.xs->end(), memory.begin() + std::ptrdiff_t(shift));
        CHECK(hash_of(step(*m.cell, view(memory.data() + shift))) == once);
        CHECK(hash_of(step(*m.cell, view(memory.data() + shift))) == once);
    }
}

TEST_CASE("eight threads share parameters, each with a program of its own", "[threads]") {
    using small = model<float, 17, 5, 3, 33>;
    small const m;
    std::uint64_t const alone = hash_of_run(m);
    std::array<std::uint64_t, 8> got{};
    std::vector<std::thread> threads;
    for (std::uint64_t& result : got)
        threads.emplace_back([&m, &result] {
            auto step = std::make_unique<small::gradient>();
            for (int i = 0; i < 20; ++i) result = hash_of((*step)(*m.cell, *m.xs));
        });
    for (std::thread& t : threads) t.join();
    for (std::uint64_t const result : got) CHECK(result == alone);
}
