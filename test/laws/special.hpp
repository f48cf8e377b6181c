// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "laws/law.hpp"

namespace unspool_test {

/// Numbers where functions and their implementations change: zeros, subnormal, tiny, huge and
/// infinite ones, NaN, ties of rounding, and where exponentials overflow and vanish.
template <class T>
std::vector<T> special_numbers() {
    using limits = std::numeric_limits<T>;
    std::vector<T> all;
    T const exponent = sizeof(T) == 4 ? T(88) : T(709);
    for (T x : {T(0),
                limits::denorm_min(),
                3 * limits::denorm_min(),
                limits::min() / 2,
                limits::min(),
                limits::epsilon(),
                T(0.5),
                T(1),
                T(1.5),
                T(2),
                T(2.5),
                T(3),
                T(20),
                exponent,
                exponent + 3,
                exponent + 40,
                1 / limits::epsilon(),
                2 / limits::epsilon() + 2,
                limits::max(),
                limits::infinity()}) {
        all.push_back(x);
        all.push_back(-x);
    }
    all.push_back(limits::quiet_NaN());
    return all;
}

/// How often `special_elements` must be drawn for operands of one shape to meet every combination.
template <class T>
int special_rounds(use const& u) {
    int combinations = 1;
    for (int k = 0; k < u.count(); ++k)
        combinations *= static_cast<int>(special_numbers<T>().size());
    int const size = u.operands[0].size();
    return (combinations + size - 1) / size;
}

/// All combinations over the operands, one after the other.
template <class T>
elements special_elements(use const& u, int round) {
    std::vector<T> const numbers = special_numbers<T>();
    elements all;
    std::size_t repeat = 1;
    for (shape const& s : u.operands) {
        std::vector<double> v;
        for (int i = 0; i < s.size(); ++i)
            v.push_back(static_cast<double>(
                numbers[static_cast<std::size_t>(round * s.size() + i) / repeat % numbers.size()]));
        all.push_back(v);
        repeat *= numbers.size();
    }
    return all;
}

}  // namespace unspool_test
