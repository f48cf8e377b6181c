// SPDX-License-Identifier: BSL-1.0
// Finds the trainer of a size among those that meson.build compiled in.
#include "trainer.hpp"

#include <array>

namespace capture {

/// Defined by training.cpp, which is compiled once for each size.
template <model_size Size>
std::unique_ptr<trainer> make_sized_trainer(bool skip);

namespace {

struct entry {
    model_size size;
    std::unique_ptr<trainer> (*make)(bool skip);
};

template <model_size... Size>
constexpr std::array<entry, sizeof...(Size)> entries{{{Size, &make_sized_trainer<Size>}...}};

constexpr auto const& all = entries<CAPTURE_SIZES>;

}  // namespace

std::vector<model_size> compiled_sizes() {
    std::vector<model_size> sizes;
    for (auto const& e : all) sizes.push_back(e.size);
    return sizes;
}

std::unique_ptr<trainer> make_trainer(model_size size, bool skip) {
    for (auto const& e : all)
        if (e.size == size) return e.make(skip);
    return nullptr;
}

}  // namespace capture
