// SPDX-License-Identifier: BSL-1.0
// Trains an LSTM to imitate an effect, from one recording of its input and one of its output.
#include "files.hpp"
#include "session.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

namespace {

struct options {
    std::string dry, wet, output = "capture", name;
    capture::model_size size{20, 100};
    int latency = 0;
    bool check_alignment = true, skip = true, plots = true, list = false;
    capture::recipe how;
};

std::string in_words(capture::model_size const& size) {
    return std::to_string(size.units) + " units with window " + std::to_string(size.window);
}

std::string list_of_sizes() {
    std::string text;
    for (auto const& size : capture::compiled_sizes())
        text += (text.empty() ? "" : ", ") + in_words(size);
    return text;
}

void declare(CLI::App& app, options& chosen) {
    auto& how = chosen.how;
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.add_option("dry", chosen.dry, "What went into the effect: a mono WAV or FLAC file");
    app.add_option("wet", chosen.wet, "What came out of it, of the same rate and length");
    app.add_option("-o,--output", chosen.output, "Folder for the results")->capture_default_str();
    app.add_option("--name", chosen.name, "The model's name in its file (default: the wet file's)");
    app.add_option("-u,--units", chosen.size.units, "Units of the LSTM")->capture_default_str();
    app.add_option("-w,--window", chosen.size.window,
                   "Samples between two updates. Compiled in are " + list_of_sizes())
        ->capture_default_str();
    app.add_option("-e,--epochs", how.epochs, "At most so many epochs")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("-s,--seconds", how.seconds, "At most so many seconds of training; 0: no limit")
        ->check(CLI::Range(0.0, 1e7))
        ->capture_default_str();
    app.add_option("--learning-rate", how.learning_rate, "Adam's step size at the start")
        ->check(CLI::Range(1e-8, 1.0))
        ->capture_default_str();
    app.add_option("--decay", how.decay, "Factor on the learning rate every --decay-every epochs")
        ->check(CLI::Range(0.01, 1.0))
        ->capture_default_str();
    app.add_option("--decay-every", how.decay_every, "Epochs between two such factors")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--seed", how.seed, "For the initial weights")->capture_default_str();
    app.add_option("--memory", how.memory, "Longest memory that the LSTM starts with, in samples")
        ->check(CLI::Range(0.0, 1e7))
        ->capture_default_str();
    app.add_flag("--skip,!--no-skip", chosen.skip, "Add the input to the output (default: yes)");
    app.add_option("--latency", chosen.latency, "Samples by which the wet recording comes late")
        ->check(CLI::Range(-1000000, 1000000))
        ->capture_default_str();
    app.add_flag("--alignment-check,!--no-alignment-check", chosen.check_alignment,
                 "Refuse recordings that are plainly shifted (default: yes)");
    app.add_flag("--plots,!--no-plots", chosen.plots,
                 "Draw PNG pictures with gnuplot (default: yes)");
    app.add_flag("--list-sizes", chosen.list, "Print the sizes that this program was compiled for");
    app.footer("Ctrl-C stops the training and saves the best model so far; the exit code is then "
               "130.\nAny problem is one sentence on standard error, and exit code 1.");
}

void write_results(options const& chosen, capture::sound_pair const& pair,
                   std::array<capture::block, capture::block_count> const& blocks,
                   capture::trainer& model, capture::outcome const& result,
                   std::vector<float> const& predicted, capture::result_folder& folder) {
    capture::model_notes notes{chosen.name, pair.rate, result.esr, {}, {}};
    auto const sample = std::min<std::size_t>(2048, pair.dry.size());
    notes.test_input.assign(pair.dry.begin(), pair.dry.begin() + std::ptrdiff_t(sample));
    notes.test_output.assign(predicted.begin(), predicted.begin() + std::ptrdiff_t(sample));
    folder.stage("model.json", capture::model_json(model.copy_weights(), notes));
    folder.stage("predicted.wav", capture::wav_bytes(predicted, pair.rate));
    auto const shape = model.shape();
    folder.stage("figures.json", capture::figures_json(result, shape.units, shape.window));
    if (chosen.plots) {
        auto const& held_out = blocks[3];
        auto const start =
            std::min(held_out.begin + held_out.size() / 2, pair.dry.size() - shape.profile);
        std::vector<float> whole(shape.profile), last(shape.profile), ignored(start);
        model.reset_stream();
        model.stream(std::span(pair.dry).first(start), ignored);
        model.gradient_profile(std::span(pair.dry).subspan(start, shape.profile),
                               std::span(pair.wet).subspan(start, shape.profile), whole, last);
        folder.stage("waveforms.png", capture::draw_png(capture::waveform_plot(
                                          pair, predicted, held_out, result.esr)));
        folder.stage("loss.png", capture::draw_png(capture::loss_plot(result)));
        folder.stage("gradient_profile.png",
                     capture::draw_png(capture::profile_plot(whole, last, shape.window)));
    }
}

void print_outcome(capture::outcome const& result, std::vector<std::string> const& files) {
    char const* const counted = result.counter_works ? "" : " (not counted in this build)";
    std::printf("\nESR on the held-out blocks   %.4f (epoch %zu)\n", result.esr, result.best_epoch);
    std::printf("training                     %.1f s, %zu epochs\n", result.seconds,
                result.epochs.size());
    std::printf("streaming                    %.0f x real time, %.0f ns per sample\n",
                result.times_real_time, result.nanoseconds_per_sample);
    std::printf("allocations                  %llu in the training loop, %llu in streaming%s\n",
                static_cast<unsigned long long>(result.training_allocations),
                static_cast<unsigned long long>(result.streaming_allocations), counted);
    for (auto const& file : files) std::printf("wrote %s\n", file.c_str());
}

int run(options& chosen) {
    auto model = capture::make_trainer(chosen.size, chosen.skip);
    if (!model)
        throw capture::problem(in_words(chosen.size) +
                               " is not among the sizes compiled into this program (" +
                               list_of_sizes() + "): add it in examples/capture/meson.build");
    if (chosen.name.empty()) chosen.name = std::filesystem::path(chosen.wet).stem().string();
    auto const pair =
        capture::make_pair(capture::read_sound(chosen.dry), capture::read_sound(chosen.wet),
                           chosen.dry, chosen.wet, chosen.latency, chosen.check_alignment);
    for (auto const& remark : pair.remarks) std::printf("%s\n", remark.c_str());
    auto const blocks = capture::split_blocks(pair.dry.size());
    auto const shape = model->shape();
    auto const data = capture::cut_segments(pair, blocks, shape.batch, shape.warm_up,
                                            std::max(shape.window, shape.profile / 8));
    capture::result_folder folder(chosen.output);
    if (chosen.plots) capture::draw_png("plot 0\n");  // a missing gnuplot is better known now

    std::printf("%s: %.1f s at %d Hz. LSTM with %zu units%s, %zu segments of %zu samples, "
                "updates every %zu samples.\n",
                chosen.name.c_str(), double(pair.dry.size()) / pair.rate, pair.rate, shape.units,
                shape.skip ? " and skip" : "", data.batch, data.length, shape.window);
    std::fflush(stdout);
    model->initialise(chosen.how.seed, chosen.how.memory);
    capture::listen_for_stop();
    capture::progress display(STDOUT_FILENO);
    capture::validation validate(pair, blocks);
    auto result = capture::train(*model, data, validate, chosen.how, display);
    if (capture::stop_signal != 0) std::printf("Stopped; saving the best model so far.\n");
    auto const predicted = capture::predict(*model, pair, blocks, result);
    write_results(chosen, pair, blocks, *model, result, predicted, folder);
    print_outcome(result, folder.publish());
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || display.failure() != 0)
        throw capture::problem("the results are saved, but standard output could not be written");
    return capture::stop_signal == 0 ? 0 : 128 + int(capture::stop_signal);
}

}  // namespace

int main(int argument_count, char** arguments) {
    CLI::App app{"Trains an LSTM to imitate an audio effect from a dry and a wet recording."};
    options chosen;
    try {
        declare(app, chosen);
        app.parse(argument_count, arguments);
        if (chosen.list) return std::printf("%s\n", list_of_sizes().c_str()) > 0 ? 0 : 1;
        if (chosen.dry.empty() || chosen.wet.empty())
            throw capture::problem("two recordings are needed: capture dry.wav wet.wav");
        return run(chosen);
    } catch (CLI::ParseError const& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help
        std::fprintf(stderr, "capture: %s\n", error.what());
    } catch (std::bad_alloc const&) {
        std::fputs("capture: not enough memory\n", stderr);
    } catch (std::exception const& error) {
        std::fprintf(stderr, "capture: %s\n", error.what());
    }
    return 1;
}
