// SPDX-License-Identifier: BSL-1.0
#pragma once

/// @file
/// What every header needs to know of the compiler.

// The bounds of math/accuracy.hpp, the treatment of NaN and infinity and "the same bits every run"
// all rest on IEEE arithmetic in the order written. Fast-math takes that away silently.
#if (defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)) && \
    !defined(UNSPOOL_ALLOW_FAST_MATH)
#error \
    "unspool: compile without -ffast-math (or define UNSPOOL_ALLOW_FAST_MATH and give up accuracy)"
#endif

/// Marks functions that must vanish into their caller: wrappers of one instruction, and the texts
/// of the elementary functions, whose vector registers would otherwise cross a call.
#define UNSPOOL_INLINE __attribute__((always_inline)) inline

/// Marks functions that must stay apart: kernels that fill the registers, next to which a caller's
/// values would be spilled, or would spill the kernel's.
#define UNSPOOL_NOINLINE __attribute__((noinline))

/// The same as UNSPOOL_INLINE for a lambda, written behind its parameter list.
#define UNSPOOL_INLINE_LAMBDA __attribute__((always_inline))
