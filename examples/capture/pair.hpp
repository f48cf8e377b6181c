// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "audio.hpp"
#include "problem.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace capture {

/// What went into the effect and what came out of it, sample by sample.
struct sound_pair {
    int rate = 0;
    std::vector<float> dry, wet;       ///< same length
    std::vector<std::string> remarks;  ///< sentences for the user about what was found and done
};

/// How well `wet` follows `dry` when it is read `lag` samples later.
struct alignment {
    int lag = 0;                     ///< the delay with the strongest correlation
    double at_lag = 0, at_zero = 0;  ///< |normalised correlation| at that delay and at none
};

/// Finds the delay of `wet` against `dry`, within ±`reach` samples, by the strongest absolute
/// cross-correlation of the differenced signals (differencing sharpens the peak; the absolute value
/// is for effects that invert). Looks at the loudest three seconds or so: cost reach × 2^18.
inline alignment measure_alignment(std::span<float const> dry, std::span<float const> wet,
                                   int reach) {
    auto const length = std::min(dry.size(), wet.size());
    auto const margin = std::size_t(reach) + 1;
    if (length <= 4 * margin) return {};
    auto const width = std::min<std::size_t>(std::size_t{1} << 17, length - 2 * margin);

    std::vector<float> from(length), to(length);  // differences; index 0 stays zero
    for (std::size_t i = 1; i < length; ++i)
        from[i] = dry[i] - dry[i - 1], to[i] = wet[i] - wet[i - 1];

    std::size_t best_start = margin;
    double energy = 0, best_energy = -1;
    for (std::size_t i = margin; i < length - margin; ++i) {  // sliding sum over `width` samples
        energy += double(from[i]) * double(from[i]);
        if (i < margin + width - 1) continue;
        auto const start = i + 1 - width;
        if (energy > best_energy) best_energy = energy, best_start = start;
        energy -= double(from[start]) * double(from[start]);
    }

    auto const correlation = [&](int lag) {
        auto const* a = from.data() + best_start;
        auto const* b = to.data() + best_start + lag;
        std::array<float, 16> cross{},
            power{};  // partial sums that a compiler can keep in a vector
        std::size_t i = 0;
        for (; i + 16 <= width; i += 16)
            for (std::size_t k = 0; k < 16; ++k)
                cross[k] += a[i + k] * b[i + k], power[k] += b[i + k] * b[i + k];
        double c = 0, p = 0;
        for (std::size_t k = 0; k < 16; ++k) c += double(cross[k]), p += double(power[k]);
        return p > 0 && best_energy > 0 ? std::abs(c) / std::sqrt(p * best_energy) : 0.0;
    };
    alignment result;
    result.at_zero = result.at_lag = correlation(0);
    for (int lag = -reach; lag <= reach; ++lag)
        if (double const value = correlation(lag); value > result.at_lag)
            result.at_lag = value, result.lag = lag;
    return result;
}

/// Farthest delay that is looked for, and the largest that passes as the effect's own phase, both
/// in samples. A pedal's filters move the peak by a few samples; an audio interface's buffers by
/// dozens to thousands.
inline constexpr int alignment_reach = 4096;
inline constexpr int alignment_tolerance = 16;

inline double mean_square(std::span<float const> x) {
    double sum = 0;
    for (float const value : x) sum += double(value) * double(value);
    return x.empty() ? 0 : sum / double(x.size());
}

/// Reads and checks the two files; throws `problem` when they cannot be a dry sound and the same
/// sound through an effect. `latency`: how many samples later the wet recording is; its first
/// `latency` samples (of the dry one, when negative) are dropped. With `check_alignment` a delay of
/// more than `alignment_tolerance` that is plainly a better match is an error.
inline sound_pair make_pair(sound dry, sound wet, std::string const& dry_name,
                            std::string const& wet_name, int latency = 0,
                            bool check_alignment = true) {
    if (dry.rate != wet.rate)
        throw problem(dry_name + " has " + std::to_string(dry.rate) + " samples per second and " +
                      wet_name + " has " + std::to_string(wet.rate) +
                      ": record or convert both at one rate");
    sound_pair pair{dry.rate, std::move(dry.samples), std::move(wet.samples), {}};
    auto const drop = [](std::vector<float>& x, int count) {
        x.erase(x.begin(), x.begin() + std::min<std::ptrdiff_t>(count, std::ssize(x)));
    };
    if (latency > 0) drop(pair.wet, latency);
    if (latency < 0) drop(pair.dry, -latency);

    auto const shorter = std::min(pair.dry.size(), pair.wet.size());
    auto const surplus = std::max(pair.dry.size(), pair.wet.size()) - shorter;
    bool const dry_is_longer = pair.dry.size() > pair.wet.size();
    if (surplus > std::size_t(pair.rate))
        throw problem(dry_name + " and " + wet_name + " differ in length by " +
                      std::to_string(double(surplus) / pair.rate) +
                      " seconds: they should be one performance, of one length");
    if (surplus > std::size_t(std::abs(latency)))
        pair.remarks.push_back("The last " + std::to_string(surplus) + " samples of " +
                               (dry_is_longer ? dry_name : wet_name) +
                               " are not used: the other file is shorter.");
    pair.dry.resize(shorter), pair.wet.resize(shorter);

    for (auto const& [samples, name] :
         {std::pair{std::span<float const>(pair.dry), dry_name}, {pair.wet, wet_name}}) {
        if (mean_square(samples) < 1e-8)  // -80 dB
            throw problem(name + " is silent");
        std::size_t full = 0;
        for (float const value : samples) full += std::abs(value) >= 0.9999F;
        if (full > 16)
            pair.remarks.push_back(name + " reaches full scale in " + std::to_string(full) +
                                   " samples and is probably clipped.");
    }

    auto const found = measure_alignment(pair.dry, pair.wet, alignment_reach);
    bool const shifted = std::abs(found.lag) > alignment_tolerance;
    if (check_alignment && shifted && found.at_lag > 0.1 && found.at_lag > 1.1 * found.at_zero)
        throw problem(wet_name + " comes " + std::to_string(std::abs(found.lag)) + " samples " +
                      (found.lag > 0 ? "after " : "before ") + dry_name + " (correlation " +
                      std::to_string(found.at_lag) + " there, " + std::to_string(found.at_zero) +
                      " as they are): pass --latency " + std::to_string(found.lag + latency) +
                      " to shift it, or --no-alignment-check if the effect really is so");
    if (found.at_lag <= 0.1)
        pair.remarks.push_back(wet_name + " hardly resembles " + dry_name +
                               " (correlation at most " + std::to_string(found.at_lag) +
                               "), so that their alignment could not be checked.");
    return pair;
}

