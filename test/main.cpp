// SPDX-License-Identifier: BSL-1.0
// The runner of every Catch2 program: Catch2's own, plus skipped cases, which 2.13 does not know.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using event_listener = Catch::EventListenerBase;
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
using event_listener = Catch::TestEventListenerBase;
#endif

#include "support/skip.hpp"

#include <iostream>
#include <string>

namespace {

struct {
    std::string current;
    std::size_t ran = 0;
    std::size_t skipped = 0;
    bool current_skipped = false;
} state;

struct skip_listener : event_listener {
    using event_listener::event_listener;

    void testCaseStarting(Catch::TestCaseInfo const& info) override {
        state.current = info.name;
        state.current_skipped = false;
    }

    void testCaseEnded(Catch::TestCaseStats const&) override {
        ++(state.current_skipped ? state.skipped : state.ran);
    }
};

CATCH_REGISTER_LISTENER(skip_listener)

}  // namespace

void unspool_test::note_skip(std::string_view reason) {
    state.current_skipped = true;
    std::cout << "SKIPPED " << state.current << ": " << reason << '\n' << std::flush;
}

int main(int argc, char** argv) {
    int const failed = Catch::Session().run(argc, argv);
    // read by test/tools/run.py, which counts cases rather than executables
    std::cout << "cases: " << state.ran << " ran, " << state.skipped << " skipped\n";
    constexpr int meson_skipped = 77;
    return failed == 0 && state.ran == 0 && state.skipped > 0 ? meson_skipped : failed;
}
