// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "problem.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capture {

/// Writes all bytes or throws a `problem` that names `shown` and the system's reason.
inline void write_all(int descriptor, std::string_view bytes, std::string const& shown) {
    while (!bytes.empty()) {
        auto const written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0)
            throw problem("cannot write " + shown + ": " + system_words(written < 0 ? errno : EIO));
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// A file descriptor that closes itself.
class descriptor {
public:
    explicit descriptor(int number) : number_(number) {}
    descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    descriptor& operator=(descriptor&&) = delete;
    ~descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    [[nodiscard]] int get() const { return number_; }
    /// Closes now and returns errno or 0: some file systems report a full disk only here.
    [[nodiscard]] int close() {
        int const result = ::close(std::exchange(number_, -1));
        return result == 0 ? 0 : errno;
    }

private:
    int number_;
};

/// The results of one run: every file is first written in full under a hidden temporary name, and
/// `publish()` then renames them all, so that a full disk or a kill leaves no half-written file
/// under a final name, and nothing at all when any of them could not be written.
class result_folder {
public:
    /// Creates the folder if need be and proves that it can be written to.
    explicit result_folder(std::filesystem::path folder) : folder_(std::move(folder)) {
        std::error_code error;
        std::filesystem::create_directories(folder_, error);
        if (error)
            throw problem("cannot create the folder " + folder_.string() + ": " + error.message());
        if (!std::filesystem::is_directory(folder_))
            throw problem(folder_.string() + " is not a folder");
        std::string const probe = temporary("probe");
        descriptor const file(
            ::open(probe.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
        if (file.get() < 0)
            throw problem("cannot write into the folder " + folder_.string() + ": " +
                          system_words(errno));
        ::unlink(probe.c_str());
    }
    result_folder(result_folder const&) = delete;
    result_folder& operator=(result_folder const&) = delete;
    ~result_folder() {
        for (auto const& [hidden, target] : staged_) ::unlink(hidden.c_str());
    }

    /// Writes `bytes` under a hidden name; `publish()` makes it `name`.
    void stage(std::string const& name, std::string_view bytes) {
        auto const target = (folder_ / name).string();
        struct stat status {};
        if (::stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
            throw problem("cannot replace " + target + ": it is not a regular file");
        staged_.reserve(staged_.size() + 1);  // the entry below must not fail after the file exists
        auto hidden = temporary(name);
        descriptor file(
            ::open(hidden.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
        if (file.get() < 0) throw problem("cannot write " + target + ": " + system_words(errno));
        staged_.emplace_back(std::move(hidden), target);
        write_all(file.get(), bytes, target);
        if (::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOSYS)
            throw problem("cannot write " + target + ": " + system_words(errno));
        if (int const error = file.close(); error != 0)
            throw problem("cannot write " + target + ": " + system_words(error));
    }

    /// Gives every staged file its final name and returns the names, in the order of staging.
    std::vector<std::string> publish() {
        std::vector<std::string> names;
        for (auto const& [hidden, target] : staged_) {
            if (std::rename(hidden.c_str(), target.c_str()) != 0)
                throw problem("cannot write " + target + ": " + system_words(errno));
            names.push_back(target);
        }
        staged_.clear();
        return names;
    }

private:
    [[nodiscard]] std::string temporary(std::string const& name) const {
        return (folder_ / ("." + name + ".unfinished-" + std::to_string(::getpid()))).string();
    }

    std::filesystem::path folder_;
    std::vector<std::pair<std::string, std::string>> staged_;
};

}  // namespace capture
