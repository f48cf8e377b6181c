// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

namespace unspool_test {

/// Folder of the source tree's tests, for reference files kept beside them.
inline std::filesystem::path test_folder() { return UNSPOOL_TEST_FOLDER; }

/// A file of the data that does not ship with the project (large models of others), or nothing
/// where it is absent: then skip aloud. The folder is the environment's UNSPOOL_DATA, or else
/// ../shared/data beside the source tree.
inline std::optional<std::filesystem::path> data_file(std::string_view name) {
    char const* const given = std::getenv("UNSPOOL_DATA");
    std::filesystem::path const folder =
        given != nullptr ? std::filesystem::path{given}
                         : test_folder().parent_path().parent_path() / "shared" / "data";
    auto file = folder / name;
    if (!std::filesystem::exists(file)) {
        return std::nullopt;
    }
    return file;
}

}  // namespace unspool_test
