// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "problem.hpp"

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace capture {

/// One channel of sound; full scale is ±1.
struct sound {
    int rate = 0;  ///< samples per second
    std::vector<float> samples;
};

/// Longest recording that is read, in samples: about an hour and a half at 192 kHz.
inline constexpr sf_count_t longest_recording = sf_count_t{1} << 30;

/// Reads a mono WAV, FLAC or other file that libsndfile knows. Memory grows with what the file
/// really holds, never with what its header claims. Throws `problem` for a file that cannot be
/// read, is cut short, has more than one channel, is empty or holds a NaN or an infinity.
inline sound read_sound(std::filesystem::path const& path) {
    auto const shown = path.string();
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw problem(shown + " is a folder");
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const readable(std::fopen(shown.c_str(), "rb"),
                                                                   &std::fclose);
    if (!readable) throw problem("cannot read " + shown + ": " + system_words(errno));

    SF_INFO info{};
    std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> const file(sf_open(shown.c_str(), SFM_READ, &info),
                                                           &sf_close);
    if (!file)
        throw problem("cannot read " + shown + " as sound: " + std::string(sf_strerror(nullptr)));
    if (info.channels != 1)
        throw problem(shown + " has " + std::to_string(info.channels) +
                      " channels, but a capture needs one: make it mono first, for instance with "
                      "'sox in.wav out.wav remix 1'");
    if (info.samplerate < 8000 || info.samplerate > 384000)
        throw problem(shown + " claims " + std::to_string(info.samplerate) +
                      " samples per second, which is outside 8,000 to 384,000");
    if (info.frames > longest_recording)
        throw problem(shown + " claims to hold more than 2^30 samples");

    sound result{info.samplerate, {}};
    std::vector<float> chunk(65536);
    for (;;) {
        auto const got = sf_readf_float(file.get(), chunk.data(), sf_count_t(chunk.size()));
        if (got <= 0) break;
        result.samples.insert(result.samples.end(), chunk.begin(), chunk.begin() + got);
    }
    if (sf_error(file.get()) != SF_ERR_NO_ERROR)
        throw problem("cannot read " + shown +
                      " to its end: " + std::string(sf_strerror(file.get())));
    if (sf_count_t(result.samples.size()) < info.frames)
        throw problem(shown + " is cut short: it holds " + std::to_string(result.samples.size()) +
                      " of the " + std::to_string(info.frames) + " samples that it announces");
    if (result.samples.empty()) throw problem(shown + " holds no samples");
    auto const bad = std::find_if_not(result.samples.begin(), result.samples.end(),
                                      [](float value) { return std::isfinite(value); });
    if (bad != result.samples.end())
        throw problem(shown + " holds a value that is not a number or infinite, at sample " +
                      std::to_string(bad - result.samples.begin()));
    return result;
}

/// The bytes of a mono WAV file with 32-bit floating-point samples. Written here, and not by a
/// library, because it is 58 bytes of header and goes through the same checked writer as the rest.
inline std::string wav_bytes(std::span<float const> samples, int rate) {
    auto const count = static_cast<std::uint32_t>(samples.size());
    std::string bytes;
    bytes.reserve(58 + samples.size_bytes());
    auto const text = [&](char const* four) { bytes.append(four, 4); };
    auto const number = [&](std::uint32_t value, int size) {  // little-endian, as RIFF wants it
        for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 0xff));
    };
    text("RIFF"), number(50 + 4 * count, 4), text("WAVE");
    text("fmt "), number(18, 4), number(3, 2), number(1, 2), number(std::uint32_t(rate), 4);
    number(std::uint32_t(rate) * 4, 4), number(4, 2), number(32, 2), number(0, 2);
    text("fact"), number(4, 4), number(count, 4);
    text("data"), number(4 * count, 4);
    for (float const value : samples) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        number(bits, 4);
    }
    return bytes;
}

}  // namespace capture
