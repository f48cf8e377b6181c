// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace unspool_test {

inline std::string text_of(std::filesystem::path const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
inline void put_text(std::filesystem::path const& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// A folder that lives as long as this.
struct scratch_folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("unspool-test-" + std::to_string(::getpid()));
    scratch_folder() { std::filesystem::create_directories(path); }
    scratch_folder(scratch_folder const&) = delete;
    scratch_folder& operator=(scratch_folder const&) = delete;
    ~scratch_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> result;
        for (auto const& entry : std::filesystem::directory_iterator(path))
            result.insert(entry.path().filename().string());
        return result;
    }
    [[nodiscard]] std::string text(std::string const& name) const { return text_of(path / name); }
};

/// No file may grow past `bytes` while this lives: a full disk for those who cannot fill one.
struct file_size_limit {
    rlimit before{};
    explicit file_size_limit(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before);
        rlimit const now{bytes, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
    }
    file_size_limit(file_size_limit const&) = delete;
    file_size_limit& operator=(file_size_limit const&) = delete;
    ~file_size_limit() {
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, SIG_DFL);
    }
};

}  // namespace unspool_test
