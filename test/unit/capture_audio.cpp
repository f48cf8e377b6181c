// SPDX-License-Identifier: BSL-1.0
// Sound files of the capture example: what is written is read back, and what is broken is refused.
#if __has_include(<sndfile.h>)
#include "../../examples/capture/audio.hpp"

#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct sound_file {
    fs::path path = fs::temp_directory_path() / ("unspool-sound-" + std::to_string(::getpid()));
    explicit sound_file(std::string const& bytes) {
        std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
    }
    sound_file(sound_file const&) = delete;
    sound_file& operator=(sound_file const&) = delete;
    ~sound_file() { fs::remove(path); }
};

std::string with_channels(std::string bytes, char channels) {
    bytes[22] = channels;
    bytes[32] = char(4 * channels);
    return bytes;
}

}  // namespace

TEST_CASE("the recordings that come with the example are what their page says") {
    auto const folder = fs::path(UNSPOOL_TEST_FOLDER) / "../examples/data";
    for (auto const& [name, peak] : {std::pair{"dry.flac", 0.708}, {"wet.flac", 0.333}}) {
        auto const sound = capture::read_sound(folder / name);
        CHECK(sound.rate == 44100);
        CHECK(sound.samples.size() == 882000);
        float most = 0;
        for (float const value : sound.samples) most = std::max(most, std::abs(value));
        CHECK(most == Approx(peak).margin(0.002));
    }
}

TEST_CASE("a written WAV file is read back bit by bit") {
    std::vector<float> const samples{0, 1, -1, 1e-30F, 0.1F, 3.5F, -0.0F};
    auto const bytes = capture::wav_bytes(samples, 48000);
    CHECK(bytes.size() == 58 + 4 * samples.size());
    sound_file const file(bytes);
    auto const sound = capture::read_sound(file.path);
    CHECK(sound.rate == 48000);
    CHECK(sound.samples == samples);
    std::vector<float> const many(200001, 0.25F);
    sound_file const longer(capture::wav_bytes(many, 8000));
    CHECK(capture::read_sound(longer.path).samples == many);
}

TEST_CASE("files that are no mono sound are refused in words") {
    std::vector<float> const samples(1000, 0.5F);
    auto const good = capture::wav_bytes(samples, 44100);
    CHECK_THROWS_WITH(capture::read_sound("/nonexistent/dry.wav"),
                      ContainsSubstring("/nonexistent/dry.wav") &&
                          ContainsSubstring("No such file"));
    CHECK_THROWS_WITH(capture::read_sound(fs::temp_directory_path()),
                      ContainsSubstring("is a folder"));
    auto const refuses = [](std::string const& bytes, std::string const& words) {
        sound_file const file(bytes);
        CHECK_THROWS_WITH(capture::read_sound(file.path), ContainsSubstring(words));
    };
    refuses("", "as sound");
    refuses("plain text, and nothing that sounds", "as sound");
    refuses(good.substr(0, 30), "as sound");
    refuses(with_channels(good, 2), "2 channels");
    refuses(capture::wav_bytes({}, 44100), "no samples");
    refuses(capture::wav_bytes(samples, 50), "50 samples per second");
    for (float const bad :
         {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
        auto broken = samples;
        broken[321] = bad;
        refuses(capture::wav_bytes(broken, 44100), "at sample 321");
    }
}

TEST_CASE("a WAV file broken at any byte of its header gives sound or a sentence") {
    auto const good = capture::wav_bytes(std::vector<float>(100, 0.5F), 44100);
    for (std::size_t at = 0; at < 58; ++at)
        for (char const value : {char(0), char(1), char(0x7f), char(0xff)}) {
            auto bytes = good;
            bytes[at] = value;
            sound_file const file(bytes);
            try {
                auto const sound = capture::read_sound(file.path);
                REQUIRE(sound.samples.size() <= bytes.size());
            } catch (capture::problem const& refusal) {
                REQUIRE(std::string(refusal.what()).find('\n') == std::string::npos);
            }
        }
}
#else
#include "support/catch.hpp"
TEST_CASE("capture's sound files") { UNSPOOL_SKIP("libsndfile is not installed"); }
#endif
