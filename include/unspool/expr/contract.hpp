// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unspool/expr/arrange.hpp>
#include <unspool/expr/diagonal.hpp>
#include <unspool/expr/reduction.hpp>

/// Sums of products over named axes: einsum, and what are special cases of it.
namespace unspool {
inline namespace v0 {
namespace detail {

/// A name for each axis of a value; axes of one name run together.
struct labels {
    int count = 0;
    int name[max_rank] = {};

    constexpr int find(int label) const {
        for (int i = 0; i < count; ++i)
            if (name[i] == label) return i;
        return none;
    }
    constexpr void add(int label) { name[count++] = label; }
    /// Those that `keep` says, in order.
    template <class Keep>
    constexpr labels only(Keep keep) const {
        labels r;
        for (int i = 0; i < count; ++i)
            if (keep(name[i])) r.add(name[i]);
        return r;
    }
    constexpr labels then(labels const& more) const {
        labels r = *this;
        for (int i = 0; i < more.count; ++i) r.add(more.name[i]);
        return r;
    }
};

/// The shape of a value whose axes are named as in `to`, from one whose axes are named as in
/// `from`.
constexpr shape named_shape(labels const& to, labels const& from, shape const& dims) {
    shape s;
    s.rank = to.count;
    for (int i = 0; i < to.count; ++i) s.extent[i] = dims.extent[from.find(to.name[i])];
    return s;
}

/// A value of the graph with names for its axes.
struct named {
    ref id = none;
    labels axes;
};

/// x with one axis for each name: axes of one name become their diagonal.
constexpr named without_repeats(graph& g, named x) {
    for (int i = 0; i < x.axes.count; ++i) {
        for (int j = x.axes.count - 1; j > i; --j) {
            if (x.axes.name[j] != x.axes.name[i]) continue;
            shape dims = g.dims(x.id);
            list<int> const order = moved_order(dims.rank, j, i + 1);
            dims = permuted(dims, order);
            int const n = dims.extent[i];
            // The two axes as one, in which the diagonal's elements are n + 1 apart.
            shape joined = with_extent(dims, i + 1, 0);
            joined.extent[i] = n * n;
            ref const flat = g.reshape(g.transpose(x.id, order), joined);
            x.id = strided(g, flat, i, 0, n + 1, n);
            x.axes.name[j] = none;
            x.axes = x.axes.only([](int label) { return label != none; });
        }
    }
    return x;
}
/// x with the named axes in that order and the others summed over.
constexpr named arranged(graph& g, named x, labels const& axes) {
    list<int> summed;
    for (int i = 0; i < x.axes.count; ++i)
        if (axes.find(x.axes.name[i]) == none) summed.push_back(i);
    if (!summed.empty()) x.id = g.sum(x.id, summed);
    x.axes = x.axes.only([&](int label) { return axes.find(label) != none; });
    list<int> order;
    for (int i = 0; i < axes.count; ++i) order.push_back(x.axes.find(axes.name[i]));
    return {g.transpose(x.id, order), axes};
}
/// The product of two values with the axes `kept`, summed over the others: a matrix product behind
/// the axes that both have; elementwise where there is nothing to sum or each matrix is a vector.
constexpr named contracted(graph& g, named a, named b, labels const& kept) {
    auto in = [](labels const& l) { return [&l](int label) { return l.find(label) != none; }; };
    a = without_repeats(g, a);
    b = without_repeats(g, b);
    labels const shared = a.axes.only(in(b.axes));
    labels const batch = shared.only(in(kept));
    labels const inner = shared.only([&](int label) { return kept.find(label) == none; });
    auto own = [&](labels const& l) {
        return l.only(
            [&](int label) { return kept.find(label) != none && shared.find(label) == none; });
    };
    labels const rows = own(a.axes);
    labels const columns = own(b.axes);
    a = arranged(g, a, batch.then(rows).then(inner));
    b = arranged(g, b, batch.then(inner).then(columns));
    shape const a_dims = g.dims(a.id);
    shape const b_dims = g.dims(b.id);
    int const batches = a_dims.span(0, batch.count);
    int const m = a_dims.span(batch.count, batch.count + rows.count);
    int const k = b_dims.span(batch.count, batch.count + inner.count);
    int const n = b_dims.span(batch.count + inner.count, b_dims.rank);
    shape result = named_shape(batch.then(rows), a.axes, a_dims);
    for (int i = batch.count + inner.count; i < b_dims.rank; ++i)
        result.extent[result.rank++] = b_dims.extent[i];
    labels const axes = batch.then(rows).then(columns);
    bool const elementwise = k == 1 || (m == 1 && n == 1 && batches > 1);
    if (elementwise) {
        shape const whole = shape::of(batches, m, k, n);
        ref const left = g.broadcast(g.reshape(a.id, shape::of(batches, m, k)), {0, 1, 2}, whole);
        ref const right = g.broadcast(g.reshape(b.id, shape::of(batches, k, n)), {0, 2, 3}, whole);
        return {g.reshape(g.sum(g.apply<op::multiply>(left, right), {2}), result), axes};
    }
    auto matrices_of = [&](ref id, int first, int second) {
        shape s = shape::of(first, second);
        return g.reshape(id, batches == 1 ? s : s.with_front(batches));
    };
    return {g.reshape(g.dot(matrices_of(a.id, m, k), matrices_of(b.id, k, n)), result), axes};
}

/// The labels as a structural type: what a contraction is.
template <int Operands>
struct contraction {
    labels operand[Operands]{};
    labels result{};
};

/// Operands one after the other, from the left: of what is done, the axes stay that the rest or
/// the result need.
template <contraction C, expression First, expression... Rest>
constexpr auto contract(First const& first, Rest const&... rest) {
    using T = element_t<First>;
    constexpr shape s = [] {
        shape r;
        shape const dims[] = {First::dims, Rest::dims...};
        r.rank = C.result.count;
        for (int i = 0; i < r.rank; ++i)
            for (std::size_t k = 0; k < std::size(dims); ++k)
                if (int const at = C.operand[k].find(C.result.name[i]); at != none)
                    r.extent[i] = dims[k].extent[at];
        return r;
    }();
    trace_scope* scope = scope_of(first, rest...);
    if (scope == nullptr) return no_result<op::dot, T, s>(fault::kind::constants, scope);
    graph& g = scope->g;
    ref const ids[] = {first.in(*scope), rest.in(*scope)...};
    constexpr int count = 1 + sizeof...(Rest);
    named all = without_repeats(g, {ids[0], C.operand[0]});
    for (int k = 1; k < count; ++k) {
        labels needed = C.result;
        for (int later = k + 1; later < count; ++later)
            needed = needed.then(
                C.operand[later].only([&](int label) { return needed.find(label) == none; }));
        all = contracted(g, all, {ids[k], C.operand[k]}, needed);
    }
    traced_tensor<T, s> result;
    result.scope = scope;
    result.id = arranged(g, all, C.result).id;
    return traced_expr<op::dot, T, s>(result);
}

/// A string as a template argument.
template <std::size_t N>
struct subscripts {
    char text[N]{};
    constexpr subscripts(char const (&s)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
    }
};

/// What is wrong with subscripts.
enum class subscript_mistake { no, form, operands, rank, extent, output, twice };

/// Subscripts read: "ij,jk->ik".
template <int Operands>
struct parsed {
    contraction<Operands> meaning;
    subscript_mistake mistake = subscript_mistake::no;
};
template <subscripts S, class... X>
constexpr auto parse() {
    constexpr int operands = sizeof...(X);
    parsed<operands> r;
    shape const dims[] = {X::dims...};
    auto wrong = [&](subscript_mistake m) {
        r.mistake = m;
        return r;
    };
    int k = 0;
    bool in_result = false;
    for (std::size_t i = 0; i + 1 < sizeof(S.text); ++i) {
        char const c = S.text[i];
        if (c == ' ') continue;
        if (c == ',' && !in_result) {
            if (++k >= operands) return wrong(subscript_mistake::operands);
        } else if (c == '-' && S.text[i + 1] == '>' && !in_result) {
            in_result = true;
            ++i;
        } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            labels& l = in_result ? r.meaning.result : r.meaning.operand[k];
            if (l.count == max_rank) return wrong(subscript_mistake::rank);
            l.add(c);
        } else {
            return wrong(subscript_mistake::form);
        }
    }
    if (!in_result) return wrong(subscript_mistake::form);
    if (k + 1 != operands) return wrong(subscript_mistake::operands);
    int extent['z' + 1] = {};
    for (int o = 0; o < operands; ++o) {
        labels const& l = r.meaning.operand[o];
        if (l.count != dims[o].rank) return wrong(subscript_mistake::rank);
        for (int i = 0; i < l.count; ++i) {
            int& known = extent[l.name[i]];
            if (known != 0 && known != dims[o].extent[i]) return wrong(subscript_mistake::extent);
            known = dims[o].extent[i];
        }
    }
    labels const& l = r.meaning.result;
    for (int i = 0; i < l.count; ++i) {
        if (extent[l.name[i]] == 0) return wrong(subscript_mistake::output);
        if (l.find(l.name[i]) != i) return wrong(subscript_mistake::twice);
    }
    return r;
}

/// 0, 1, … from `first` on.
constexpr labels numbered(int first, int count) {
    labels l;
    for (int i = 0; i < count; ++i) l.add(first + i);
    return l;
}
/// A contraction of two operands over axes that lie last in a and, of b, last or first.
template <class A, class B>
constexpr contraction<2> joined(int axes, bool last_of_b) {
    contraction<2> c;
    labels const rows = numbered(0, A::rank - axes);
    labels const inner = numbered(A::rank - axes, axes);
    labels const columns = numbered(A::rank, B::rank - axes);
    c.operand[0] = rows.then(inner);
    c.operand[1] = last_of_b ? columns.then(inner) : inner.then(columns);
    c.result = rows.then(columns);
    return c;
}

template <class First, class... Rest>
constexpr auto product_elements() {
    constexpr bool one_element = (has_element<element_t<First>, Rest> && ...);
    static_assert(one_element,
                  "unspool: a product mixes float and double; use one element type; the operands "
                  "stand in product_elements<tensor, tensor…>");
    return one_element;
}

}  // namespace detail

/// Einstein's sum, as NumPy's einsum with its output named: `us::einsum<"ij,jk->ik">(a, b)`. Each
/// operand's axes are named by letters; axes of one name run together, and those that the output
/// lacks are summed over. A letter twice in one operand takes its diagonal. One to three operands;
/// pairs become matrix products, from the left as written: no cheaper order is looked for, so a
/// vector behind two matrices is best named first, as in "k,jk,ij->i".
template <detail::subscripts Subscripts, expression... X>
    requires(sizeof...(X) >= 1 && sizeof...(X) <= 3)
constexpr auto einsum(X const&... x) {
    using detail::subscript_mistake;
    constexpr auto p = detail::parse<Subscripts, X...>();
    constexpr subscript_mistake wrong = p.mistake;
    using First = std::tuple_element_t<0, std::tuple<X...>>;
    constexpr bool one_element = detail::product_elements<X...>();
    static_assert(wrong != subscript_mistake::form,
                  "unspool: the subscripts of einsum are letters for each operand, between commas, "
                  "and after -> those of the result, as in \"ij,jk->ik\"");
    static_assert(wrong != subscript_mistake::operands,
                  "unspool: the subscripts of einsum are for another number of operands; what it "
                  "has stands in einsum<subscripts, tensors…>");
    static_assert(wrong != subscript_mistake::rank,
                  "unspool: the subscripts of einsum have one letter for each axis of an operand; "
                  "they and the operands stand in einsum<subscripts, tensors…>");
    static_assert(wrong != subscript_mistake::extent,
                  "unspool: axes that einsum gives one letter have different extents; the "
                  "subscripts and the operands stand in einsum<subscripts, tensors…>");
    static_assert(wrong != subscript_mistake::output,
                  "unspool: the result of einsum has a letter that no operand has; the subscripts "
                  "stand in einsum<subscripts, tensors…>");
    static_assert(wrong != subscript_mistake::twice,
                  "unspool: the result of einsum has a letter twice; the subscripts stand in "
                  "einsum<subscripts, tensors…>");
    if constexpr (wrong == subscript_mistake::no && one_element)
        return detail::contract<p.meaning>(x...);
    else
        return detail::no_result<op::dot, element_t<First>, shape{}>(fault::kind::told,
                                                                     detail::scope_of(x...));
}

/// The sum over the last `Axes` axes of a and the first of b, as NumPy's tensordot.
template <int Axes = 2, expression A, expression B>
constexpr auto tensordot(A const& a, B const& b) {
    constexpr bool fits = [] {
        bool same = Axes >= 0 && Axes <= A::rank && Axes <= B::rank;
        for (int i = 0; same && i < Axes; ++i)
            same = A::dims.extent[A::rank - Axes + i] == B::dims.extent[i];
        return same;
    }();
    static_assert(fits, "unspool: the last axes of the left operand of tensordot are not the first "
                        "of the right; their number and the operands stand in tensordot<axes, "
                        "tensor, tensor>");
    if constexpr (fits && detail::product_elements<A, B>())
        return detail::contract<detail::joined<A, B>(Axes, false)>(a, b);
    else
        return detail::no_result<op::dot, element_t<A>, shape{}>(fault::kind::told,
                                                                 detail::scope_of(a, b));
}

/// The sum over the last axes of both, as NumPy's inner.
template <expression A, expression B>
constexpr auto inner(A const& a, B const& b) {
    constexpr bool fits = A::rank > 0 && B::rank > 0 &&
                          A::dims.extent[A::rank > 0 ? A::rank - 1 : 0] ==
                              B::dims.extent[B::rank > 0 ? B::rank - 1 : 0];
    static_assert(fits, "unspool: the last axes of the operands of inner differ; the operands "
                        "stand in inner<tensor, tensor>");
    if constexpr (fits && detail::product_elements<A, B>())
        return detail::contract<detail::joined<A, B>(1, true)>(a, b);
    else
        return detail::no_result<op::dot, element_t<A>, shape{}>(fault::kind::told,
                                                                 detail::scope_of(a, b));
}

/// The products of all elements of a with all of b, both flattened: a matrix, as NumPy's outer.
template <expression A, expression B>
constexpr auto outer(A const& a, B const& b) {
    return tensordot<0>(flatten(a), flatten(b));
}
/// The sum of the products of the elements of both, flattened: a scalar, as NumPy's vdot.
template <expression A, expression B>
constexpr auto vdot(A const& a, B const& b) {
    return tensordot<1>(flatten(a), flatten(b));
}

}  // namespace v0
}  // namespace unspool
