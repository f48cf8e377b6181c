// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/op/all.hpp>

namespace unspool {
inline namespace v0 {

/// One value of a graph. Operands and attributes are runs in the graph's pool, so that a node has a
/// fixed size.
struct node {
    int code = 0;  ///< position in op::all
    shape dims;
    int operands = 0;  ///< where they start in the pool
    int count = 0;
    int attr = 0;
    int attrs = 0;
    double value = 0;  ///< of a constant
    int body = none;   ///< of a scan: index into graph::bodies
};

/// The first mistake of a traced function that only its run shows. The trace goes on with a value
/// of the right shape, so that the one message is about the mistake.
struct fault {
    enum class kind {
        nothing,
        index,      ///< x[t] beyond the extent
        outside,    ///< a value of a loop's body used after the loop
        constants,  ///< an operation of which no operand depends on an argument
        told,       ///< said already where it was found
    };
    kind what = kind::nothing;
    int detail[2]{};  ///< of an index: it and the extent; of constants: the operation's code
};

/// A computation as plain data: nodes in topological order, closed scan bodies as graphs of their
/// own. It is also its builder: adding a node that exists already returns the existing one, and
/// what is constant is folded, so that a pass that rebuilds a graph simplifies it on the way.
class graph {
public:
    list<node> nodes;
    list<int> pool;
    list<double> data;
    list<graph> bodies;
    list<ref> arguments;
    list<ref> results;
    fault mistake;

    // ---- reading

    constexpr int size() const { return nodes.size(); }
    constexpr node const& operator[](ref id) const { return nodes[id]; }
    constexpr shape const& dims(ref id) const { return nodes[id].dims; }
    constexpr ref operand(ref id, int k) const { return pool[nodes[id].operands + k]; }
    constexpr ref const* operands(ref id) const { return pool.data() + nodes[id].operands; }
    constexpr int const* attr(ref id) const { return pool.data() + nodes[id].attr; }
    template <class Op>
    constexpr bool is(ref id) const {
        return nodes[id].code == op::code<Op>;
    }
    constexpr bool is_constant(ref id, double value) const {
        return is<op::constant>(id) && nodes[id].value == value;
    }
    constexpr op::family kind(ref id) const { return op::table<op::family_of>[nodes[id].code]; }
    constexpr op::scan_layout layout(ref id) const { return op::scan_layout::read(attr(id)); }
    constexpr graph const& body(ref id) const { return bodies[nodes[id].body]; }

    constexpr void report(fault const& f) {
        if (mistake.what == fault::kind::nothing) mistake = f;
    }

    // ---- building: sources

    constexpr ref argument(shape const& dims) {
        node n;
        n.code = op::code<op::argument>;
        n.dims = dims;
        nodes.push_back(n);
        arguments.push_back(size() - 1);
        return size() - 1;
    }
    constexpr ref constant(double value, shape const& dims = {}) {
        node n;
        n.code = op::code<op::constant>;
        n.dims = dims;
        n.value = value;
        return intern(n, nullptr, nullptr);
    }
    constexpr ref literal(double const* values, shape const& dims) {
        node n;
        n.code = op::code<op::literal>;
        n.dims = dims;
        n.attrs = 1;
        int const start = data.size();
        data.append(list<double>(values, dims.size()));
        return intern(n, nullptr, &start);
    }

    // ---- building: elementwise; operands share one shape

    template <class Op, class... X>
    constexpr ref apply(X... x) {
        static_assert(sizeof...(X) == Op::arity);
        ref const operand[] = {x...};
        return elementwise(op::code<Op>, operand, Op::arity);
    }
    constexpr ref elementwise(int code, ref const* x, int count);
    /// x + y where either may be `none`, a zero.
    constexpr ref add(ref x, ref y) {
        if (x == none) return y;
        if (y == none) return x;
        return apply<op::add>(x, y);
    }

    // ---- building: views

    /// `to[i]`: the axis of the result that axis i of x becomes, increasing.
    constexpr ref broadcast(ref x, list<int> const& to, shape const& dims) {
        if (dims == nodes[x].dims) return x;
        if (is<op::constant>(x)) return constant(nodes[x].value, dims);
        if (is<op::broadcast>(x)) {
            ref const source = operand(x, 0);
            list<int> both;
            for (int i = 0; i < nodes[source].dims.rank; ++i) both.push_back(to[attr(x)[i]]);
            return broadcast(source, both, dims);
        }
        return structural(op::code<op::broadcast>, x, to, dims);
    }
    /// x under a new leading axis of n, along which it is constant.
    constexpr ref behind_front(ref x, int n) {
        list<int> to;
        for (int i = 0; i < nodes[x].dims.rank; ++i) to.push_back(i + 1);
        return broadcast(x, to, nodes[x].dims.with_front(n));
    }
    constexpr ref reshape(ref x, shape const& dims) {
        if (dims == nodes[x].dims) return x;
        if (is<op::constant>(x)) return constant(nodes[x].value, dims);
        if (is<op::reshape>(x)) return reshape(operand(x, 0), dims);
        return structural(op::code<op::reshape>, x, {}, dims);
    }
    constexpr ref transpose(ref x, list<int> const& order) {
        shape dims;
        dims.rank = order.size();
        bool identity = true;
        for (int i = 0; i < order.size(); ++i) {
            dims.extent[i] = nodes[x].dims.extent[order[i]];
            identity = identity && order[i] == i;
        }
        if (identity) return x;
        if (is<op::constant>(x)) return constant(nodes[x].value, dims);
        if (is<op::transpose>(x)) {
            list<int> both;
            for (int i = 0; i < order.size(); ++i) both.push_back(attr(x)[order[i]]);
            return transpose(operand(x, 0), both);
        }
        node n;
        n.code = op::code<op::transpose>;
        n.dims = dims;
        n.count = 1;
        n.attrs = order.size();
        return intern(n, &x, order.data());
    }
    /// `flags[i]`: 1 if axis i runs backwards.
    constexpr ref reverse(ref x, list<int> flags) {
        if (is<op::reverse>(x)) {
            for (int i = 0; i < flags.size(); ++i) flags[i] ^= attr(x)[i];
            return reverse(operand(x, 0), flags);
        }
        if (is<op::constant>(x) || !flags.contains(1)) return x;
        node n;
        n.code = op::code<op::reverse>;
        n.dims = nodes[x].dims;
        n.count = 1;
        n.attrs = flags.size();
        return intern(n, &x, flags.data());
    }
    constexpr ref slice(ref x, list<int> const& start, shape const& dims) {
        if (dims == nodes[x].dims) return x;
        if (is<op::constant>(x)) return constant(nodes[x].value, dims);
        if (is<op::slice>(x)) {
            list<int> both = start;
            for (int i = 0; i < both.size(); ++i) both[i] += attr(x)[i];
            return slice(operand(x, 0), both, dims);
        }
        if (is<op::concatenate>(x))
            if (ref const piece = piece_of(x, start, dims); piece != none) return piece;
        return structural(op::code<op::slice>, x, start, dims);
    }

    // ---- building: the rest

    constexpr ref pad(ref x, list<int> const& start, shape const& dims) {
        if (dims == nodes[x].dims) return x;
        return structural(op::code<op::pad>, x, start, dims);
    }
    constexpr ref concatenate(list<ref> const& x, int axis) {
        if (x.size() == 1) return x[0];
        node n;
        n.code = op::code<op::concatenate>;
        n.dims = nodes[x[0]].dims;
        for (int k = 1; k < x.size(); ++k) n.dims.extent[axis] += nodes[x[k]].dims.extent[axis];
        n.count = x.size();
        n.attrs = 1;
        return intern(n, x.data(), &axis);
    }
    constexpr ref contiguous(ref x) {
        node n;
        n.code = op::code<op::contiguous>;
        n.dims = nodes[x].dims;
        n.count = 1;
        return intern(n, &x, nullptr);
    }
    constexpr ref inspect(ref x, list<int> const& name) {
        node n;
        n.code = op::code<op::inspect>;
        n.dims = nodes[x].dims;
        n.count = 1;
        n.attrs = name.size();
        return intern(n, &x, name.data());
    }
    template <class Op>
    constexpr ref reduce(ref x, list<int> const& axes) {
        int elements = 1;
        for (int axis : axes) elements *= nodes[x].dims.extent[axis];
        if (elements == 1) return reshape(x, Op::infer(nodes[x].dims, axes.data(), axes.size()));
        node n;
        n.code = op::code<Op>;
        n.dims = Op::infer(nodes[x].dims, axes.data(), axes.size());
        n.count = 1;
        n.attrs = axes.size();
        return intern(n, &x, axes.data());
    }
    constexpr ref sum(ref x, list<int> const& axes) {
        if (is<op::constant>(x)) {
            double n = 1;
            shape const dims = nodes[x].dims;
            for (int axis : axes) n *= dims.extent[axis];
            return constant(nodes[x].value * n, op::sum::infer(dims, axes.data(), axes.size()));
        }
        return reduce<op::sum>(x, axes);
    }
    /// A·B, or A·B + addend.
    constexpr ref dot(ref a, ref b, bool a_transposed = false, bool b_transposed = false,
                      ref addend = none) {
        int const flags[] = {a_transposed, b_transposed};
        node n;
        n.code = op::code<op::dot>;
        n.dims = op::dot::infer(nodes[a].dims, nodes[b].dims, flags);
        n.count = addend == none ? 2 : 3;
        n.attrs = 2;
        ref const x[] = {a, b, addend};
        return intern(n, x, flags);
    }
    // Before its callers, since clang cannot instantiate it in their constants otherwise.
    template <class Op>
    constexpr ref indexed(ref index, ref x, int extent) {
        node n;
        n.code = op::code<Op>;
        n.dims = Op::infer(nodes[index].dims, nodes[x].dims, &extent);
        n.count = 2;
        n.attrs = std::is_same_v<Op, op::scatter_add> ? 1 : 0;
        ref const operands[] = {index, x};
        return intern(n, operands, &extent);
    }
    /// x[index], rows of x along its first axis.
    constexpr ref gather(ref index, ref x) { return indexed<op::gather>(index, x, 0); }
    /// Rows of x added up where `index` says, in a table of `extent` rows.
    constexpr ref scatter_add(ref index, ref x, int extent) {
        return indexed<op::scatter_add>(index, x, extent);
    }
    /// A loop; its results are read by `output`.
    constexpr ref scan(op::scan_layout const& layout, list<ref> const& operands, graph body) {
        list<int> words;
        layout.write(words);
        bodies.push_back(std::move(body));
        node n;
        n.code = op::code<op::scan>;
        n.count = operands.size();
        n.attrs = words.size();
        n.body = bodies.size() - 1;
        return intern(n, operands.data(), words.data());
    }
    constexpr ref output(ref loop, int k) {
        op::scan_layout const l = layout(loop);
        graph const& inside = body(loop);
        node n;
        n.code = op::code<op::output>;
        n.dims = inside.dims(inside.results[k]);
        if (k >= l.carries) n.dims = n.dims.with_front(l.steps);
        n.count = 1;
        n.attrs = 1;
        return intern(n, &loop, &k);
    }
    /// A node of any kind with other operands; the bodies of scans are copied from `source`.
    constexpr ref copy(graph const& source, ref id, list<ref> const& operands);

private:
    /// The slice of a concatenation if it lies within one operand.
    constexpr ref piece_of(ref x, list<int> start, shape const& dims) {
        int const axis = attr(x)[0];
        for (int k = 0; k < nodes[x].count; ++k) {
            ref const piece = operand(x, k);
            int const extent = nodes[piece].dims.extent[axis];
            if (start[axis] < extent)
                return start[axis] + dims.extent[axis] <= extent ? slice(piece, start, dims) : none;
            start[axis] -= extent;
        }
        return none;
    }

    list<int> table_;  ///< hash table of node ids, open addressing

    constexpr ref structural(int code, ref x, list<int> const& words, shape const& dims) {
        list<int> attr = words;
        for (int i = 0; i < dims.rank; ++i) attr.push_back(dims.extent[i]);
        node n;
        n.code = code;
        n.dims = dims;
        n.count = 1;
        n.attrs = attr.size();
        return intern(n, &x, attr.data());
    }
    constexpr ref intern(node n, ref const* operands, int const* attr);
    constexpr bool same(node const& a, node const& b, ref const* operands, int const* attr) const;
    constexpr void grow_table();
    constexpr unsigned hash(node const& n, ref const* operands, int const* attr) const;
};

}  // namespace v0
}  // namespace unspool

#include <unspool/graph/intern.hpp>
