// SPDX-License-Identifier: BSL-1.0
// The model file of the capture example: RTNeural's names and layouts, and a reader that refuses
// anything else.
#if __has_include(<nlohmann/json.hpp>)
#include "../../examples/capture/model.hpp"

#include "support/catch.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

using nlohmann::json;

namespace {

capture::weights sample_model(std::size_t units = 3) {
    capture::weights model(units);
    float value = 0.1F;
    for (auto* part : {&model.kernel, &model.recurrent_kernel, &model.bias, &model.dense_kernel})
        for (auto& entry : *part) entry = value = value * -1.013F + 0.001F;
    model.dense_bias = 1.0F / 3;
    return model;
}

}  // namespace

TEST_CASE("the model file has RTNeural's names, order and shapes") {
    auto const model = sample_model();
    auto const file = json::parse(capture::model_json(model, {"pedal", 48000, 0.0125, {1}, {2}}));
    CHECK(file["in_shape"] == json({nullptr, nullptr, 1}));
    CHECK(file["in_skip"] == 1);
    CHECK(file["samplerate"] == 48000);
    CHECK(file["metadata"]["name"] == "pedal");
    CHECK(file["input_batch"] == json({1.0}));
    CHECK(file["output_batch"] == json({2.0}));
    REQUIRE(file["layers"].size() == 2);
    auto const& lstm = file["layers"][0];
    auto const& dense = file["layers"][1];
    CHECK(lstm["type"] == "lstm");
    CHECK(lstm["shape"] == json({nullptr, nullptr, 3}));
    REQUIRE(lstm["weights"].size() == 3);
    CHECK(lstm["weights"][0].size() == 1);      // (inputs, 4·units)
    CHECK(lstm["weights"][0][0].size() == 12);  //
    CHECK(lstm["weights"][1].size() == 3);      // (units, 4·units)
    CHECK(lstm["weights"][1][2][5].get<float>() == model.recurrent_kernel[2 * 12 + 5]);
    CHECK(lstm["weights"][2].size() == 12);
    CHECK(dense["type"] == "dense");
    CHECK(dense["activation"] == "");
    CHECK(dense["shape"] == json({nullptr, nullptr, 1}));
    CHECK(dense["weights"][0].size() == 3);  // (units, 1)
    CHECK(dense["weights"][0][1].size() == 1);
    CHECK(dense["weights"][1][0].get<float>() == 1.0F / 3);
}

TEST_CASE("a model is read back bit by bit") {
    for (bool const skip : {true, false}) {
        auto model = sample_model(5);
        model.skip = skip;
        auto const again = capture::read_model_json(capture::model_json(model, {}));
        CHECK(again.units == 5);
        CHECK(again.skip == skip);
        CHECK(again.kernel == model.kernel);
        CHECK(again.recurrent_kernel == model.recurrent_kernel);
        CHECK(again.bias == model.bias);
        CHECK(again.dense_kernel == model.dense_kernel);
        CHECK(again.dense_bias == model.dense_bias);
    }
}

TEST_CASE("a name in any encoding leaves a file that can be read") {
    CHECK_NOTHROW(
        capture::read_model_json(capture::model_json(sample_model(), {"Fuß\xff", 1, 0, {}, {}})));
}

TEST_CASE("other files are refused in words") {
    auto const good = json::parse(capture::model_json(sample_model(), {}));
    auto const refuses = [&](std::string const& words, std::function<void(json&)> const& spoil) {
        auto file = good;
        spoil(file);
        CHECK_THROWS_WITH(capture::read_model_json(file.dump()), ContainsSubstring(words));
    };
    for (std::string const text : {"", "{", "[]", "3", "null", "\"x\"", "{}"})
        CHECK_THROWS_AS(capture::read_model_json(text), capture::problem);
    json::json_pointer const lstm("/layers/0");
    refuses("one lstm and one dense", [](json& f) { f["layers"].push_back(f["layers"][1]); });
    refuses("one lstm and one dense", [](json& f) { f["layers"][0]["type"] = "gru"; });
    refuses("one lstm and one dense", [](json& f) { f["layers"] = 3; });
    refuses("16 units", [](json& f) {
        for (auto& w : f["layers"][0]["weights"][0]) w = std::vector<float>(64);
        f["layers"][0]["weights"][2] = std::vector<float>(64);
    });
    refuses("bias", [&](json& f) { f[lstm]["weights"].erase(2); });
    refuses("bias", [&](json& f) { f[lstm]["weights"][2].erase(2); });
    refuses("kernel should be 1 x 12", [&](json& f) { f[lstm]["weights"][0][0].erase(2); });
    refuses("recurrent kernel should be 3 x 12", [&](json& f) { f[lstm]["weights"][1].erase(2); });
    refuses("not a number", [&](json& f) { f[lstm]["weights"][1][0][0] = "1"; });
    refuses("not a number", [&](json& f) { f[lstm]["weights"][1][0][0] = nullptr; });
    refuses("not finite", [&](json& f) { f[lstm]["weights"][1][0][0] = 1e300; });
    refuses("dense kernel", [](json& f) { f["layers"][1]["weights"][0].erase(1); });
    refuses("dense", [](json& f) { f["layers"][1]["weights"] = json::array(); });
}

TEST_CASE("a model file cut short anywhere is refused") {
    auto const text = capture::model_json(sample_model(2), {});
    for (std::size_t length = 0; length + 2 < text.size(); ++length)
        REQUIRE_THROWS_AS(capture::read_model_json(text.substr(0, length)), capture::problem);
}
#else
#include "support/catch.hpp"
TEST_CASE("capture's model file") { UNSPOOL_SKIP("nlohmann-json is not installed"); }
#endif
