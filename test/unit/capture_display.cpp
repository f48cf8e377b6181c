// SPDX-License-Identifier: BSL-1.0
// What the capture example shows: lines of progress and pictures.
#if __has_include(<nlohmann/json.hpp>) && __has_include(<sndfile.h>)
#include "../../examples/capture/progress.hpp"
#include "../../examples/capture/report.hpp"

#include "support/catch.hpp"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

/// What has been written to the other end, once it has arrived.
std::string drain(int from) {
    std::string all;
    std::array<char, 4096> text{};
    for (pollfd ready{from, POLLIN, 0}; ::poll(&ready, 1, 200) == 1;) {
        auto const size = ::read(from, text.data(), text.size());
        if (size <= 0) break;
        all.append(text.data(), std::size_t(size));
    }
    return all;
}

constexpr capture::standing halfway{50, 100, 0.25, 0.5, 0.125, 60, 0};

}  // namespace

TEST_CASE("without a terminal the progress is plain lines, seconds apart") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    capture::progress display(ends[1]);
    display.show({1, 100, 1, 1, 1, 1, 0});
    display.show(halfway);  // too soon after the first
    display.show(halfway, true);
    display.show(halfway, true);  // nothing new
    display.finish();
    auto const text = drain(ends[0]);
    CHECK(std::count(text.begin(), text.end(), '\n') == 2);
    CHECK(std::count(text.begin(), text.end(), '\r') == 0);
    CHECK_THAT(text, ContainsSubstring(
                         "epoch   50/100  loss 0.2500  validation ESR 0.5000 (best 0.1250)"));
    CHECK(display.failure() == 0);
    ::close(ends[0]), ::close(ends[1]);
}

TEST_CASE("on a terminal the progress is one line, redrawn, with a bar and the time left") {
    int master = 0, terminal = 0;
    winsize const size{24, 120, 0, 0};
    if (::openpty(&master, &terminal, nullptr, nullptr, &size) != 0)
        UNSPOOL_SKIP("this system gives out no terminals");
    capture::progress display(terminal);
    display.show(halfway);
    display.finish();
    auto const text = drain(master);
    CHECK(text.starts_with("\r\033[K["));
    CHECK_THAT(text,
               ContainsSubstring("=>") && ContainsSubstring("1:00 left"));  // 60 s for half of it
    CHECK(text.size() < 132);
    ::close(master), ::close(terminal);
}

TEST_CASE("a limit in seconds counts for the time left") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    capture::progress display(ends[1]);
    display.show({1, 100, 1, 1, 1, 30, 120});
    CHECK_THAT(drain(ends[0]), ContainsSubstring("1:30 left"));
    ::close(ends[0]), ::close(ends[1]);
}

TEST_CASE("output that cannot be written is remembered, and harms nothing") {
    int const full = ::open("/dev/full", O_WRONLY);
    capture::progress display(full);
    CHECK_NOTHROW(display.show(halfway, true));
    CHECK(display.failure() == ENOSPC);
    ::close(full);
}

TEST_CASE("pictures are whole PNG files, and gnuplot's errors are passed on") {
    try {
        capture::run_gnuplot("");
    } catch (capture::problem const& absent) {
        UNSPOOL_SKIP(absent.what());
    }
    CHECK(capture::draw_png("plot 0\n").size() > 1000);
    CHECK_THROWS_WITH(capture::draw_png("plot nonsense(x)\n"), ContainsSubstring("gnuplot failed"));
    CHECK_THROWS_WITH(capture::draw_png(""), ContainsSubstring("whole PNG"));

    capture::sound_pair pair{44100, std::vector<float>(20000, 0.25F), {}, {}};
    for (std::size_t i = 0; i < 20000; ++i) pair.wet.push_back(float(i % 100) / 200);
    auto const blocks = capture::split_blocks(20000);
    CHECK(capture::draw_png(capture::waveform_plot(pair, pair.dry, blocks[3], 0.1)).size() > 5000);
    capture::outcome result;
    result.epochs = {{1, 0.5, 0.6}, {2, 0.4, 0.3}, {3, 0.3, 0.35}};
    result.best_epoch = 2;
    CHECK(capture::draw_png(capture::loss_plot(result)).size() > 5000);
    std::vector<float> whole(500, 0.1F), last(500);
    for (std::size_t t = 400; t < 500; ++t) last[t] = std::exp(float(t) - 500);
    CHECK(capture::draw_png(capture::profile_plot(whole, last, 100)).size() > 5000);
}

TEST_CASE("a machine without gnuplot is told how to go on") {
    std::string const path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
    ::setenv("PATH", "/nonexistent", 1);
    CHECK_THROWS_WITH(capture::run_gnuplot(""), ContainsSubstring("--no-plots"));
    ::setenv("PATH", path.c_str(), 1);
}

TEST_CASE("the figures for scripts are complete") {
    capture::outcome result;
    result.epochs = {{1, 0.5, 0.6}, {2, 0.4, 0.3}};
    result.best_epoch = 2;
    result.esr = 0.31;
    auto const file = nlohmann::json::parse(capture::figures_json(result, 20, 500));
    CHECK(file["units"] == 20);
    CHECK(file["esr"] == 0.31);
    CHECK(file["epochs"] == 2);
    CHECK(file["history"][1]["validation_esr"] == 0.3);
    CHECK(file["training_allocations"] == 0);
}
#else
#include "support/catch.hpp"
TEST_CASE("what capture shows") { UNSPOOL_SKIP("libsndfile or nlohmann-json is not installed"); }
#endif
