// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

#include <array>
#include <charconv>
#include <string>
#include <string_view>

/// Graphs for people: as text, one line per value, which reviewers diff, and as Graphviz input.
namespace unspool {
inline namespace v0 {
namespace detail {

/// The shortest text that reads back as the same number, on every platform.
inline std::string in_words(double value) {
    std::array<char, 32> digits{};
    auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), end};
}

inline std::string in_words(int const* first, int n) {
    std::string s = "[";
    for (int i = 0; i < n; ++i) {
        if (i > 0) s += ", ";
        s += std::to_string(first[i]);
    }
    return s + "]";
}

inline std::string in_words(shape const& dims) { return in_words(dims.extent, dims.rank); }

inline std::string value_name(ref id) { return "%" + std::to_string(id); }

/// Result k of a scan: what it is, and its number among those of its kind.
inline std::string result_role(op::scan_layout const& l, int k) {
    if (k < l.carries) return "carry " + std::to_string(k);
    int const plain = l.carries + l.outputs - l.residuals;
    if (k < plain) return "output " + std::to_string(k - l.carries);
    return "residual " + std::to_string(k - plain);
}

inline std::string inspected_name(graph const& g, ref id) {
    std::string s;
    for (int i = 0; i < g[id].attrs; ++i) s += static_cast<char>(g.attr(id)[i]);
    return s;
}

/// The attributes of a node behind its operands, as a reader would say them.
inline std::string attributes(graph const& g, ref id) {
    node const& n = g[id];
    int const* attr = g.attr(id);
    if (g.is<op::constant>(id)) return " " + in_words(n.value);
    if (g.is<op::literal>(id)) {
        constexpr int shown = 8;
        std::string s;
        int const size = n.dims.size();
        for (int i = 0; i < size && i < shown; ++i)
            s += (i == 0 ? " " : ", ") + in_words(g.data[attr[0] + i]);
        return size > shown ? s + ", ... " + std::to_string(size) + " values" : s;
    }
    if (g.is<op::broadcast>(id)) return " as axes " + in_words(attr, n.attrs - n.dims.rank);
    if (g.is<op::transpose>(id)) return " by axes " + in_words(attr, n.attrs);
    if (g.is<op::reverse>(id)) return " by flags " + in_words(attr, n.attrs);
    if (g.is<op::slice>(id)) return " from " + in_words(attr, n.dims.rank);
    if (g.is<op::pad>(id)) return " at " + in_words(attr, n.dims.rank);
    if (g.is<op::inspect>(id)) return " as \"" + inspected_name(g, id) + "\"";
    if (g.is<op::concatenate>(id)) return " along axis " + std::to_string(attr[0]);
    if (g.kind(id) == op::family::reduction) return " over axes " + in_words(attr, n.attrs);
    return {};
}

/// Operation, operands and attributes: what stands behind "=".
inline std::string right_side(graph const& g, ref id) {
    node const& n = g[id];
    if (g.is<op::argument>(id)) return "argument " + std::to_string(g.arguments.find(id));
    if (g.is<op::output>(id)) {
        ref const loop = g.operand(id, 0);
        return result_role(g.layout(loop), g.attr(id)[0]) + " of " + value_name(loop);
    }
    std::string s = op::table<op::name_of>[n.code];
    for (int k = 0; k < n.count; ++k) {
        s += (k == 0 ? " " : ", ") + value_name(g.operand(id, k));
        if (g.is<op::dot>(id) && k < 2 && g.attr(id)[k] != 0) s += "^T";
    }
    return s + attributes(g, id);
}

inline void print_body(std::string& out, graph const& outer, ref loop, std::string const& indent);

inline void print_values(std::string& out, graph const& g, std::string const& indent,
                         graph const* outer, ref loop) {
    for (ref id = 0; id < g.size(); ++id) {
        out += indent + value_name(id);
        if (g.is<op::scan>(id)) {
            op::scan_layout const l = g.layout(id);
            out += " = scan, " + std::to_string(l.steps) + (l.steps == 1 ? " step" : " steps") +
                   (l.reverse ? ", last to first:\n" : ":\n");
            print_body(out, g, id, indent + "    ");
            continue;
        }
        out += ": " + in_words(g.dims(id)) + " = ";
        if (int const k = g.arguments.find(id); outer != nullptr && k >= 0) {
            op::scan_layout const l = outer->layout(loop);
            std::string const source = value_name(outer->operand(loop, k));
            if (k < l.first_carry()) {
                out += "loop constant, outer " + source;
            } else if (k < l.first_input()) {
                int const c = k - l.first_carry();
                out += "carry " + std::to_string(c) + ", outer " + source + " before, " +
                       value_name(g.results[c]) + " after each step";
            } else {
                out += "input " + std::to_string(k - l.first_input()) + ", outer " + source +
                       " at each step";
            }
        } else {
            out += right_side(g, id);
        }
        out += "\n";
    }
}

inline void print_body(std::string& out, graph const& outer, ref loop, std::string const& indent) {
    op::scan_layout const l = outer.layout(loop);
    graph const& body = outer.body(loop);
    print_values(out, body, indent, &outer, loop);
    for (int k = 0; k < body.results.size(); ++k)
        out += indent + result_role(l, k) + " = " + value_name(body.results[k]) + "\n";
}

/// The Graphviz name of a value; bodies are told apart by the scans that they stand in.
inline std::string dot_name(std::string const& prefix, ref id) {
    return prefix + std::to_string(id);
}

/// The drawn node behind an operand: a scan's result is drawn where it is read.
inline void dot_values(std::string& out, graph const& g, std::string const& prefix,
                       std::string const& indent, op::scan_layout const* layout) {
    for (ref id = 0; id < g.size(); ++id) {
        std::string const name = dot_name(prefix, id);
        if (g.is<op::scan>(id)) {
            op::scan_layout const l = g.layout(id);
            graph const& body = g.body(id);
            std::string const inner = name + "_";
            out += indent + "subgraph cluster_" + name + " {\n" + indent + "    label=\"" +
                   value_name(id) + " scan, " + std::to_string(l.steps) + " steps" +
                   (l.reverse ? ", last to first" : "") + "\";\n";
            dot_values(out, body, inner, indent + "    ", &l);
            for (int k = 0; k < l.carries; ++k)
                out += indent + "    " + dot_name(inner, body.results[k]) + " -> " +
                       dot_name(inner, body.arguments[l.first_carry() + k]) +
                       " [style=dashed, constraint=false];\n";
            out += indent + "}\n";
            for (int k = 0; k < l.operands(); ++k)
                out += indent + dot_name(prefix, g.operand(id, k)) + " -> " +
                       dot_name(inner, body.arguments[k]) + ";\n";
            continue;
        }
        std::string what = op::table<op::name_of>[g[id].code] + attributes(g, id);
        if (int const k = g.arguments.find(id); layout != nullptr && k >= 0) {
            what = k < layout->first_carry() ? "loop constant"
                   : k < layout->first_input()
                       ? "carry " + std::to_string(k - layout->first_carry())
                       : "input " + std::to_string(k - layout->first_input());
        } else if (k >= 0 || g.is<op::output>(id)) {
            what = right_side(g, id);
        }
        bool const result = g.results.contains(id);
        out += indent + name + " [label=\"" + value_name(id) + " " + what + "\\n" +
               in_words(g.dims(id)) + "\"" + (result ? ", peripheries=2" : "") + "];\n";
        if (g.is<op::output>(id)) {
            ref const loop = g.operand(id, 0);
            out += indent +
                   dot_name(dot_name(prefix, loop) + "_", g.body(loop).results[g.attr(id)[0]]) +
                   " -> " + name + ";\n";
            continue;
        }
        for (int k = 0; k < g[id].count; ++k)
            out += indent + dot_name(prefix, g.operand(id, k)) + " -> " + name + ";\n";
    }
}

}  // namespace detail

/// A graph as text, one line per value: name, shape, operation, operands, attributes. The body of a
/// scan is indented below it, and each value at its edge says what it is to the loop: loop
/// constant, carry, input; output, residual. Equal graphs have equal texts.
inline std::string text(graph const& g) {
    std::string out;
    detail::print_values(out, g, "", nullptr, none);
    for (int k = 0; k < g.results.size(); ++k)
        out += "result " + std::to_string(k) + " = " + detail::value_name(g.results[k]) + "\n";
    return out;
}

/// A graph as input for Graphviz, `dot -Tsvg`: scans are clusters, carries dashed edges from one
/// step to the next, results drawn twice around.
inline std::string dot(graph const& g) {
    std::string out = "digraph unspool {\n    node [shape=box, fontname=monospace];\n";
    detail::dot_values(out, g, "n", "    ", nullptr);
    return out + "}\n";
}

}  // namespace v0
}  // namespace unspool
