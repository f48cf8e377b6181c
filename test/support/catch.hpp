// SPDX-License-Identifier: BSL-1.0
#pragma once

/// Catch2 in either layout: the single header of 2.13 or the library of 3.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include "support/skip.hpp"
