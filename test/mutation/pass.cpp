// SPDX-License-Identifier: BSL-1.0
// The tests of passes in one program: what tools/mutate.py kills mutants of passes by.
#include "unit/pass_activity.cpp"
#include "unit/pass_chunk.cpp"
#include "unit/pass_cost.cpp"
#include "unit/pass_hoist.cpp"
#include "unit/pass_memory.cpp"
#include "unit/pass_place.cpp"

#include "fuzz/pass_counts.cpp"
#include "fuzz/pass_equivalence.cpp"
#include "fuzz/pass_gradient.cpp"
#include "fuzz/pass_plan.cpp"
