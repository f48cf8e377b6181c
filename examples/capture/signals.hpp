// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <csignal>

namespace capture {

/// The signal that asked to stop, or 0. Only the handler below writes it.
inline volatile std::sig_atomic_t stop_signal = 0;

/// From here on the first Ctrl-C (or SIGTERM) only asks the training loop to stop; a second one
/// ends the program at once. A write to a closed pipe or past a file-size limit becomes an error
/// that the writer sees, in place of a silent death.
inline void listen_for_stop() {
    struct sigaction action {};
    action.sa_handler = [](int number) { stop_signal = number; };
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, nullptr);
    sigaction(SIGXFSZ, &ignore, nullptr);
}

}  // namespace capture
