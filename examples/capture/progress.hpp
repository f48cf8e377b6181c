// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace capture {

using clock = std::chrono::steady_clock;

inline double seconds_since(clock::time_point start) {
    return std::chrono::duration<double>(clock::now() - start).count();
}

/// Where the training stands after an epoch.
struct standing {
    int epoch = 0, epochs = 0;
    double loss = 0, esr = 0, best_esr = 0;
    double seconds = 0, seconds_limit = 0;  ///< spent so far, and at most (0: no limit)
};

/// One line that is redrawn in place on a terminal; elsewhere plain lines, a few seconds apart.
/// Uses no heap, because it runs inside the loop whose allocations are counted. A failed write is
/// remembered, not thrown: a closed pipe must not cost the user a trained model.
class progress {
public:
    explicit progress(int output) : output_(output), terminal_(::isatty(output) == 1) {}

    void show(standing const& now, bool last = false) {
        if (!terminal_ && !last && now.epoch != 1 && seconds_since(shown_) < 5) return;
        if (terminal_ && !last && seconds_since(shown_) < 0.1) return;
        if (!terminal_ && now.epoch == shown_epoch_) return;
        shown_epoch_ = now.epoch;
        shown_ = clock::now();
        double const by_epochs = double(now.epoch) / now.epochs;
        double const by_time = now.seconds_limit > 0 ? now.seconds / now.seconds_limit : 0.0;
        double const done = std::clamp(std::max(by_epochs, by_time), 1e-6, 1.0);
        int const left = last ? 0 : int(now.seconds / done - now.seconds + 0.5);

        std::array<char, 160> text{};
        int size = std::snprintf(
            text.data(), text.size(),
            "epoch %4d/%d  loss %.4f  validation ESR %.4f (best %.4f)  %d:%02d left", now.epoch,
            now.epochs, now.loss, now.esr, now.best_esr, left / 60, left % 60);
        size = std::clamp(size, 0, int(text.size()) - 1);
        if (!terminal_) {
            put(text.data(), std::size_t(size));
            put("\n", 1);
            return;
        }
        // One write for the whole line, or it flickers.
        std::array<char, 256> line{};
        std::size_t used = 0;
        auto const add = [&](char const* from, int count) {
            for (int i = 0; i < count; ++i) line[used++] = from[i];
        };
        add("\r\033[K", 4);
        if (int const room = std::clamp(columns() - size - 4, 0, 40); room >= 5) {
            int const full = int(done * room);
            add("[", 1);
            for (int i = 0; i < room; ++i) add(i < full ? "=" : i == full ? ">" : " ", 1);
            add("] ", 2);
        }
        add(text.data(), std::min(size, std::max(columns() - 1, 20)));
        if (last) add("\n", 1);
        put(line.data(), used);
        unfinished_line_ = !last;
    }

    /// Ends the redrawn line, so that the next text starts on its own.
    void finish() {
        if (unfinished_line_) put("\n", 1);
        unfinished_line_ = false;
    }

    /// errno of the first write that failed, or 0.
    [[nodiscard]] int failure() const { return failure_; }

private:
    void put(char const* text, std::size_t size) {
        while (size > 0 && failure_ == 0) {
            auto const written = ::write(output_, text, size);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) {
                failure_ = written < 0 ? errno : EIO;
                return;
            }
            text += written;
            size -= std::size_t(written);
        }
    }
    [[nodiscard]] int columns() const {
        winsize window{};
        return ::ioctl(output_, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
    }

    int output_;
    bool terminal_;
    bool unfinished_line_ = false;
    int failure_ = 0;
    int shown_epoch_ = 0;
    clock::time_point shown_{};
};

}  // namespace capture
