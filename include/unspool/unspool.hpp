// SPDX-License-Identifier: BSL-1.0
#pragma once

/// @file
/// Everything but the adaptors in ext/.

#include <unspool/expr/operators.hpp>
#include <unspool/expr/product.hpp>
#include <unspool/expr/reduction.hpp>
#include <unspool/expr/scan.hpp>
#include <unspool/expr/shaping.hpp>
#include <unspool/run/transform.hpp>
