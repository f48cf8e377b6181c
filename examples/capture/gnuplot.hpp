// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "files.hpp"
#include "problem.hpp"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <array>
#include <string>
#include <string_view>

extern char** environ;

namespace capture {

namespace detail {

/// A nameless file in memory, in place of a pipe: three of them cannot wait for one another.
inline descriptor memory_file(char const* label) {
    descriptor file(::memfd_create(label, MFD_CLOEXEC));
    if (file.get() < 0) throw problem("cannot make a temporary file: " + system_words(errno));
    return file;
}

inline std::string contents(descriptor const& file) {
    std::string bytes;
    std::array<char, 65536> chunk{};
    ::lseek(file.get(), 0, SEEK_SET);
    for (;;) {
        auto const got = ::read(file.get(), chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return bytes;
        bytes.append(chunk.data(), std::size_t(got));
    }
}

}  // namespace detail

/// Runs gnuplot on a script and returns what it wrote to its standard output. Throws `problem`
/// with gnuplot's own first line when it cannot be started or fails.
inline std::string run_gnuplot(std::string_view script) {
    auto const in = detail::memory_file("script"), out = detail::memory_file("picture"),
               err = detail::memory_file("messages");
    write_all(in.get(), script, "a script for gnuplot");
    ::lseek(in.get(), 0, SEEK_SET);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.get(), 0);
    posix_spawn_file_actions_adddup2(&actions, out.get(), 1);
    posix_spawn_file_actions_adddup2(&actions, err.get(), 2);
    std::string program = "gnuplot", quiet = "--default-settings";
    std::array<char*, 3> arguments{program.data(), quiet.data(), nullptr};
    pid_t child = 0;
    int const error =
        ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw problem("cannot start gnuplot (" + system_words(error) +
                      "): install gnuplot-nox, or pass --no-plots");
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw problem("lost gnuplot: " + system_words(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        auto words = detail::contents(err);
        while (!words.empty() && (words.front() == '\n' || words.front() == ' ')) words.erase(0, 1);
        throw problem("gnuplot failed: " + words.substr(0, words.find('\n')));
    }
    return detail::contents(out);
}

/// The bytes of a PNG that `commands` draw; checked to be whole.
inline std::string draw_png(std::string const& commands, int width = 1000, int height = 560) {
    auto const picture =
        run_gnuplot("set terminal pngcairo size " + std::to_string(width) + "," +
                    std::to_string(height) + " font 'sans,11' linewidth 1.2\n" +
                    "set grid lc rgb '#dddddd'\nset border lc rgb '#666666'\n" + commands);
    constexpr std::string_view head("\x89PNG\r\n\x1a\n", 8), tail("IEND\xae\x42\x60\x82", 8);
    if (!picture.starts_with(head) || !picture.ends_with(tail))
        throw problem("gnuplot did not write a whole PNG picture");
    return picture;
}

}  // namespace capture
