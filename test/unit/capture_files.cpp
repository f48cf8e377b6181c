// SPDX-License-Identifier: BSL-1.0
// Files of the capture example: whole or not at all, and every failure a sentence.
#include "../../examples/capture/files.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace fs = std::filesystem;

using unspool_test::file_size_limit;
using unspool_test::scratch_folder;

TEST_CASE("a full device is named with the file and the reason") {
    capture::descriptor const full(::open("/dev/full", O_WRONLY));
    REQUIRE(full.get() >= 0);
    REQUIRE_THROWS_WITH(capture::write_all(full.get(), "x", "model.json"),
                        ContainsSubstring("model.json") &&
                            ContainsSubstring("No space left on device"));
    REQUIRE_NOTHROW(capture::write_all(full.get(), "", "nothing at all"));
}

TEST_CASE("staged files appear together, whole, and only when published") {
    scratch_folder folder;
    auto const long_text = std::string(300000, 'a');
    {
        capture::result_folder results(folder.path);
        results.stage("one", long_text);
        results.stage("two", "");
        for (auto const& name : folder.names()) CHECK(name.starts_with('.'));
        auto const names = results.publish();
        REQUIRE(names ==
                std::vector{(folder.path / "one").string(), (folder.path / "two").string()});
    }
    CHECK(folder.names() == std::set<std::string>{"one", "two"});
    CHECK(folder.text("one") == long_text);
    CHECK(folder.text("two").empty());
    {
        capture::result_folder results(folder.path);
        results.stage("one", "never published");
    }
    CHECK(folder.names() == std::set<std::string>{"one", "two"});
    CHECK(folder.text("one") == long_text);
    capture::result_folder results(folder.path);
    results.stage("one", "new");
    results.publish();
    CHECK(folder.text("one") == "new");
}

TEST_CASE("a disk that fills up leaves the old files and no debris") {
    scratch_folder folder;
    std::ofstream(folder.path / "model.json") << "last week's";
    {
        file_size_limit const limit(1000);
        capture::result_folder results(folder.path);
        results.stage("model.json", "small enough");
        REQUIRE_THROWS_WITH(results.stage("predicted.wav", std::string(5000, 'x')),
                            ContainsSubstring("predicted.wav") &&
                                ContainsSubstring("File too large"));
    }
    CHECK(folder.names() == std::set<std::string>{"model.json"});
    CHECK(folder.text("model.json") == "last week's");
}

TEST_CASE("places that cannot take results are refused in words") {
    scratch_folder folder;
    std::ofstream(folder.path / "file") << "x";
    CHECK_THROWS_AS(capture::result_folder(folder.path / "file"), capture::problem);
    CHECK_THROWS_AS(capture::result_folder(folder.path / "file" / "below"), capture::problem);
    CHECK_THROWS_AS(capture::result_folder("/proc/unspool"), capture::problem);
    capture::result_folder results(folder.path / "new" / "deep");
    fs::create_directory(folder.path / "new" / "deep" / "model.json");
    CHECK_THROWS_WITH(results.stage("model.json", "x"), ContainsSubstring("not a regular file"));
}

TEST_CASE("a program that may not write into the folder says so") {
    if (::geteuid() == 0) UNSPOOL_SKIP("root may write everywhere");
    scratch_folder folder;
    fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
    CHECK_THROWS_WITH(capture::result_folder(folder.path), ContainsSubstring("Permission denied"));
    fs::permissions(folder.path, fs::perms::owner_all);
}
