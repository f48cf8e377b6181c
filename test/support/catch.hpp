// SPDX-License-Identifier: BSL-1.0
#pragma once

/// Catch2 in either layout: the single header of 2.13 or the library of 3.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
/// By the name it has since 3.
inline auto ContainsSubstring(std::string const& text) { return Catch::Matchers::Contains(text); }
#endif

#include "support/skip.hpp"

#include <string>
