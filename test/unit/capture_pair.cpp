// SPDX-License-Identifier: BSL-1.0
// What the capture example makes of two recordings: checks, alignment, blocks and segments.
#if __has_include(<sndfile.h>)
#include "../../examples/capture/pair.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace {

/// Noise that repeats nowhere, so that its autocorrelation has one peak.
std::vector<float> noise(std::size_t count, unsigned seed = 1) {
    std::vector<float> samples(count);
    for (auto& sample : samples) {
        seed = seed * 1664525U + 1013904223U;
        sample = float(seed >> 8) / 16777216.0F - 0.5F;
    }
    return samples;
}

capture::sound_pair paired(std::vector<float> dry, std::vector<float> wet, int latency = 0,
                           int wet_rate = 44100) {
    return capture::make_pair({44100, std::move(dry)}, {wet_rate, std::move(wet)}, "dry", "wet",
                              latency);
}

std::vector<float> delayed(std::vector<float> const& samples, std::size_t by, float gain) {
    std::vector<float> result(samples.size());
    for (std::size_t i = by; i < samples.size(); ++i) result[i] = gain * samples[i - by];
    return result;
}

}  // namespace

TEST_CASE("the error-to-signal ratio is the sum of squared errors over that of squares") {
    std::vector<float> const y{1, -2, 3, 0}, same = y, zero(4), other{1, -1, 1, 2};
    CHECK(capture::error_to_signal(y, same) == 0);
    CHECK(capture::error_to_signal(y, zero) == 1);
    CHECK(capture::error_to_signal(y, other) == Approx(9.0 / 14));
    CHECK(capture::mean_square(y) == Approx(3.5));
    CHECK(capture::mean_square({}) == 0);
}

TEST_CASE("ten blocks of one length, of which the fourth and the ninth are held out") {
    for (std::size_t const length : {10U, 19U, 882000U}) {
        auto const blocks = capture::split_blocks(length);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            CHECK(blocks[i].size() == length / 10);
            CHECK(blocks[i].begin == i * (length / 10));
            CHECK(blocks[i].held_out == (i == 3 || i == 8));
        }
        CHECK(blocks.back().end <= length);
    }
}

TEST_CASE("segments hold each training sample once, in order, and no held-out sample") {
    constexpr std::size_t length = 8000, batch = 16, lead = 30;
    capture::sound_pair pair{44100, {}, {}, {}};
    for (std::size_t i = 0; i < length; ++i)
        pair.dry.push_back(float(i + 1)), pair.wet.push_back(-float(i + 1));
    auto const blocks = capture::split_blocks(length);
    auto const data = capture::cut_segments(pair, blocks, batch, lead, 100);
    CHECK(data.batch == batch);
    CHECK(data.length == 400);
    CHECK(data.dry.size() == batch * (400 + lead));
    std::multiset<float> seen;
    for (std::size_t s = 0; s < batch; ++s) {
        float before = 0;
        for (std::size_t t = 0; t < lead + data.length; ++t) {
            auto const value = data.dry[t * batch + s];
            REQUIRE(data.wet[t * batch + s] == -value);
            if (t >= lead) seen.insert(value);
            // the lead is what came before, or silence where that may not be used
            auto const place = value == 0 ? 0 : std::size_t(value) - 1;
            REQUIRE(!blocks[place / 800].held_out);
            if (before != 0) REQUIRE(value == before + 1);
            if (value == 0) REQUIRE(t < lead);
            before = value;
        }
    }
    for (auto const& part : blocks)
        for (auto i = part.begin; i < part.end; ++i)
            if (seen.count(float(i + 1)) != (part.held_out ? 0 : 1))
                FAIL("sample " << i << " is there " << seen.count(float(i + 1)) << " times");
    // silence before blocks 0, 4 and 9 only
    CHECK(data.first == std::vector<std::size_t>{0, 6, 14});
    CHECK(std::count(data.dry.begin(), data.dry.begin() + batch, 0.0F) == 3);
    CHECK(data.dry_steps(3, 2).size() == 2 * batch);
    CHECK(data.dry_steps(3, 2)[0] == data.dry[3 * batch]);
    CHECK(data.wet_steps(3, 2)[1] == data.wet[3 * batch + 1]);
    CHECK_THROWS_WITH(capture::cut_segments(pair, blocks, batch, lead, 401),
                      ContainsSubstring("too short"));
}

