// SPDX-License-Identifier: BSL-1.0
#pragma once

/// @file
/// Everything but the adaptors in ext/.

// g++ 12 holds parameters of constexpr members that it instantiates against all names of the file
// that uses them, so a user's global `value` would be "shadowed" here. Clang does not.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

// What diagnoses first and in this order, so that few lines of "included from" stand before a
// message.
// clang-format off
#include <unspool/expr/structure.hpp>
#include <unspool/expr/trace.hpp>
#include <unspool/expr/operators.hpp>
#include <unspool/expr/functions.hpp>
#include <unspool/expr/shaping.hpp>
#include <unspool/expr/product.hpp>
#include <unspool/expr/reduction.hpp>
#include <unspool/expr/scan.hpp>
#include <unspool/expr/arrange.hpp>
#include <unspool/expr/indexing.hpp>
#include <unspool/expr/diagonal.hpp>
#include <unspool/expr/accumulate.hpp>
#include <unspool/expr/statistics.hpp>
#include <unspool/expr/normalise.hpp>
#include <unspool/expr/contract.hpp>
#include <unspool/expr/convolve.hpp>
#include <unspool/run/transform.hpp>
// clang-format on

#include <unspool/check/adjoint_error.hpp>
#include <unspool/check/check_gradient.hpp>
#include <unspool/check/gradient_error.hpp>
#include <unspool/check/inspection.hpp>
#include <unspool/expr/as.hpp>
#include <unspool/expr/gather.hpp>
#include <unspool/graph/verify.hpp>
#include <unspool/nn/dense.hpp>
#include <unspool/nn/initial.hpp>
#include <unspool/nn/loss.hpp>
#include <unspool/nn/lstm.hpp>
#include <unspool/nn/random.hpp>
#include <unspool/optim/adam.hpp>
#include <unspool/optim/clip.hpp>
#include <unspool/optim/sgd.hpp>
#include <unspool/run/unroll.hpp>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
