// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/core/refuse.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

/// @file
/// Files as a whole: read within a bound, written or left as they were.

namespace unspool {
inline namespace v0 {
namespace detail {

/// Refuses a file in one sentence, of which `why` is what follows its name.
[[noreturn]] inline void refuse_file(std::string const& name, std::string const& why) {
    refuse<std::runtime_error>(("unspool: " + name + " " + why).c_str());
}

inline std::string system_words(int error) { return std::generic_category().message(error); }

/// The bytes of a regular file that has at most `most` of them.
inline std::string read_file(std::string const& path, std::uint64_t most) {
    struct descriptor {
        int number;
        ~descriptor() {
            if (number >= 0) ::close(number);
        }
    };
    // without O_NONBLOCK the opening of a pipe would wait for a writer
    descriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    struct stat status {};
    if (file.number < 0 || ::fstat(file.number, &status) != 0)
        refuse_file(path, "cannot be read: " + system_words(errno));
    if (!S_ISREG(status.st_mode)) refuse_file(path, "is not a regular file");
    auto const size = static_cast<std::uint64_t>(status.st_size);
    if (size > most)
        refuse_file(path, "has " + std::to_string(size) +
                              " bytes, where what is read from it takes at most " +
                              std::to_string(most));
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::size_t at = 0;
    while (at < bytes.size()) {
        auto const got = ::read(file.number, bytes.data() + at, bytes.size() - at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse_file(path, "cannot be read: " + system_words(errno));
        if (got == 0) refuse_file(path, "became shorter while it was read");
        at += static_cast<std::size_t>(got);
    }
    return bytes;
}

/// Creates a file of these bytes and makes them reach the disk. The error number, or 0.
inline int create_file(std::string const& path, std::string_view bytes) {
    int const file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return errno;
    int error = 0;
    while (error == 0 && !bytes.empty()) {
        auto const written = ::write(file, bytes.data(), bytes.size());
        if (written >= 0) bytes.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR) error = errno;
    }
    // some file systems cannot; some report a full disk only here or at the end
    if (error == 0 && ::fsync(file) != 0 && errno != EINVAL && errno != ENOSYS) error = errno;
    if (::close(file) != 0 && error == 0) error = errno;
    return error;
}

/// Gives a file these bytes. Should that fail, or the process end on the way, an older file of this
/// name is as it was.
inline void write_file(std::string const& path, std::string_view bytes) {
    static std::atomic<unsigned> count = 0;
    std::string unfinished;
    int error = 0;
    do {
        unfinished = path + ".unfinished-" + std::to_string(::getpid()) + "-" +
                     std::to_string(count.fetch_add(1));
        error = create_file(unfinished, bytes);
    } while (error == EEXIST);
    if (error == 0 && std::rename(unfinished.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlink(unfinished.c_str());
        refuse_file(path, "cannot be written: " + system_words(error));
    }
}

/// Appends a number of `size` bytes, the least significant first.
inline void append_number(std::string& bytes, std::uint64_t number, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
}

/// Takes bytes from the front, never beyond the end: there it gives zeros and has failed.
struct byte_reader {
    std::string_view rest;
    bool failed = false;

    std::string_view bytes(std::uint64_t n) {
        if (n > rest.size()) {
            failed = true;
            rest = {};
            return {};
        }
        auto const taken = rest.substr(0, static_cast<std::size_t>(n));
        rest.remove_prefix(taken.size());
        return taken;
    }
    /// The least significant byte first.
    std::uint64_t number(int size) {
        std::uint64_t value = 0;
        int shift = 0;
        for (char const byte : bytes(static_cast<unsigned>(size))) {
            value |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
            shift += 8;
        }
        return value;
    }
};

/// Bytes of a file as a part of a sentence: short, and printable wherever it is shown.
inline std::string shown(std::string_view bytes) {
    std::string text = "'";
    for (char const c : bytes.substr(0, 60)) text += c >= ' ' && c <= '~' ? c : '?';
    return text + (bytes.size() > 60 ? "…'" : "'");
}

}  // namespace detail
}  // namespace v0
}  // namespace unspool
