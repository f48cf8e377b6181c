// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/shaping.hpp>
#include <unspool/graph/print.hpp>
#include <unspool/run/call.hpp>

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Looking into a function while it is computed: marked values of every step, and where the first
/// NaN or infinity comes from.

namespace unspool {
inline namespace v0 {

/// x, marked by a name for `inspection`. Programs and constants compute as if it were not there.
/// The name is text of at most 60 characters.
constexpr auto inspect(std::string_view name, expression auto const& x) {
    return detail::structural<op::inspect, std::remove_cvref_t<decltype(x)>::dims>(
        x, [name](graph& g, ref id) {
            list<int> characters;
            for (char c : name)
                if (characters.size() < 60) characters.push_back(c);
            return g.inspect(id, characters);
        });
}

/// A marked value, at every step at which it was computed.
template <class T>
struct inspected {
    std::string name;
    shape dims;                           ///< of one step
    std::vector<std::vector<int>> steps;  ///< of each time: the index in each loop around
    std::vector<T> values;                ///< of each time one after the other, row-major

    /// The values of time i, `dims.size()` of them.
    T const* at(std::size_t i) const {
        return values.data() + i * static_cast<std::size_t>(dims.size());
    }
};

/// Runs a function once by its plain meaning, one operation after the other, and keeps what is
/// marked by `inspect`, and the first operation whose result is not finite though its operands are.
/// Slow, with heap: for finding out what is wrong. The function may be a gradient; marks are those
/// of the outermost function, since a derived one is built of copies.
template <class F, class... Args>
class inspection {
    using T = argument_element<Args...>;

public:
    /// Runs f for these arguments.
    explicit inspection(F, Args const&... args) {
        graph const g = thaw(frozen_function<F, Args...>::value);
        run::argument_elements<T, Args...> const elements(args...);
        for (int k = 0; k < elements.pointers().size(); ++k)
            if (int const i = first_not_finite(elements.pointers()[k], g.dims(g.arguments[k]));
                i >= 0 && report_.empty())
                report_ = "unspool: leaf " + std::to_string(k) + " of the arguments is " +
                          shown(elements.pointers()[k][i]) + place(g.dims(g.arguments[k]), i) +
                          " before anything is computed";
        evaluator<T, inspection> e(g, this);
        e.run(elements.pointers());
    }

    /// All marked values, in the order in which they were first computed.
    std::vector<inspected<T>> const& values() const { return values_; }
    /// The marked values of that name; throws std::out_of_range if there is none.
    inspected<T> const& operator[](std::string_view name) const {
        for (auto const& v : values_)
            if (v.name == name) return v;
        std::string known;
        for (auto const& v : values_) known += (known.empty() ? "" : ", ") + v.name;
        throw std::out_of_range("unspool: nothing is marked \"" + std::string(name) +
                                "\"; marked are: " + (known.empty() ? "none" : known));
    }
    /// Whether everything that was computed is finite.
    bool finite() const { return report_.empty(); }
    /// Where the first value came from that is not finite, in a sentence; empty if none did.
    std::string const& report() const { return report_; }

private:
    friend evaluator<T, inspection>;

    std::vector<inspected<T>> values_;
    std::string report_;
    std::vector<int> steps_;
    std::string last_mark_;

    void enter(int t) { steps_.push_back(t); }
    void leave() { steps_.pop_back(); }
    void saw(graph const& g, ref id, list<T const*> const& at) {
        if (g.template is<op::inspect>(id)) keep(g, id, at[id]);
        if (!report_.empty()) return;
        int const i = first_not_finite(at[id], g.dims(id));
        if (i < 0) return;
        report_ = "unspool: " + std::string(op::table<op::name_of>[g[id].code]) + " gives " +
                  shown(at[id][i]) + place(g.dims(id), i);
        for (std::size_t d = 0; d < steps_.size(); ++d)
            report_ += (d == 0 ? ", at step " : ", within it at step ") + std::to_string(steps_[d]);
        if (g.kind(id) == op::family::elementwise)
            for (int k = 0; k < g[id].count; ++k)
                report_ += (k == 0 ? ", from " : " and ") + shown(at[g.operand(id, k)][i]);
        if (!last_mark_.empty()) report_ += "; the last mark before it is \"" + last_mark_ + "\"";
    }
    void keep(graph const& g, ref id, T const* from) {
        last_mark_ = detail::inspected_name(g, id);
        inspected<T>* found = nullptr;
        for (auto& v : values_)
            if (v.name == last_mark_ && v.dims == g.dims(id)) found = &v;
        if (found == nullptr) {
            values_.push_back({last_mark_, g.dims(id), {}, {}});
            found = &values_.back();
        }
        found->steps.push_back(steps_);
        found->values.insert(found->values.end(), from, from + g.dims(id).size());
    }
    static int first_not_finite(T const* x, shape const& dims) {
        for (int i = 0; i < dims.size(); ++i)
            if (!std::isfinite(x[i])) return i;
        return -1;
    }
    static std::string shown(T v) { return detail::in_words(static_cast<double>(v)); }
    /// The index of an element, as a reader says it.
    static std::string place(shape const& dims, int i) {
        if (dims.rank == 0) return {};
        std::string s;
        op::strides const step(dims);
        for (int axis = 0; axis < dims.rank; ++axis)
            s += (axis == 0 ? "" : ", ") + std::to_string(i / step.step[axis] % dims.extent[axis]);
        return " at (" + s + ")";
    }
};

template <class F, class... Args>
inspection(F, Args const&...) -> inspection<F, std::remove_cvref_t<Args>...>;

}  // namespace v0
}  // namespace unspool
