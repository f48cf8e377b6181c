// SPDX-License-Identifier: BSL-1.0
// expect: unspool: compile without -ffast-math
// flags: -ffast-math
// twin: s/undef UNSPOOL_ALLOW_FAST_MATH/define UNSPOOL_ALLOW_FAST_MATH/
#undef UNSPOOL_ALLOW_FAST_MATH
#include <unspool/core/config.hpp>
