// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/graph/graph.hpp>

/// Freezing turns a graph, which lives in transient memory of a constant evaluation, into a
/// constant with arrays of its own size; thawing turns it back. Passes run between the two.
namespace unspool {
inline namespace v0 {

struct graph_sizes {
    int graphs = 0;
    int nodes = 0;
    int pool = 0;
    int data = 0;
    int edges = 0;  ///< arguments and results of all graphs
};

/// A graph and, behind it, the bodies of its scans, each one run in the arrays.
template <graph_sizes Size>
struct frozen_graph {
    struct part {
        int nodes = 0, pool = 0, data = 0, arguments = 0, results = 0, bodies = 0;
    };
    part parts[static_cast<unsigned>(Size.graphs)]{};
    node nodes[static_cast<unsigned>(Size.nodes + 1)]{};
    int pool[static_cast<unsigned>(Size.pool + 1)]{};
    double data[static_cast<unsigned>(Size.data + 1)]{};
    int edges[static_cast<unsigned>(Size.edges + 1)]{};
    fault mistake;
};

namespace detail {

constexpr void measure(graph const& g, graph_sizes& s) {
    s.graphs += 1;
    s.nodes += g.size();
    s.pool += g.pool.size();
    s.data += g.data.size();
    s.edges += g.arguments.size() + g.results.size();
    for (graph const& body : g.bodies) measure(body, s);
}

template <graph_sizes Size>
constexpr void freeze_into(graph const& g, frozen_graph<Size>& f, graph_sizes& at) {
    f.parts[at.graphs++] = {g.size(),           g.pool.size(),    g.data.size(),
                            g.arguments.size(), g.results.size(), g.bodies.size()};
    for (node const& n : g.nodes) f.nodes[at.nodes++] = n;
    for (int word : g.pool) f.pool[at.pool++] = word;
    for (double value : g.data) f.data[at.data++] = value;
    for (ref id : g.arguments) f.edges[at.edges++] = id;
    for (ref id : g.results) f.edges[at.edges++] = id;
    for (graph const& body : g.bodies) freeze_into(body, f, at);
}

template <graph_sizes Size>
constexpr graph thaw_from(frozen_graph<Size> const& f, graph_sizes& at) {
    auto const part = f.parts[at.graphs++];
    graph g;
    g.nodes = list<node>(f.nodes + at.nodes, part.nodes);
    g.pool = list<int>(f.pool + at.pool, part.pool);
    g.data = list<double>(f.data + at.data, part.data);
    g.arguments = list<ref>(f.edges + at.edges, part.arguments);
    g.results = list<ref>(f.edges + at.edges + part.arguments, part.results);
    at.nodes += part.nodes;
    at.pool += part.pool;
    at.data += part.data;
    at.edges += part.arguments + part.results;
    for (int i = 0; i < part.bodies; ++i) g.bodies.push_back(thaw_from(f, at));
    return g;
}

}  // namespace detail

constexpr graph_sizes measure(graph const& g) {
    graph_sizes s;
    detail::measure(g, s);
    return s;
}

namespace detail {
template <class Make>
inline constexpr graph_sizes sizes_of = unspool::measure(Make{}());
}

/// The graph that `Make{}()` returns, as a constant. `Make` is called twice, once for the sizes.
template <class Make>
constexpr auto freeze() {
    frozen_graph<detail::sizes_of<Make>> f;
    graph_sizes at;
    graph const g = Make{}();
    detail::freeze_into(g, f, at);
    f.mistake = g.mistake;
    return f;
}

/// A frozen graph, to be read or rebuilt. It is not meant to be added to.
template <graph_sizes Size>
constexpr graph thaw(frozen_graph<Size> const& f) {
    graph_sizes at;
    return detail::thaw_from(f, at);
}

}  // namespace v0
}  // namespace unspool
