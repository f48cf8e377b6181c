// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

#include <cstdint>

/// Hash-consing and folding: the part of the builder that makes equal nodes one.
namespace unspool {
inline namespace v0 {

constexpr unsigned graph::hash(node const& n, ref const* operands, int const* attr) const {
    unsigned h = static_cast<unsigned>(n.code) * 0x9E3779B1u + static_cast<unsigned>(n.body + 1);
    for (int i = 0; i < n.count; ++i) h = (h ^ static_cast<unsigned>(operands[i])) * 0x85EBCA6Bu;
    for (int i = 0; i < n.attrs; ++i) h = (h ^ static_cast<unsigned>(attr[i])) * 0xC2B2AE35u;
    if (n.count == 0) {
        for (int i = 0; i < n.dims.rank; ++i)
            h = (h ^ static_cast<unsigned>(n.dims.extent[i])) * 0x27D4EB2Fu;
        // The value's own bits would need a cast; its scaled integer part spreads well enough.
        double const v = n.value * 1024;
        if (v > -1e6 && v < 1e6) h ^= static_cast<unsigned>(static_cast<int>(v)) * 0x165667B1u;
    }
    return h ^ (h >> 15);
}

constexpr bool graph::same(node const& a, node const& b, ref const* operands,
                           int const* attr) const {
    if (a.code != b.code || a.count != b.count || a.attrs != b.attrs || a.body != b.body)
        return false;
    for (int i = 0; i < a.count; ++i)
        if (pool[a.operands + i] != operands[i]) return false;
    for (int i = 0; i < a.attrs; ++i)
        if (pool[a.attr + i] != attr[i]) return false;
    if (a.count > 0) return true;
    // By their bits: zeros of either sign are two constants, and a NaN is one.
    using bits = std::uint64_t;
    return __builtin_bit_cast(bits, a.value) == __builtin_bit_cast(bits, b.value) &&
           a.dims == b.dims;
}

constexpr void graph::grow_table() {
    int capacity = 64;  // a thawed graph has nodes but no table yet
    while (capacity < 2 * (size() + 1)) capacity *= 2;
    table_ = list<int>(capacity, none);
    for (ref id = 0; id < size(); ++id) {
        if (is<op::argument>(id)) continue;
        unsigned slot = hash(nodes[id], operands(id), attr(id));
        while (table_[static_cast<int>(slot % static_cast<unsigned>(capacity))] != none) ++slot;
        table_[static_cast<int>(slot % static_cast<unsigned>(capacity))] = id;
    }
}

constexpr ref graph::intern(node n, ref const* operands, int const* attr) {
    if (2 * (size() + 1) > table_.size()) grow_table();
    unsigned const capacity = static_cast<unsigned>(table_.size());
    unsigned slot = hash(n, operands, attr);
    for (;; ++slot) {
        ref const found = table_[static_cast<int>(slot % capacity)];
        if (found == none) break;
        if (same(nodes[found], n, operands, attr)) return found;
    }
    n.operands = pool.size();
    for (int i = 0; i < n.count; ++i) pool.push_back(operands[i]);
    n.attr = pool.size();
    for (int i = 0; i < n.attrs; ++i) pool.push_back(attr[i]);
    nodes.push_back(n);
    table_[static_cast<int>(slot % capacity)] = size() - 1;
    return size() - 1;
}

constexpr ref graph::elementwise(int code, ref const* x, int count) {
    using namespace op;
    auto constant_at = [&](int k) { return is<op::constant>(x[k]); };
    auto value_at = [&](int k) { return nodes[x[k]].value; };
    if (count == 2) {
        bool const left = constant_at(0);
        bool const right = constant_at(1);
        if (left && right) {
            double const a = value_at(0);
            double const b = value_at(1);
            shape const dims = nodes[x[0]].dims;
            // Only what cannot overflow: a constant that is infinite is an error on some compilers.
            auto tame = [](double v) { return v > -1e150 && v < 1e150; };
            if (tame(a) && tame(b)) {
                if (code == op::code<op::add>) return constant(a + b, dims);
                if (code == op::code<subtract>) return constant(a - b, dims);
                if (code == op::code<multiply>) return constant(a * b, dims);
                if (code == op::code<divide> && (b > 1e-150 || b < -1e-150))
                    return constant(a / b, dims);
            }
        }
        if (code == op::code<op::add>) {
            if (left && value_at(0) == 0) return x[1];
            if (right && value_at(1) == 0) return x[0];
        } else if (code == op::code<subtract>) {
            if (right && value_at(1) == 0) return x[0];
            if (left && value_at(0) == 0) return elementwise(op::code<negate>, x + 1, 1);
        } else if (code == op::code<multiply>) {
            if (left && value_at(0) == 1) return x[1];
            if (right && value_at(1) == 1) return x[0];
            if (left && value_at(0) == -1) return elementwise(op::code<negate>, x + 1, 1);
            if (right && value_at(1) == -1) return elementwise(op::code<negate>, x, 1);
        } else if (code == op::code<divide>) {
            if (right && value_at(1) == 1) return x[0];
        }
    } else if (code == op::code<negate>) {
        if (constant_at(0)) return constant(-value_at(0), nodes[x[0]].dims);
        if (is<negate>(x[0])) return operand(x[0], 0);
    } else if (code == op::code<op::select>) {
        if (constant_at(0)) return value_at(0) == 0 ? x[2] : x[1];
        if (x[1] == x[2]) return x[1];
    }
    node n;
    n.code = code;
    n.dims = nodes[x[0]].dims;
    n.count = count;
    return intern(n, x, nullptr);
}

constexpr ref graph::copy(graph const& source, ref id, list<ref> const& x) {
    node const& n = source[id];
    int const* words = source.attr(id);
    int const code = n.code;
    if (source.kind(id) == op::family::elementwise) return elementwise(code, x.data(), n.count);
    if (code == op::code<op::argument>) return argument(n.dims);
    if (code == op::code<op::constant>) return constant(n.value, n.dims);
    if (code == op::code<op::literal>) return literal(source.data.data() + words[0], n.dims);
    if (code == op::code<op::broadcast>)
        return broadcast(x[0], list<int>(words, n.attrs - n.dims.rank), n.dims);
    if (code == op::code<op::reshape>) return reshape(x[0], n.dims);
    if (code == op::code<op::transpose>) return transpose(x[0], list<int>(words, n.attrs));
    if (code == op::code<op::reverse>) return reverse(x[0], list<int>(words, n.attrs));
    if (code == op::code<op::slice>) return slice(x[0], list<int>(words, n.dims.rank), n.dims);
    if (code == op::code<op::pad>) return pad(x[0], list<int>(words, n.dims.rank), n.dims);
    if (code == op::code<op::concatenate>) return concatenate(x, words[0]);
    if (code == op::code<op::sum>) return sum(x[0], list<int>(words, n.attrs));
    if (code == op::code<op::dot>)
        return dot(x[0], x[1], words[0] != 0, words[1] != 0, n.count > 2 ? x[2] : none);
    if (code == op::code<op::output>) return output(x[0], words[0]);
    if (code == op::code<op::inspect>) return x[0];
    if (code == op::code<op::gather>) return gather(x[0], x[1]);
    if (code == op::code<op::scatter_add>) return scatter_add(x[0], x[1], words[0]);
    if (code == op::code<op::scan>)
        return scan(op::scan_layout::read(words), x, source.bodies[n.body]);
    node other = n;
    return intern(other, x.data(), words);
}

}  // namespace v0
}  // namespace unspool