TEST_CASE("a delay is found with its sign, whether or not the effect inverts") {
    auto const dry = noise(60000);
    for (float const gain : {1.0F, -0.3F}) {
        auto const late = delayed(dry, 123, gain);
        auto const found = capture::measure_alignment(dry, late, 500);
        CHECK(found.lag == 123);
        CHECK(found.at_lag > 0.9);
        CHECK(found.at_zero < 0.1);
        CHECK(capture::measure_alignment(late, dry, 500).lag == -123);
    }
    CHECK(capture::measure_alignment(dry, dry, 500).lag == 0);
    CHECK(capture::measure_alignment(dry, std::vector<float>(60000), 500).lag == 0);
    CHECK(capture::measure_alignment(noise(100), noise(100), 500).lag == 0);
}

TEST_CASE("a shifted recording is refused, and accepted with the latency that the sentence names") {
    auto const dry = noise(60000);
    auto const late = delayed(dry, 300, 0.5F);
    CHECK_THROWS_WITH(paired(dry, late), ContainsSubstring("300 samples after dry") &&
                                             ContainsSubstring("--latency 300"));
    CHECK_THROWS_WITH(paired(late, dry), ContainsSubstring("300 samples before dry") &&
                                             ContainsSubstring("--latency -300"));
    CHECK_THROWS_WITH(paired(dry, late, 100), ContainsSubstring("--latency 300"));
    auto const shifted = paired(dry, late, 300);
    CHECK(shifted.remarks.empty());
    CHECK(shifted.dry.size() == 59700);
    CHECK(shifted.wet[1000] == 0.5F * shifted.dry[1000]);
    CHECK(paired(late, dry, -300).remarks.empty());
    CHECK_NOTHROW(paired(dry, delayed(dry, 10, 1)));  // a filter's phase, not a shift
    CHECK_NOTHROW(
        capture::make_pair({44100, dry}, {44100, late}, "dry", "wet", 0, false).dry.size());
}

TEST_CASE("recordings that are no pair are refused in words") {
    auto const dry = noise(60000);
    CHECK_THROWS_WITH(paired(dry, dry, 0, 48000),
                      ContainsSubstring("44100") && ContainsSubstring("48000"));
    CHECK_THROWS_WITH(paired(dry, noise(10000)), ContainsSubstring("differ in length by 1.13"));
    CHECK_THROWS_WITH(paired(dry, std::vector<float>(60000)), ContainsSubstring("wet is silent"));
    CHECK_THROWS_WITH(paired(std::vector<float>(60000, 1e-5F), dry),
                      ContainsSubstring("dry is silent"));
    CHECK_THROWS_WITH(paired(dry, dry, 50000), ContainsSubstring("differ in length"));
}

TEST_CASE("what is odd but usable is told") {
    auto dry = noise(60000);
    auto longer = dry;
    longer.resize(60100);
    auto const cut = paired(dry, longer);
    CHECK(cut.wet.size() == 60000);
    REQUIRE(cut.remarks.size() == 1);
    CHECK_THAT(cut.remarks[0], ContainsSubstring("last 100 samples of wet"));
    auto loud = dry;
    for (std::size_t i = 1000; i < 1100; ++i) loud[i] = 1;
    auto const clipped = paired(dry, loud);
    REQUIRE(clipped.remarks.size() == 1);
    CHECK_THAT(clipped.remarks[0],
               ContainsSubstring("100 samples") && ContainsSubstring("clipped"));
    auto const unrelated = paired(dry, noise(60000, 77));
    REQUIRE(unrelated.remarks.size() == 1);
    CHECK_THAT(unrelated.remarks[0], ContainsSubstring("hardly resembles"));
}
#else
#include "support/catch.hpp"
TEST_CASE("capture's recordings") { UNSPOOL_SKIP("libsndfile is not installed"); }
#endif
