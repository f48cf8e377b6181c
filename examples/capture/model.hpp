// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "problem.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace capture {

/// The captured effect: an LSTM with one input, a dense output and, with `skip`, the input added
/// to the output. Keras' layouts, row-major, gates i, f, c, o.
struct weights {
    std::size_t units = 0;
    bool skip = true;
    std::vector<float> kernel;            ///< (1, 4·units)
    std::vector<float> recurrent_kernel;  ///< (units, 4·units)
    std::vector<float> bias;              ///< (4·units)
    std::vector<float> dense_kernel;      ///< (units, 1)
    float dense_bias = 0;

    explicit weights(std::size_t count, bool skips = true)
        : units(count), skip(skips), kernel(4 * count), recurrent_kernel(4 * count * count),
          bias(4 * count), dense_kernel(count) {}
};

/// What the file says about itself beside the weights.
struct model_notes {
    std::string name;
    int rate = 0;
    double esr = 0;
    std::vector<float> test_input, test_output;  ///< from zero state, for readers that check
};

/// The model as RTNeural reads it: `in_shape` and `layers` with Keras' layouts. The other members
/// are AIDA-X's: `in_skip` 1 asks the player to add the input to the output, which RTNeural alone
/// leaves to its caller.
inline std::string model_json(weights const& model, model_notes const& notes) {
    using json = nlohmann::ordered_json;
    auto const rows = [](std::span<float const> values, std::size_t width) {
        json matrix = json::array();
        for (std::size_t r = 0; r < values.size(); r += width)
            matrix.push_back(json(std::vector<float>(values.begin() + std::ptrdiff_t(r),
                                                     values.begin() + std::ptrdiff_t(r + width))));
        return matrix;
    };
    json file;
    file["in_shape"] = {nullptr, nullptr, 1};
    file["in_skip"] = model.skip ? 1 : 0;
    file["samplerate"] = notes.rate;
    file["metadata"] = {{"name", notes.name},
                        {"samplerate", std::to_string(notes.rate)},
                        {"esr", std::to_string(notes.esr)},
                        {"source", "unspool, examples/capture"}};
    json lstm, dense;
    lstm["type"] = "lstm";
    lstm["activation"] = "tanh";
    lstm["shape"] = {nullptr, nullptr, model.units};
    lstm["weights"] = {rows(model.kernel, 4 * model.units),
                       rows(model.recurrent_kernel, 4 * model.units), json(model.bias)};
    dense["type"] = "dense";
    dense["activation"] = "";
    dense["shape"] = {nullptr, nullptr, 1};
    dense["weights"] = {rows(model.dense_kernel, 1), json(std::vector<float>{model.dense_bias})};
    file["layers"] = {lstm, dense};
    if (!notes.test_input.empty()) {
        file["input_batch"] = notes.test_input;
        file["output_batch"] = notes.test_output;
    }
    // `replace`: a file name need not be UTF-8, and JSON must be
    return file.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

namespace detail {

/// A matrix of exactly `rows` × `width` finite numbers, or a problem that says what was found.
inline std::vector<float> read_matrix(nlohmann::json const& matrix, std::size_t rows,
                                      std::size_t width, std::string const& what) {
    auto const wrong = [&](std::string const& found) {
        return problem("the model's " + what + " should be " + std::to_string(rows) + " x " +
                       std::to_string(width) + " numbers, but " + found);
    };
    if (!matrix.is_array() || matrix.size() != rows) throw wrong("it has another number of rows");
    std::vector<float> values;
    for (auto const& row : matrix) {
        if (!row.is_array() || row.size() != width) throw wrong("a row has another length");
        for (auto const& value : row) {
            if (!value.is_number()) throw wrong("an entry is not a number");
            values.push_back(value.get<float>());
            if (!std::isfinite(values.back())) throw wrong("an entry is not finite");
        }
    }
    return values;
}

}  // namespace detail

/// Reads back what `model_json` wrote; throws `problem` for anything else.
inline weights read_model_json(std::string const& text) {
    auto const file = nlohmann::json::parse(text, nullptr, false);
    auto const refuse = [](std::string const& why) {
        return problem("not a captured model: " + why);
    };
    if (!file.is_object()) throw refuse("it is not a JSON object");
    auto const layers = file.value("layers", nlohmann::json{});
    if (!layers.is_array() || layers.size() != 2 || !layers[0].is_object() ||
        !layers[1].is_object() || layers[0].value("type", nlohmann::json{}) != "lstm" ||
        layers[1].value("type", nlohmann::json{}) != "dense")
        throw refuse("its layers are not one lstm and one dense");
    auto const lstm = layers[0].value("weights", nlohmann::json{});
    auto const dense = layers[1].value("weights", nlohmann::json{});
    if (!lstm.is_array() || lstm.size() != 3 || !lstm[2].is_array() || lstm[2].size() % 4 != 0 ||
        lstm[2].empty())
        throw refuse("its lstm has no kernel, recurrent kernel and bias");
    if (!dense.is_array() || dense.size() != 2) throw refuse("its dense has no kernel and bias");
    auto const shape = layers[0].value("shape", nlohmann::json{});
    auto const skip = file.value("in_skip", nlohmann::json(0));
    weights model(lstm[2].size() / 4, skip == 1 || skip == true);
    if (!shape.is_array() || shape.empty() || shape.back() != model.units)
        throw refuse("its lstm's shape does not say the " + std::to_string(model.units) +
                     " units that its weights have");
    auto const gates = 4 * model.units;
    model.kernel = detail::read_matrix(lstm[0], 1, gates, "kernel");
    model.recurrent_kernel = detail::read_matrix(lstm[1], model.units, gates, "recurrent kernel");
    model.bias = detail::read_matrix(nlohmann::json::array({lstm[2]}), 1, gates, "bias");
    model.dense_kernel = detail::read_matrix(dense[0], model.units, 1, "dense kernel");
    model.dense_bias =
        detail::read_matrix(nlohmann::json::array({dense[1]}), 1, 1, "dense bias")[0];
    return model;
}

}  // namespace capture