/// A stretch of the recording, [begin, end).
struct block {
    std::size_t begin = 0, end = 0;
    bool held_out = false;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

inline constexpr std::size_t block_count = 10;
inline constexpr std::size_t training_blocks = 8;

/// Cuts the recording into ten blocks of one length; blocks 3 and 8, counted from 0, are held out.
/// Up to nine samples at the end belong to none.
constexpr std::array<block, block_count> split_blocks(std::size_t length) {
    std::array<block, block_count> blocks{};
    auto const size = length / block_count;
    for (std::size_t i = 0; i < block_count; ++i)
        blocks[i] = {i * size, (i + 1) * size, i == 3 || i == 8};
    return blocks;
}

/// The training blocks cut into `batch` segments side by side, time-major: sample t of segment s
/// is at [t * batch + s]. Each segment is preceded by `lead` samples of what came before it, for
/// the state to settle on; silence where that would be a held-out block or before the recording.
/// Holds no sample of a held-out block.
struct segments {
    std::size_t batch = 0;
    std::size_t lead = 0;
    std::size_t length = 0;          ///< without the lead
    std::vector<std::size_t> first;  ///< segments that continue no other
    std::vector<float> dry, wet;

    /// `count` steps from `start`, which counts from the beginning of the lead.
    [[nodiscard]] std::span<float const> dry_steps(std::size_t start, std::size_t count) const {
        return std::span(dry).subspan(start * batch, count * batch);
    }
    [[nodiscard]] std::span<float const> wet_steps(std::size_t start, std::size_t count) const {
        return std::span(wet).subspan(start * batch, count * batch);
    }
};

/// `batch` is a multiple of the number of training blocks (8). Throws `problem` when a segment
/// would be shorter than `shortest` samples.
inline segments cut_segments(sound_pair const& pair, std::array<block, block_count> const& blocks,
                             std::size_t batch, std::size_t lead, std::size_t shortest) {
    auto const per_block = batch / training_blocks;
    segments result{batch, lead, blocks[0].size() / per_block, {}, {}, {}};
    if (result.length < shortest)
        throw problem("the recording is too short: " + std::to_string(pair.dry.size()) +
                      " samples, and at least " +
                      std::to_string(shortest * per_block * block_count) + " are needed");
    result.dry.resize((lead + result.length) * batch);
    result.wet.resize((lead + result.length) * batch);
    std::size_t s = 0;
    std::size_t known = 0;  // where the stretch of training blocks begins that we are in
    for (auto const& part : blocks) {
        if (part.held_out) {
            known = part.end;
            continue;
        }
        for (std::size_t k = 0; k < per_block; ++k, ++s) {
            auto const begin = part.begin + k * result.length;
            if (begin == known) result.first.push_back(s);
            for (std::size_t t = 0; t < lead + result.length; ++t) {
                if (begin + t < known + lead) continue;
                result.dry[t * batch + s] = pair.dry[begin + t - lead];
                result.wet[t * batch + s] = pair.wet[begin + t - lead];
            }
        }
    }
    return result;
}

/// Error-to-signal ratio, Σ(y−ŷ)² / Σy².
inline double error_to_signal(std::span<float const> target, std::span<float const> predicted) {
    double error = 0, signal = 0;
    for (std::size_t i = 0; i < target.size(); ++i) {
        double const difference = double(target[i]) - double(predicted[i]);
        error += difference * difference;
        signal += double(target[i]) * double(target[i]);
    }
    return error / signal;
}

}  // namespace capture
