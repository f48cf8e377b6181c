// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/rule.hpp>

/// Operations that give a graph its structure. The passes treat them by name.
namespace unspool {
inline namespace v0 {
namespace op {

/// An input of the graph, in the order of `graph::arguments`.
struct argument {
    static constexpr char const* name = "argument";
    static constexpr family kind = family::source;
};

/// A value that every element shares: `node::value`.
struct constant {
    static constexpr char const* name = "constant";
    static constexpr family kind = family::source;
};

/// A table of numbers that the user wrote. attr: where it starts in `graph::data`.
struct literal {
    static constexpr char const* name = "literal";
    static constexpr family kind = family::source;
};

/// A loop over time with a closed body. Operands: loop constants, initial carries, stacked inputs
/// (leading axis: time). attr: see `scan_layout`. Its results are `output` nodes.
struct scan {
    static constexpr char const* name = "scan";
    static constexpr family kind = family::loop;
};

/// Result number attr[0] of a scan: first the final carries, then the stacked outputs.
struct output {
    static constexpr char const* name = "output";
    static constexpr family kind = family::loop;
};

/// What each value at the edge of a scan's body is: body arguments are `constants`, `carries`,
/// `inputs`, in this order; body results are `carries`, then `outputs`, of which the last
/// `residuals` were saved by differentiation for the reverse sweep. What the reverse body computes
/// again from them is recomputed. The partition pass decides between the two.
struct scan_layout {
    int steps = 0;
    bool reverse = false;  ///< from the last step to the first; outputs still lie at their step
    int constants = 0;
    int carries = 0;
    int inputs = 0;
    int outputs = 0;
    int residuals = 0;

    static constexpr int words = 7;
    static constexpr scan_layout read(int const* attr) {
        return {attr[0], attr[1] != 0, attr[2], attr[3], attr[4], attr[5], attr[6]};
    }
    constexpr void write(list<int>& attr) const {
        for (int word : {steps, int(reverse), constants, carries, inputs, outputs, residuals})
            attr.push_back(word);
    }
    constexpr int first_carry() const { return constants; }
    constexpr int first_input() const { return constants + carries; }
    constexpr int operands() const { return constants + carries + inputs; }
    constexpr int results() const { return carries + outputs; }
};

}  // namespace op
}  // namespace v0
}  // namespace unspool
