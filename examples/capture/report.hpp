// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "gnuplot.hpp"
#include "pair.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace capture {

/// One epoch, for the curve.
struct epoch_record {
    double seconds, loss, esr;
};

/// What the run came to.
struct outcome {
    std::vector<epoch_record> epochs;
    std::size_t best_epoch = 0;  ///< counted from 1
    double esr = 0;              ///< plain, of the best model's sound on the held-out blocks
    double seconds = 0;          ///< of training, validation included
    double nanoseconds_per_sample = 0, times_real_time = 0;
    std::uint64_t training_allocations = 0, streaming_allocations = 0;
    bool counter_works = false;
};

namespace detail {

inline std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.7g", value);
    return text.data();
}

/// A gnuplot data block: one row per index, one column per sequence.
inline std::string data_block(std::string const& name,
                              std::initializer_list<std::span<float const>> columns) {
    std::string text = '$' + name + " << END\n";
    for (std::size_t i = 0; i < columns.begin()->size(); ++i) {
        for (auto const& column : columns) text += number(double(column[i])) + ' ';
        text += '\n';
    }
    return text + "END\n";
}

}  // namespace detail

/// Target and prediction over the loudest stretch of a held-out block, and the dry sound above it.
inline std::string waveform_plot(sound_pair const& pair, std::span<float const> predicted,
                                 block const& held_out, double esr) {
    auto const width = std::min<std::size_t>(std::size_t(pair.rate) / 30, held_out.size());
    auto const wet = std::span<float const>(pair.wet);
    std::size_t start = held_out.begin;
    double loudest = -1;
    for (auto i = held_out.begin; i + width <= held_out.end; i += width)
        if (double const power = mean_square(wet.subspan(i, width)); power > loudest)
            loudest = power, start = i;
    auto const part = [&](std::span<float const> all) { return all.subspan(start, width); };
    std::vector<float> time(width), error(width);
    for (std::size_t i = 0; i < width; ++i) {
        time[i] = float(1000.0 * double(i) / pair.rate);
        error[i] = predicted[start + i] - pair.wet[start + i];
    }
    return detail::data_block("w", {time, part(pair.dry), part(wet), part(predicted), error}) +
           "set multiplot layout 2,1\nset ylabel 'amplitude'\nset key top right opaque opaque\n"
           "set title 'A held-out stretch, from " +
           detail::number(double(start) / pair.rate) + " s: ESR on all held-out blocks " +
           detail::number(esr) +
           "'\nplot $w using 1:2 with lines lc rgb '#888888' title 'dry', "
           "$w using 1:5 with lines lc rgb '#cc3333' title 'error (predicted - wet)'\n"
           "unset title\nset xlabel 'milliseconds'\n"
           "plot $w using 1:3 with lines lw 2.5 lc rgb '#88bbee' title 'wet (target)', "
           "$w using 1:4 with lines lc rgb '#113355' title 'predicted'\nunset multiplot\n";
}

/// Training loss and validation ESR over the epochs, on a logarithmic axis.
inline std::string loss_plot(outcome const& result) {
    std::vector<float> epoch, loss, esr;
    for (std::size_t i = 0; i < result.epochs.size(); ++i) {
        epoch.push_back(float(i + 1));
        loss.push_back(float(std::max(result.epochs[i].loss, 1e-12)));
        esr.push_back(float(std::max(result.epochs[i].esr, 1e-12)));
    }
    return detail::data_block("l", {epoch, loss, esr}) +
           "set logscale y\nset xlabel 'epoch'\nset key top right\nset format y '%g'\n"
           "set title 'Best validation ESR " +
           detail::number(esr[result.best_epoch - 1]) + " after epoch " +
           std::to_string(result.best_epoch) +
           "'\nplot $l using 1:2 with lines lc rgb '#bb8833' title 'training loss', "
           "$l using 1:3 with lines lw 1.5 lc rgb '#113355' title 'validation ESR'\n";
}

/// How much the loss still depends on the state of each step. `last` falls towards earlier steps:
/// that slope is how far back the gradient reaches. Training cuts it off after `window` steps.
inline std::string profile_plot(std::span<float const> whole, std::span<float const> last,
                                std::size_t window) {
    std::vector<float> step(whole.size()), a(whole.size()), b(whole.size());
    for (std::size_t t = 0; t < whole.size(); ++t) {
        step[t] = float(t);
        a[t] = std::max(whole[t], 1e-30F);  // zero has no logarithm
        b[t] = std::max(last[t], 1e-30F);
    }
    return detail::data_block("g", {step, a, b}) +
           "set logscale y\nset format y '10^{%T}'\nset xlabel 'step t'\n"
           "set ylabel '‖∂L/∂h_t‖'\nset key bottom left\nset arrow from " +
           std::to_string(whole.size() - std::min(window, whole.size())) + ", graph 0 to " +
           std::to_string(whole.size() - std::min(window, whole.size())) +
           ", graph 1 nohead dashtype 2 lc rgb '#888888'\n"
           "set title 'How far back the gradient reaches (right of the dashed line: one window of "
           "training)'\n"
           "plot $g using 1:2 with lines lc rgb '#bb8833' title 'loss over all steps', "
           "$g using 1:3 with lines lw 1.5 lc rgb '#113355' title 'loss at the last step only'\n";
}

/// The figures for scripts.
inline std::string figures_json(outcome const& result, std::size_t units, std::size_t window) {
    nlohmann::ordered_json file;
    file["units"] = units;
    file["window"] = window;
    file["esr"] = result.esr;
    file["epochs"] = result.epochs.size();
    file["best_epoch"] = result.best_epoch;
    file["training_seconds"] = result.seconds;
    file["nanoseconds_per_sample"] = result.nanoseconds_per_sample;
    file["times_real_time"] = result.times_real_time;
    file["allocations_counted"] = result.counter_works;
    file["training_allocations"] = result.training_allocations;
    file["streaming_allocations"] = result.streaming_allocations;
    for (auto const& epoch : result.epochs)
        file["history"].push_back(
            {{"seconds", epoch.seconds}, {"loss", epoch.loss}, {"validation_esr", epoch.esr}});
    return file.dump(1) + '\n';
}

}  // namespace capture
