// SPDX-License-Identifier: BSL-1.0
// Finds the trainer of a size among those that meson.build compiled in.
#include "trainer.hpp"

#include <array>

namespace capture {

/// Defined by training.cpp, which is compiled once for each size.
template <std::size_t Units>
std::unique_ptr<trainer> make_sized_trainer(bool skip);

namespace {

struct entry {
    std::size_t units;
    std::unique_ptr<trainer> (*make)(bool skip);
};

template <std::size_t... Units>
constexpr std::array<entry, sizeof...(Units)> entries{{{Units, &make_sized_trainer<Units>}...}};

constexpr auto const& sizes = entries<CAPTURE_SIZES>;

}  // namespace

std::vector<std::size_t> compiled_units() {
    std::vector<std::size_t> units;
    for (auto const& size : sizes) units.push_back(size.units);
    return units;
}

std::unique_ptr<trainer> make_trainer(std::size_t units, bool skip) {
    for (auto const& size : sizes)
        if (size.units == units) return size.make(skip);
    return nullptr;
}

}  // namespace capture
