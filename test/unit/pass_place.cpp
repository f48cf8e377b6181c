// SPDX-License-Identifier: BSL-1.0
// Places of views against addresses, element by element.
#include "support/catch.hpp"
#include "support/ranged_builder.hpp"

#include <unspool/pass/place.hpp>

#include <vector>

using unspool::max_rank, unspool::place, unspool::shape;
using unspool_test::dice;

namespace {

/// The address of each element, row-major.
std::vector<int> addresses(place const& p, shape const& dims) {
    std::vector<int> all;
    for (int i = 0; i < dims.size(); ++i) {
        int at = p.offset;
        int rest = i;
        for (int axis = dims.rank - 1; axis >= 0; --axis) {
            at += rest % dims.extent[axis] * p.step[axis];
            rest /= dims.extent[axis];
        }
        all.push_back(at);
    }
    return all;
}

/// Whether some strides give these addresses: the first step along each axis decides them.
bool has_strides(std::vector<int> const& at, shape const& dims) {
    place p;
    p.offset = at[0];
    std::size_t stride = 1;
    for (int axis = dims.rank - 1; axis >= 0; --axis) {
        if (dims.extent[axis] > 1) p.step[axis] = at[stride] - at[0];
        stride *= static_cast<std::size_t>(dims.extent[axis]);
    }
    return addresses(p, dims) == at;
}

/// A shape of so many elements, axes of extent 1 strewn in.
shape random_shape(dice& random, int size) {
    shape s;
    while (size > 1 || random.one_in(3)) {
        if (s.rank + (size > 1) == max_rank) {
            if (size > 1) s.extent[s.rank++] = size;
            return s;
        }
        int divisor = random.between(1, size);
        while (size % divisor != 0) --divisor;
        s.extent[s.rank++] = divisor;
        size /= divisor;
    }
    return s;
}

/// A place of that shape: mostly with axes that follow on each other, sometimes with one repeated,
/// reversed or apart.
place random_place(dice& random, shape const& dims) {
    place p = place::row_major(3, dims, 1000);
    for (int axis = 0; axis < dims.rank; ++axis) {
        if (random.one_in(8)) p.step[axis] = 0;
        if (random.one_in(8)) p.step[axis] = -p.step[axis];
        if (random.one_in(6))
            for (int i = 0; i <= axis; ++i) p.step[i] *= 2;
    }
    p.loop_step[1] = 7;
    p.loop_flip[2] = 5;
    return p;
}

}  // namespace

TEST_CASE("a reshape has the addresses of what it shows, wherever strides can express it") {
    dice random(1);
    int expressed = 0;
    for (int trial = 0; trial < 20'000; ++trial) {
        int const sizes[] = {1, 6, 8, 12, 24};
        int const size = sizes[random.below(5)];
        shape const x = random_shape(random, size);
        shape const dims = random_shape(random, size);
        place const from = random_place(random, x);
        place const p = unspool::reshaped(from, x, dims);
        auto const expected = addresses(from, x);
        REQUIRE(p.exists() == has_strides(expected, dims));
        if (!p.exists()) continue;
        ++expressed;
        REQUIRE(addresses(p, dims) == expected);
        REQUIRE(p.base == 3);
        REQUIRE(p.loop_step[1] == 7);
        REQUIRE(p.loop_flip[2] == 5);
    }
    CHECK(expressed > 5'000);
    CHECK(expressed < 19'000);
}

TEST_CASE("a uniform place is that of each of its views") {
    place const two = place::everywhere(2);
    CHECK(unspool::reshaped(two, shape::of(2, 3), shape::of(6)).is_uniform());
    unspool::op::axes v;
    v.from[0] = 1;
    v.start[1] = 2;
    place const seen = unspool::viewed(v, two, shape::of(2, 3), shape::of(3));
    CHECK(seen.is_uniform());
    CHECK(seen.value == 2);
    CHECK(seen.offset == 0);
}

TEST_CASE("a view's place follows its axes") {
    place const from = place::row_major(0, shape::of(4, 5), 100);
    unspool::op::axes v;
    v.from[0] = 1;              // columns, backwards from the last but one
    v.from[1] = unspool::none;  // repeated
    v.from[2] = 0;              // rows from the second on
    v.start[0] = 1;
    v.start[1] = 3;
    v.reversed = 1;
    place const p = unspool::viewed(v, from, shape::of(4, 5), shape::of(2, 3, 3));
    CHECK(p.offset == 100 + 5 + 3);
    CHECK(p.step[0] == -1);
    CHECK(p.step[1] == 0);
    CHECK(p.step[2] == 5);
    CHECK(p.step[3] == 0);
}

TEST_CASE("row-major and reversed places are told apart; axes of extent 1 do not count") {
    shape const s = shape::of(2, 1, 3);
    place p = place::row_major(0, s);
    CHECK(p.is_row_major(s));
    CHECK_FALSE(p.is_reversed(s));
    p.step[1] = -8;
    CHECK(p.is_row_major(s));
    CHECK_FALSE(p.is_reversed(s));
    p.step[0] = 4;
    CHECK_FALSE(p.is_row_major(s));
    p.step[0] = 0;
    CHECK_FALSE(p.is_reversed(s));
    p.step[0] = -3;
    CHECK(p.is_reversed(s));
    CHECK_FALSE(place{}.exists());
    CHECK(unspool::squeezed(s) == shape::of(2, 3));
    int const start[] = {1, 0, 2};
    CHECK(unspool::inside_at(place::row_major(0, shape::of(3, 2, 5), 7), s, start).offset ==
          7 + 10 + 2);
}
