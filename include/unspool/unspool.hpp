// SPDX-License-Identifier: BSL-1.0
#pragma once

/// @file
/// Everything but the adaptors in ext/.

#include <unspool/expr/operators.hpp>
#include <unspool/expr/product.hpp>
#include <unspool/expr/reduction.hpp>
#include <unspool/expr/scan.hpp>
#include <unspool/expr/shaping.hpp>
#include <unspool/nn/dense.hpp>
#include <unspool/nn/initial.hpp>
#include <unspool/nn/loss.hpp>
#include <unspool/nn/lstm.hpp>
#include <unspool/nn/random.hpp>
#include <unspool/optim/adam.hpp>
#include <unspool/optim/clip.hpp>
#include <unspool/optim/sgd.hpp>
#include <unspool/run/transform.hpp>
#include <unspool/run/unroll.hpp>
