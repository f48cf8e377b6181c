// SPDX-License-Identifier: BSL-1.0
// That every pass has laws, and that laws catch a wrong pass. The laws themselves are tried on
// random graphs in test/fuzz/pass_equivalence.cpp.
#include "support/catch.hpp"
#include "support/files.hpp"

#include "pass.hpp"

#include <sstream>

using namespace unspool_test;

namespace {

constexpr passes::all const* every = nullptr;

/// The functions graph → graph that a header offers: neither details nor templates.
std::vector<std::string> passes_of(std::filesystem::path const& header) {
    std::vector<std::string> names;
    std::istringstream lines(text_of(header));
    std::string before;
    bool detail = false;
    for (std::string line; std::getline(lines, line); before = line) {
        if (line.starts_with("namespace detail {")) detail = true;
        if (line.starts_with("}  // namespace detail")) detail = false;
        std::string_view const start = "constexpr graph ";
        if (detail || before.starts_with("template") || !line.starts_with(start)) continue;
        names.push_back(line.substr(start.size(), line.find('(') - start.size()));
    }
    return names;
}

/// Wrong in one way each.
struct changes_a_result : passes::fuse {
    static graph run(graph g) {
        g.results[0] =
            g.apply<op::multiply>(g.results[0], g.constant(1 + 1e-9, g.dims(g.results[0])));
        return g;
    }
};
struct loses_a_result : passes::fuse {
    static graph run(graph g) {
        g.results.push_back(g.results[0]);
        return g;
    }
};
struct swaps_arguments : passes::fuse {
    static graph run(graph g) {
        g.arguments.push_back(g.arguments[0]);
        return g;
    }
};
struct disorders : passes::fuse {
    static graph run(graph g) {
        g.nodes[g.size() - 1].dims = unspool::shape::of(77);
        return g;
    }
};
struct grows : passes::simplify {
    static graph run(graph g) {
        g.constant(g.size() + 0.5);
        return g;
    }
};
struct computes_more : passes::unroll_nested {
    static graph run(graph g) {
        g.apply<op::exp>(g.apply<op::negate>(g.results[0]));
        return g;
    }
};
struct never_settles : passes::fuse {
    static graph run(graph g) {
        g.constant(g.size() + 0.5);
        return g;
    }
};

template <class P>
std::string first_failure() {
    for (std::uint64_t seed = 0; seed < 30; ++seed)
        if (auto const wrong = pass_laws<P>::broken(pass_subject(seed)); !wrong.empty())
            return wrong;
    return {};
}

}  // namespace

TEST_CASE("every pass has laws") {
    auto const folder =
        std::filesystem::path(UNSPOOL_TEST_FOLDER).parent_path() / "include/unspool/pass";
    int found = 0;
    for (auto const& header : std::filesystem::directory_iterator(folder)) {
        for (std::string const& name : passes_of(header.path())) {
            ++found;
            INFO(name << " in " << header.path().filename()
                      << " has no laws in test/laws/pass.hpp");
            CHECK(passes::have_laws(name, every));
        }
    }
    CHECK(found == 8);
    CHECK(!passes::have_laws("replace_loops", every));
}

TEST_CASE("the laws of passes catch wrong passes") {
    CHECK_THAT(first_failure<changes_a_result>(), ContainsSubstring("is off by"));
    CHECK_THAT(first_failure<loses_a_result>(), ContainsSubstring("other results"));
    CHECK_THAT(first_failure<swaps_arguments>(), ContainsSubstring("fuse: "));
    CHECK_THAT(first_failure<disorders>(), ContainsSubstring("fuse: "));
    CHECK_THAT(first_failure<grows>(), ContainsSubstring("values became"));
    CHECK_THAT(first_failure<computes_more>(), ContainsSubstring("flops became"));
    CHECK_THAT(first_failure<never_settles>(), ContainsSubstring("run 4 changes"));
    CHECK(first_failure<passes::fuse>().empty());
}
