// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/pass/place.hpp>

namespace unspool {
inline namespace v0 {

/// One step of a group's kernel, on registers: operands are earlier steps of the group.
struct micro_op {
    enum : int { load = -1, uniform = -2, store = -3, product = -4 };
    int code = 0;                   ///< one of these, or an elementwise operation
    int x[3] = {none, none, none};  ///< of a product: the group of its columns
    int place = none;               ///< of a load or store; index into plan::places
    double value = 0;               ///< of a uniform
};

/// One kernel call, or a loop around the instructions that follow it.
struct instruction {
    enum class kind { group, product, pack, reduce, copy, gather, scatter_add, loop };
    kind what = kind::copy;
    shape space;    ///< iteration space: of a product, its result's; of a reduction, its operand's
    int first = 0;  ///< into micros (group) or places
    int count = 0;
    int inner = 0;    ///< inner extent of a product; of an indexing, the elements of a row
    int extent = 0;   ///< of an indexing: the rows of its table
    int reduced = 0;  ///< of a reduction: a bit for each axis of `space`
    int code = 0;     ///< of a reduction: its operation
    int epilogue = 0, epilogue_count = 0;  ///< of a product: the micros that take its results
    int groups = 1;       ///< of a product or a pack: column blocks that lie side by side
    bool packed = false;  ///< of a product: B was packed before
    int steps = 0;        ///< of a loop
    bool reverse = false;
    int end = 0;    ///< of a loop: behind its body
    int depth = 0;  ///< loops around
};

/// A program without its numbers: instructions over places in arrays whose sizes and positions are
/// fixed. Arrays by number: arguments, then results, then the table of literals, then the
/// workspace.
///
/// Operand places of a product: A (…, m, k), B (…, k, n), C (…, m, n), perhaps addend (…, m, n); of
/// a reduction: operand, result (step 0 along reduced axes); of a copy or a pack: destination,
/// source; of an indexing: result, indices, rows, all row-major. A product with an epilogue has no
/// C. A pack lays B out as its product's kernel reads it best; for a reader of plans both places
/// are (k, n), the packed one row-major.
struct plan {
    list<instruction> code;
    list<micro_op> micros;
    list<place> places;
    list<double> literals;
    int arguments = 0;
    int results = 0;
    int workspace = 0;  ///< elements
    double flops = 0;
    double transcendentals = 0;

    constexpr int literal_base() const { return arguments + results; }
    constexpr int workspace_base() const { return arguments + results + 1; }
};

}  // namespace v0
}  // namespace unspool
