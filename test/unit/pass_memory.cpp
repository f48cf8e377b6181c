// SPDX-License-Identifier: BSL-1.0
// Where the memory planner puts buffers: 16 floats are one unit of 64 bytes.
#include "support/catch.hpp"

#include <unspool/pass/memory.hpp>

#include <vector>

using unspool::memory_planner;

namespace {

/// A buffer of so many units from instruction `first` to `last`.
struct life {
    int units, first, last;
};

struct layout {
    std::vector<int> offsets;  ///< in units
    int total;
};

layout laid_out(std::vector<life> const& lives) {
    memory_planner m(sizeof(float));
    m.open_region();
    std::vector<int> ids;
    int end = 0;
    for (life const& l : lives) {
        ids.push_back(m.add(16 * l.units));
        if (l.last > end) end = l.last;
    }
    for (int now = 0; now <= end; ++now) {
        for (std::size_t i = 0; i < lives.size(); ++i)
            if (now == lives[i].first || now == lives[i].last) m.touch(ids[i]);
        m.advance();
    }
    m.close_region();
    layout found{{}, m.total() / 16};
    for (int id : ids) found.offsets.push_back(m.offset(id) / 16);
    return found;
}

using ints = std::vector<int>;

}  // namespace

TEST_CASE("buffers that live together lie apart") {
    layout const m = laid_out({{1, 0, 2}, {2, 1, 3}, {1, 2, 2}});
    CHECK(m.offsets == ints{0, 1, 3});
    CHECK(m.total == 4);
}

TEST_CASE("a buffer may take the place of one that was last used before") {
    CHECK(laid_out({{2, 0, 1}, {2, 2, 3}}).offsets == ints{0, 0});
    CHECK(laid_out({{2, 0, 2}, {2, 2, 3}}).offsets == ints{0, 2});  // both at instruction 2
    layout const m = laid_out({{2, 0, 1}, {1, 0, 9}, {1, 2, 9}, {1, 3, 9}});
    CHECK(m.offsets == ints{0, 2, 0, 1});
    CHECK(m.total == 3);
}

TEST_CASE("the first gap that is large enough is taken") {
    // 0: one unit freed, 2 and 3: two units freed, the rest stays.
    layout const m = laid_out({{1, 0, 1}, {1, 0, 9}, {2, 0, 1}, {1, 0, 9}, {2, 2, 9}, {1, 3, 9}});
    CHECK(m.offsets == ints{0, 1, 2, 4, 2, 0});
    CHECK(m.total == 5);
}

TEST_CASE("freed neighbours become one gap, in whatever order they are freed") {
    life const rest{1, 0, 9};
    life const wide{3, 5, 9};
    for (auto const& [a, b, c] : std::vector<std::array<int, 3>>{
             {1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {3, 1, 2}, {2, 3, 1}, {3, 2, 1}}) {
        layout const m = laid_out({{1, 0, a}, {1, 0, b}, {1, 0, c}, rest, wide});
        INFO(a << b << c);
        CHECK(m.offsets == ints{0, 1, 2, 3, 0});
        CHECK(m.total == 4);
    }
    // Next to the end without bound, too.
    CHECK(laid_out({{1, 0, 9}, {2, 0, 1}, {4, 2, 9}}).offsets == ints{0, 1, 1});
}

TEST_CASE("sizes are rounded up to whole units") {
    memory_planner m(sizeof(double));  // 8 to a unit
    m.open_region();
    int const ids[] = {m.add(1), m.add(8), m.add(9), m.add(0), m.add(1)};
    for (int id : ids) m.touch(id);
    m.close_region();
    int const offsets[] = {0, 8, 16, 32, 32};
    for (int i = 0; i < 5; ++i) CHECK(m.offset(ids[i]) == offsets[i]);
    CHECK(m.total() == 40);
}

TEST_CASE("a buffer that nothing uses takes no room") {
    memory_planner m(sizeof(float));
    m.open_region();
    m.add(160);
    int const used = m.add(16);
    m.touch(used);
    m.close_region();
    CHECK(m.offset(used) == 0);
    CHECK(m.total() == 16);
}

TEST_CASE("a loop's buffers are one block that lives at the loop") {
    memory_planner m(sizeof(float));
    m.open_region();
    int const before = m.add(16);
    int const across = m.add(32);
    m.touch(before);
    m.touch(across);
    m.advance();
    m.advance();  // the loop
    m.open_region();
    int const inner = m.add(16);
    int const other = m.add(48);
    m.touch(inner);
    m.advance();
    m.touch(other);
    m.open_region();  // a loop in it
    int const innermost = m.add(16);
    m.touch(innermost);
    m.close_region();
    m.touch(across);
    m.close_region();
    m.advance();
    int const after = m.add(64);
    m.touch(after);
    m.close_region();
    CHECK(m.offset(before) == 0);
    CHECK(m.offset(across) == 16);
    CHECK(m.offset(inner) == 48);  // behind what lives across: the block needs four units
    CHECK(m.offset(other) == 48);
    CHECK(m.offset(innermost) == 96);
    CHECK(m.offset(after) == 0);  // up to what lives across, which nobody needs any more
    CHECK(m.total() == 112);
}
