// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/structure.hpp>
#include <unspool/graph/graph.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

/// Expressions. `tensor<traced<T>, N...>` is a value of the graph under construction: its type says
/// element and shape, its content is an index. Operands are never part of the type, so a shared
/// subexpression stays one node and types stay short.
namespace unspool {
inline namespace v0 {

/// Ids of expressions without a graph that have no meaning: the mistake is told already, or (less
/// the operation's code) it is an operation on constants alone.
inline constexpr ref mistake_is_told = -2;
inline constexpr ref constants_alone = -3;

/// A graph while a function, or the body of a loop inside it, is being traced.
struct trace_scope {
    graph g;
    trace_scope* parent = nullptr;  ///< the scope around a loop's body, as far as it is known
    trace_scope* root = this;
    int order = 0;  ///< of opening: of two open scopes the later one lies inside of the other
    int opened = 0;
    list<ref> outer;           ///< values of the parent that the body uses…
    list<ref> inner;           ///< …and the arguments that stand for them: its loop constants
    bool closed = false;       ///< the loop is complete; its values mean nothing any more
    list<trace_scope*> loops;  ///< closed ones inside, kept so that a leaked value is recognised

    constexpr trace_scope() = default;
    /// A loop's body. `around` is the innermost scope among its operands; a captured expression may
    /// show later that the loop lies further inside.
    constexpr explicit trace_scope(trace_scope* around) : parent(around) {
        constexpr int unknown = 1 << 30;
        root = around == nullptr ? this : around->root;
        order = around == nullptr ? unknown : root->order + ++root->opened;
    }
    trace_scope(trace_scope const&) = delete;
    trace_scope& operator=(trace_scope const&) = delete;
    constexpr ~trace_scope() {
        for (trace_scope* loop : loops) delete loop;
    }

    /// A value that goes on for one that a mistake leaves without meaning.
    constexpr ref stand_in(fault const& f, shape const& dims) {
        g.report(f);
        return g.constant(0, dims);
    }
    /// A value of `from`, this scope or one around it, as a value of this scope.
    constexpr ref import_value(trace_scope* from, ref id, shape const& dims) {
        if (from == this && !closed) return id;
        if (from->closed || from->order > order) return stand_in({fault::kind::outside, {}}, dims);
        if (parent == nullptr || parent->order < from->order) move_inside(from);
        ref const here = parent->import_value(from, id, dims);
        if (parent->g.is<op::constant>(here))
            return g.constant(parent->g[here].value, parent->g.dims(here));
        int const known = outer.find(here);
        if (known >= 0) return inner[known];
        outer.push_back(here);
        inner.push_back(g.argument(parent->g.dims(here)));
        return inner.back();
    }

private:
    constexpr void move_inside(trace_scope* around) {
        for (ref& id : outer) id = around->import_value(parent, id, parent->g.dims(id));
        parent = around;
    }
};

template <class Op, class T, std::size_t... N>
struct expr;

namespace detail {

template <class X>
inline constexpr bool is_traced = false;
template <class T>
inline constexpr bool is_traced<traced<T>> = true;
template <class T, int Steps>
inline constexpr bool is_traced<stacked<T, Steps>> = is_traced<T>;
template <class T, int Steps>
inline constexpr bool is_traced<unstacked<T, Steps>> = is_traced<T>;
template <class T, std::size_t... N>
inline constexpr bool is_traced<tensor<T, N...>> = is_traced<T>;
template <class Op, class T, std::size_t... N>
inline constexpr bool is_traced<expr<Op, T, N...>> = true;

}  // namespace detail

/// An expression of static shape. A default one is zero. An expression that depends on no argument
/// belongs to no graph yet: it is a number that every element shares, or a table.
template <class T, std::size_t... N>
struct tensor<traced<T>, N...> {
    using value_type = traced<T>;
    static constexpr int rank = sizeof...(N);
    static constexpr shape dims = shape::of(N...);
    static constexpr int count = dims.size();

    trace_scope* scope = nullptr;
    ref id = none;
    double fill = 0;
    T const* table = nullptr;

    static constexpr int size() { return count; }
    constexpr ref in(trace_scope& s) const {
        if (scope != nullptr) return s.import_value(scope, id, dims);
        if (id == mistake_is_told) return s.stand_in({fault::kind::told, {}}, dims);
        if (id <= constants_alone)
            return s.stand_in({fault::kind::constants, {constants_alone - id}}, dims);
        if (table == nullptr) return s.g.constant(fill, dims);
        double values[static_cast<std::size_t>(count)]{};
        for (int i = 0; i < count; ++i) values[i] = static_cast<double>(table[i]);
        return s.g.literal(values, dims);
    }
    /// An assignment keeps the shape: an expression of another one does not compile.
    template <class X>
        requires(detail::is_traced<X> && !std::is_base_of_v<tensor, X>)
    constexpr tensor& operator=(X const&) {
        static_assert(std::is_void_v<X>,
                      "unspool: an expression is assigned to one of another shape or "
                      "element type; both stand in tensor<…>::operator=<…>");
        scope = nullptr;
        id = mistake_is_told;
        return *this;
    }
    /// A traced expression has no value to branch on.
    template <std::same_as<bool> Truth>
    constexpr explicit operator Truth() const {
        static_assert(std::is_void_v<Truth>,
                      "unspool: an expression has no value while it is traced; "
                      "use us::select instead of if, ?:, && and !");
        return false;
    }
    /// x[t]: the t-th element along the first axis. An index out of range does not compile.
    constexpr auto operator[](int t) const;
    /// x(us::all, us::range<2, 5>, us::at<3>): a part, one item for each axis; see
    /// expr/indexing.hpp.
    template <class... I>
    constexpr auto operator()(I... items) const;
};

/// The expression that an operation gives: the operation, the element type and the shape are its
/// type. It is a `tensor<traced<T>, N...>` and converts from any expression of that shape, so that
/// `h = tanh(h)` works whatever made h.
template <class Op, class T, std::size_t... N>
struct expr : tensor<traced<T>, N...> {
    using tensor<traced<T>, N...>::operator=;
    constexpr expr() = default;
    constexpr expr(tensor<traced<T>, N...> const& value) : tensor<traced<T>, N...>(value) {}
};

/// A scalar expression under the name that a member of type T has in the traced form of a struct.
template <class T>
struct traced : tensor<traced<T>> {
    using tensor<traced<T>>::operator=;
    constexpr traced() = default;
    constexpr traced(tensor<traced<T>> const& value) : tensor<traced<T>>(value) {}
    constexpr traced(T value) { this->fill = static_cast<double>(value); }
};

template <class T>
inline constexpr bool is_tensor<traced<T>> = true;
template <class T, template <class> class Map>
struct map_elements<traced<T>, Map> {
    using type = tensor<Map<traced<T>>>;
};

template <class Op, class T, std::size_t... N>
inline constexpr bool is_tensor<expr<Op, T, N...>> = true;
template <class Op, class T, std::size_t... N>
struct element<expr<Op, T, N...>> {
    using type = T;
};
template <class Op, class T, std::size_t... N, template <class> class Map>
struct map_elements<expr<Op, T, N...>, Map> {
    using type = tensor<Map<traced<T>>, N...>;
};

namespace detail {

template <class T>
using traced_number = traced<typename element<T>::type>;
template <class T>
using plain_number = typename element<T>::type;
template <class T>
using to_traced = typename map_number<T, traced_number>::type;
template <class T>
using to_plain = typename map_number<T, plain_number>::type;

template <class T, shape S, class Axes>
struct sized;
template <class T, shape S, std::size_t... I>
struct sized<T, S, std::index_sequence<I...>> {
    using type = tensor<traced<T>, static_cast<std::size_t>(S.extent[I])...>;
    template <class Op>
    using of = expr<Op, T, static_cast<std::size_t>(S.extent[I])...>;
};

}  // namespace detail

/// An expression: what a traced function computes with.
template <class X>
concept expression = detail::is_traced<std::remove_cvref_t<X>>;

/// The structure X with its leaves as expressions, and back.
template <class X>
using as_traced = map_elements_t<std::remove_cvref_t<X>, detail::to_traced>;
template <class X>
using as_plain = map_elements_t<std::remove_cvref_t<X>, detail::to_plain>;

/// The expression type of a shape that is known as a value.
template <class T, shape S>
using traced_tensor =
    typename detail::sized<T, S, std::make_index_sequence<static_cast<unsigned>(S.rank)>>::type;
template <class Op, class T, shape S>
using traced_expr = typename detail::sized<
    T, S, std::make_index_sequence<static_cast<unsigned>(S.rank)>>::template of<Op>;

/// Numbers and plain tensors may stand beside expressions: they become constants of that element
/// type.
template <class X>
concept operand = expression<X> || std::is_arithmetic_v<std::remove_cvref_t<X>> ||
    is_tensor<std::remove_cvref_t<X>>;

namespace detail {

/// The first floating-point type among element types, void if there is none.
template <class... Element>
struct first_floating {
    using type = void;
};
template <class First, class... Rest>
struct first_floating<First, Rest...> : first_floating<Rest...> {};
template <class First, class... Rest>
    requires std::is_floating_point_v<First>
struct first_floating<First, Rest...> {
    using type = First;
};
/// The first among the elements of structures.
template <class... X>
struct shared_element {
    template <class... Leaf>
    static first_floating<element_t<Leaf>...> find(std::tuple<Leaf...>*);
    using type = typename decltype(find(
        static_cast<typename leaves_of<std::tuple<X...>>::type*>(nullptr)))::type;
};

template <class T>
struct with_integers_as {
    template <class E>
    using number =
        traced<std::conditional_t<std::is_integral_v<plain_number<E>>, T, plain_number<E>>>;
    template <class E>
    using map = typename map_number<E, number>::type;
};
/// The structure X with its leaves as expressions, integers as numbers of type T.
template <class T, class X>
using numbers_of = map_elements_t<std::remove_cvref_t<X>, with_integers_as<T>::template map>;

template <class T>
constexpr tensor<traced<T>> lift(double value) {
    tensor<traced<T>> e;
    e.fill = value;
    return e;
}

/// An operand as an expression with elements of type T.
template <class T, class X>
constexpr auto as_expression(X const& x) {
    if constexpr (std::is_arithmetic_v<X>) {
        return lift<T>(static_cast<double>(x));
    } else if constexpr (expression<X>) {
        return static_cast<as_traced<X>>(x);
    } else {
        as_traced<X> e;
        e.table = x.data();
        return e;
    }
}

/// A leaf as an expression of its own element type.
template <class Leaf>
constexpr auto lifted(Leaf const& leaf) {
    return as_expression<element_t<Leaf>>(leaf);
}

/// The innermost scope among operands: where an operation on them takes place.
constexpr trace_scope* deepest(trace_scope* a, trace_scope* b) {
    if (a == nullptr) return b;
    if (b == nullptr) return a;
    if (a->closed || b->closed) return a->closed ? b : a;
    return a->order < b->order ? b : a;
}
template <class... X>
constexpr trace_scope* scope_of(X const&... x) {
    trace_scope* s = nullptr;
    ((s = deepest(s, x.scope)), ...);
    return s;
}

/// The element type of the expressions among the operands, which must be one but for constants of
/// integers.
template <class... X>
struct common_element {
    using type = int;
};
template <class X, class... Rest>
struct common_element<X, Rest...> : common_element<Rest...> {};
template <class X, class... Rest>
    requires(expression<X>&& std::is_floating_point_v<element_t<X>>)
struct common_element<X, Rest...> {
    using type = element_t<X>;
};

/// Numbers beside an expression take its element type, and so do tensors of integers and truth
/// values; others must have it.
template <class T, class X>
inline constexpr bool has_element =
    std::is_same_v<T, element_t<X>> || std::is_arithmetic_v<std::remove_cvref_t<X>> ||
    std::is_integral_v<element_t<X>>;

/// What an operation gives that cannot be done.
template <class Op, class T, shape S>
constexpr auto no_result(fault::kind what, trace_scope* scope) {
    traced_tensor<T, S> result;
    result.scope = scope;
    if (scope != nullptr) result.id = scope->stand_in({what, {op::code<Op>}}, S);
    else if (what == fault::kind::told) result.id = mistake_is_told;
    else result.id = constants_alone - op::code<Op>;
    return traced_expr<Op, T, S>(result);
}

}  // namespace detail
}  // namespace v0
}  // namespace unspool
