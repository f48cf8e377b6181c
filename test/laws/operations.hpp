// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "laws/law.hpp"

#include <cmath>

/// The laws of each operation: how it is used, and a formula for its value written independently of
/// the library. Adding an operation to op::all without one here does not compile: see `all_lawful`.
namespace unspool_test {

using ints = unspool::list<int>;

// ---- index arithmetic for the formulas of structural operations

/// Calls f(index) for each multi-index of a shape, last axis fastest.
template <class F>
void for_each_index(shape const& s, F f) {
    std::vector<int> index(static_cast<std::size_t>(s.rank), 0);
    for (int i = 0; i < s.size(); ++i) {
        int rest = i;
        for (int axis = s.rank - 1; axis >= 0; --axis) {
            index[static_cast<std::size_t>(axis)] = rest % s.extent[axis];
            rest /= s.extent[axis];
        }
        f(index);
    }
}
inline std::size_t position(shape const& s, std::vector<int> const& index) {
    int at = 0;
    for (int axis = 0; axis < s.rank; ++axis)
        at = at * s.extent[axis] + index[static_cast<std::size_t>(axis)];
    return static_cast<std::size_t>(at);
}
/// y[index] = x[from(index)], 0 where `from` gives nothing.
template <class From>
constexpr auto gathered(shape const& x_dims, shape const& y_dims, From from) {
    return [=](elements const& x) {
        std::vector<double> y;
        for_each_index(y_dims, [&](std::vector<int> const& index) {
            std::vector<int> const source = from(index);
            bool inside = true;
            for (int axis = 0; axis < x_dims.rank; ++axis) {
                int const i = source[static_cast<std::size_t>(axis)];
                inside = inside && i >= 0 && i < x_dims.extent[axis];
            }
            y.push_back(inside ? x[0][position(x_dims, source)] : 0.0);
        });
        return y;
    };
}

// ---- elementwise operations, with operands that broadcast as in NumPy

/// Where an element of the result lies in an operand that is aligned to its last axes.
inline std::size_t broadcast_position(shape const& x, std::vector<int> const& index) {
    auto source = index;
    source.erase(source.begin(), source.end() - x.rank);
    for (int axis = 0; axis < x.rank; ++axis)
        if (x.extent[axis] == 1) source[static_cast<std::size_t>(axis)] = 0;
    return position(x, source);
}
/// x with the shape y.
constexpr ref stretched(graph& g, ref x, shape const& y) {
    shape const dims = g.dims(x);
    shape kept;
    ints axes;
    for (int axis = 0; axis < dims.rank; ++axis) {
        int const to = y.rank - dims.rank + axis;
        if (dims.extent[axis] != y.extent[to]) continue;
        kept.extent[kept.rank++] = dims.extent[axis];
        axes.push_back(to);
    }
    return g.broadcast(g.reshape(x, kept), axes, y);
}
/// Not of the operations that choose one of two equal numbers.
template <class Op>
constexpr bool signs_zeros = !(std::is_same_v<Op, op::maximum> || std::is_same_v<Op, op::minimum> ||
                               std::is_same_v<Op, op::relu>);

template <class Op, class Formula>
constexpr use elementwise_use(unspool::list<shape> const& x, shape const& y, Formula formula,
                              unspool::list<detail::interval> const& domain) {
    return {x,
            [=](graph& g, ref const* operand) {
                ref same[3] = {};
                for (int k = 0; k < Op::arity; ++k) same[k] = stretched(g, operand[k], y);
                return g.elementwise(op::code<Op>, same, Op::arity);
            },
            [=](elements const& values) {
                std::vector<double> result;
                for_each_index(y, [&](std::vector<int> const& index) {
                    auto const element = [&](int k) {
                        return values[static_cast<std::size_t>(k)][broadcast_position(x[k], index)];
                    };
                    if constexpr (Op::arity == 1) result.push_back(formula(element(0)));
                    else if constexpr (Op::arity == 2)
                        result.push_back(formula(element(0), element(1)));
                    else result.push_back(formula(element(0), element(1), element(2)));
                });
                return result;
            },
            domain,
            false,
            signs_zeros<Op>};
}

/// From `laws<Op>::formula`, which holds for every number, and the `domain` of its differences.
template <class Op>
struct elementwise_laws {
    static constexpr use on(unspool::list<shape> const& x, shape const& y) {
        return elementwise_use<Op>(x, y, laws<Op>::formula, laws<Op>::domain());
    }
    static constexpr unspool::list<use> uses() {
        unspool::list<use> all;
        for (shape const& s : {shape{}, shape::of(1), shape::of(17), shape::of(2, 3, 2)})
            all.push_back(on(unspool::list<shape>(Op::arity, s), s));
        return all;
    }
    /// Each operand with another part of the result's axes.
    static constexpr use broadcasting() {
        shape const y = shape::of(3, 5);
        shape const x[] = {shape::of(3, 1), shape::of(5), shape{}};
        return on(unspool::list<shape>(x, Op::arity), y);
    }
};

// ---- structure

template <>
struct laws<op::argument> {
    static constexpr unspool::list<use> uses() {
        return {{{shape::of(2, 3)},
                 [](graph&, ref const* x) { return x[0]; },
                 [](elements const& x) { return x[0]; }}};
    }
};
template <>
struct laws<op::constant> {
    static constexpr unspool::list<use> uses() {
        return {{{},
                 [](graph& g, ref const*) { return g.constant(0.75, shape::of(2, 2)); },
                 [](elements const&) { return std::vector<double>(4, 0.75); }}};
    }
};
template <>
struct laws<op::literal> {
    static constexpr unspool::list<use> uses() {
        return {{{},
                 [](graph& g, ref const*) {
                     double const table[] = {1, -2, 0.5};
                     return g.literal(table, shape::of(3));
                 },
                 [](elements const&) {
                     return std::vector<double>{1, -2, 0.5};
                 }}};
    }
};

/// c ← tanh(a·c + x_t), y_t = c before·x_t, three steps, either way.
constexpr use recurrence(bool reverse, bool read_carry) {
    shape const s = shape::of(2);
    constexpr int steps = 3;
    return {{s, s, s.with_front(steps)},
            [=](graph& g, ref const* x) {
                graph body;
                ref const a = body.argument(s);
                ref const c = body.argument(s);
                ref const in = body.argument(s);
                ref const z = body.apply<op::add>(body.apply<op::multiply>(a, c), in);
                body.results.push_back(body.apply<op::tanh>(z));
                body.results.push_back(body.apply<op::multiply>(c, in));
                op::scan_layout const l{steps, reverse, 1, 1, 1, 1, 0};
                ref const loop = g.scan(l, {x[0], x[1], x[2]}, std::move(body));
                return g.output(loop, read_carry ? 0 : 1);
            },
            [=](elements const& x) {
                std::vector<double> c = x[1];
                std::vector<double> y(2 * steps);
                for (int i = 0; i < steps; ++i) {
                    int const t = reverse ? steps - 1 - i : i;
                    for (std::size_t k = 0; k < 2; ++k) {
                        std::size_t const at = 2 * static_cast<std::size_t>(t) + k;
                        y[at] = c[k] * x[2][at];
                        c[k] = std::tanh(x[0][k] * c[k] + x[2][at]);
                    }
                }
                return read_carry ? c : y;
            },
            {},
            true};
}
template <>
struct laws<op::scan> {
    static constexpr unspool::list<use> uses() {
        return {recurrence(false, true), recurrence(true, true)};
    }
};
template <>
struct laws<op::output> {
    static constexpr unspool::list<use> uses() {
        return {recurrence(false, false), recurrence(true, false), recurrence(false, true)};
    }
};

// ---- views and combinations

constexpr use broadcast_use(shape const& x, ints const& to, shape const& y) {
    return {{x},
            [=](graph& g, ref const* operand) { return g.broadcast(operand[0], to, y); },
            gathered(x, y, [=](std::vector<int> const& index) {
                std::vector<int> source;
                for (int axis : to) source.push_back(index[static_cast<std::size_t>(axis)]);
                return source;
            })};
}
template <>
struct laws<op::broadcast> {
    static constexpr unspool::list<use> uses() {
        return {broadcast_use({}, {}, shape::of(2, 3)),
                broadcast_use(shape::of(17), {1}, shape::of(3, 17)),
                broadcast_use(shape::of(2), {0}, shape::of(2, 3)),
                broadcast_use(shape::of(2, 3), {0, 2}, shape::of(2, 4, 3)),
                broadcast_use(shape::of(2, 3), {1, 3}, shape::of(2, 2, 1, 3)),
                broadcast_use(shape::of(1), {0}, shape::of(1, 3))};
    }
};
template <>
struct laws<op::reshape> {
    static constexpr unspool::list<use> uses() {
        unspool::list<use> all;
        shape const pairs[][2] = {{shape::of(2, 3), shape::of(6)},
                                  {shape::of(2, 3), shape::of(3, 2)},
                                  {shape{}, shape::of(1, 1)},
                                  {shape::of(1, 4, 1), shape::of(2, 2)}};
        for (auto const& [from, to] : pairs)
            all.push_back(
                {{from},
                 [target = to](graph& g, ref const* x) { return g.reshape(x[0], target); },
                 [](elements const& x) { return x[0]; }});
        return all;
    }
};
template <>
struct laws<op::transpose> {
    static constexpr use turned(shape const& x, ints const& order) {
        shape y = x;
        for (int i = 0; i < x.rank; ++i) y.extent[i] = x.extent[order[i]];
        return {{x},
                [=](graph& g, ref const* operand) { return g.transpose(operand[0], order); },
                gathered(x, y, [=](std::vector<int> const& index) {
                    std::vector<int> source(index.size());
                    for (int i = 0; i < order.size(); ++i)
                        source[static_cast<std::size_t>(order[i])] =
                            index[static_cast<std::size_t>(i)];
                    return source;
                })};
    }
    static constexpr unspool::list<use> uses() {
        return {turned(shape::of(17, 3), {1, 0}), turned(shape::of(2, 3, 4), {1, 2, 0}),
                turned(shape::of(2, 3, 4), {2, 0, 1}), turned(shape::of(2, 1, 3, 2), {3, 1, 0, 2})};
    }
};
template <>
struct laws<op::reverse> {
    static constexpr use turned_back(shape const& x, ints const& flags) {
        return {{x},
                [=](graph& g, ref const* operand) { return g.reverse(operand[0], flags); },
                gathered(x, x, [=](std::vector<int> index) {
                    for (int axis = 0; axis < x.rank; ++axis) {
                        int& i = index[static_cast<std::size_t>(axis)];
                        if (flags[axis] != 0) i = x.extent[axis] - 1 - i;
                    }
                    return index;
                })};
    }
    static constexpr unspool::list<use> uses() {
        return {turned_back(shape::of(17), {1}), turned_back(shape::of(3, 4), {0, 1}),
                turned_back(shape::of(2, 3, 2), {1, 0, 1})};
    }
};
template <>
struct laws<op::slice> {
    static constexpr use cut(shape const& x, ints const& start, shape const& y) {
        return {{x},
                [=](graph& g, ref const* operand) { return g.slice(operand[0], start, y); },
                gathered(x, y, [=](std::vector<int> index) {
                    for (int axis = 0; axis < x.rank; ++axis)
                        index[static_cast<std::size_t>(axis)] += start[axis];
                    return index;
                })};
    }
    static constexpr unspool::list<use> uses() {
        return {cut(shape::of(19), {2}, shape::of(17)),
                cut(shape::of(3, 4), {0, 1}, shape::of(3, 2)),
                cut(shape::of(3, 4), {2, 0}, shape::of(1, 4)),
                cut(shape::of(2, 3, 3), {1, 1, 0}, shape::of(1, 2, 2))};
    }
};
template <>
struct laws<op::pad> {
    static constexpr use placed(shape const& x, ints const& start, shape const& y) {
        return {{x},
                [=](graph& g, ref const* operand) { return g.pad(operand[0], start, y); },
                gathered(x, y, [=](std::vector<int> index) {
                    for (int axis = 0; axis < x.rank; ++axis)
                        index[static_cast<std::size_t>(axis)] -= start[axis];
                    return index;
                })};
    }
    static constexpr unspool::list<use> uses() {
        return {placed(shape::of(17), {2}, shape::of(20)),
                placed(shape::of(3, 2), {0, 1}, shape::of(3, 4)),
                placed(shape::of(1, 4), {2, 0}, shape::of(3, 4)),
                placed(shape::of(1, 2, 2), {1, 1, 0}, shape::of(2, 3, 3))};
    }
};
template <>
struct laws<op::concatenate> {
    static constexpr use joined(unspool::list<shape> const& x, int axis) {
        return {x,
                [=](graph& g, ref const* operand) {
                    return g.concatenate(unspool::list<ref>(operand, x.size()), axis);
                },
                [=](elements const& values) {
                    shape y = x[0];
                    for (int k = 1; k < x.size(); ++k) y.extent[axis] += x[k].extent[axis];
                    std::vector<double> result;
                    for_each_index(y, [&](std::vector<int> index) {
                        int k = 0;
                        auto& at = index[static_cast<std::size_t>(axis)];
                        for (; at >= x[k].extent[axis]; ++k) at -= x[k].extent[axis];
                        result.push_back(
                            values[static_cast<std::size_t>(k)][position(x[k], index)]);
                    });
                    return result;
                }};
    }
    static constexpr unspool::list<use> uses() {
        return {joined({shape::of(2), shape::of(3)}, 0),
                joined({shape::of(2, 3), shape::of(1, 3), shape::of(2, 3)}, 0),
                joined({shape::of(3, 1), shape::of(3, 17)}, 1),
                joined({shape::of(2, 1, 2), shape::of(2, 2, 2)}, 1),
                joined({shape::of(1), shape::of(1), shape::of(2), shape::of(1), shape::of(1)}, 0)};
    }
};
template <>
struct laws<op::contiguous> {
    static constexpr unspool::list<use> uses() {
        return {{{shape::of(2, 3)},
                 [](graph& g, ref const* x) { return g.contiguous(x[0]); },
                 [](elements const& x) { return x[0]; }}};
    }
};

// ---- reductions and products

template <class Op, class Fold>
constexpr use reduction_use(shape const& x, ints const& axes, double start, Fold fold) {
    use u;
    u.operands = {x};
    u.build = [=](graph& g, ref const* operand) { return g.reduce<Op>(operand[0], axes); };
    u.formula = [=](elements const& values) {
        shape y;
        std::vector<int> kept;
        for (int axis = 0; axis < x.rank; ++axis) {
            if (axes.contains(axis)) continue;
            y.extent[y.rank++] = x.extent[axis];
            kept.push_back(axis);
        }
        std::vector<double> result(static_cast<std::size_t>(y.size()), start);
        for_each_index(x, [&](std::vector<int> const& index) {
            std::vector<int> place;
            for (int axis : kept) place.push_back(index[static_cast<std::size_t>(axis)]);
            double& total = result[position(y, place)];
            total = fold(total, values[0][position(x, index)]);
        });
        return result;
    };
    u.sums = true;
    return u;
}
/// From `laws<Op>::start` and `laws<Op>::fold`.
template <class Op>
struct reduction_laws {
    static constexpr use on(shape const& x, ints const& axes) {
        return reduction_use<Op>(x, axes, laws<Op>::start, laws<Op>::fold);
    }
    static constexpr unspool::list<use> uses() {
        return {on(shape::of(17), {0}),         on(shape::of(2, 3), {0}),
                on(shape::of(3, 17), {1}),      on(shape::of(2, 3), {0, 1}),
                on(shape::of(2, 3, 2), {0, 2}), on(shape::of(2, 3, 2), {1}),
                on(shape::of(3, 1), {0})};
    }
};
template <>
struct laws<op::sum> : reduction_laws<op::sum> {
    static constexpr double start = 0;
    static constexpr auto fold = [](double a, double b) { return a + b; };
};
template <>
struct laws<op::reduce_max> : reduction_laws<op::reduce_max> {
    static constexpr double start = -1e300;
    static constexpr auto fold = [](double a, double b) { return std::fmax(a, b); };
};
template <>
struct laws<op::inspect> {
    static constexpr unspool::list<use> uses() {
        return {{{shape::of(2, 3)},
                 [](graph& g, ref const* x) {
                     return g.inspect(x[0], {'n', 'a', 'm', 'e'});
                 },
                 [](elements const& x) { return x[0]; }}};
    }
};

// ---- rows by index

/// The row that an index names among `extent`.
inline std::size_t named_row(double index, int extent) {
    return static_cast<std::size_t>(index < 0 ? index + extent : index);
}
template <>
struct laws<op::gather> {
    static constexpr use taken(shape const& index, shape const& table) {
        int const extent = table.extent[0];
        std::size_t const row = static_cast<std::size_t>(table.size() / extent);
        use u{{index, table},
              [](graph& g, ref const* x) { return g.gather(x[0], x[1]); },
              [=](elements const& x) {
                  std::vector<double> y;
                  for (double i : x[0])
                      for (std::size_t k = 0; k < row; ++k)
                          y.push_back(x[1][named_row(i, extent) * row + k]);
                  return y;
              }};
        u.indices = extent;
        return u;
    }
    static constexpr unspool::list<use> uses() {
        return {taken({}, shape::of(3)), taken(shape::of(4), shape::of(5, 17)),
                taken(shape::of(2, 3), shape::of(2, 2)), taken(shape::of(5), shape::of(1, 2, 2))};
    }
};
template <>
struct laws<op::scatter_add> {
    static constexpr use added(shape const& index, shape const& rows, int extent) {
        std::size_t const row = static_cast<std::size_t>(rows.size() / index.size());
        use u{{index, rows},
              [=](graph& g, ref const* x) { return g.scatter_add(x[0], x[1], extent); },
              [=](elements const& x) {
                  std::vector<double> y(static_cast<std::size_t>(extent) * row, 0.0);
                  for (std::size_t i = 0; i < x[0].size(); ++i)
                      for (std::size_t k = 0; k < row; ++k)
                          y[named_row(x[0][i], extent) * row + k] += x[1][i * row + k];
                  return y;
              },
              {},
              true};
        u.indices = extent;
        return u;
    }
    static constexpr unspool::list<use> uses() {
        return {added({}, shape::of(2), 3), added(shape::of(6), shape::of(6), 4),
                added(shape::of(2, 3), shape::of(2, 3, 2), 2),
                added(shape::of(4), shape::of(4, 1, 17), 5)};
    }
};

/// A product of `batch` matrices, m × k by k × n, with an addend or without.
constexpr use product_use(ints const& batch, int m, int k, int n, bool a_transposed,
                          bool b_transposed, bool addend) {
    auto const matrix = [&](int rows, int columns) {
        shape s;
        for (int extent : batch) s.extent[s.rank++] = extent;
        s.extent[s.rank++] = rows;
        s.extent[s.rank++] = columns;
        return s;
    };
    shape const a = a_transposed ? matrix(k, m) : matrix(m, k);
    shape const b = b_transposed ? matrix(n, k) : matrix(k, n);
    use u;
    u.operands = {a, b};
    if (addend) u.operands.push_back(matrix(m, n));
    u.build = [=](graph& g, ref const* x) {
        return g.dot(x[0], x[1], a_transposed, b_transposed, addend ? x[2] : unspool::none);
    };
    u.formula = [=](elements const& x) {
        std::vector<double> y;
        int const batches = a.size() / (m * k);
        for (int z = 0; z < batches; ++z)
            for (int row = 0; row < m; ++row)
                for (int column = 0; column < n; ++column) {
                    double total = addend ? x[2][y.size()] : 0;
                    for (int i = 0; i < k; ++i) {
                        int const in_a = z * m * k + (a_transposed ? i * m + row : row * k + i);
                        int const in_b =
                            z * k * n + (b_transposed ? column * k + i : i * n + column);
                        total += x[0][static_cast<std::size_t>(in_a)] *
                                 x[1][static_cast<std::size_t>(in_b)];
                    }
                    y.push_back(total);
                }
        return y;
    };
    u.sums = true;
    return u;
}
template <>
struct laws<op::dot> {
    static constexpr unspool::list<use> uses() {
        unspool::list<use> all;
        for (int form = 0; form < 8; ++form) {
            bool const ta = (form & 1) != 0;
            bool const tb = (form & 2) != 0;
            bool const addend = (form & 4) != 0;
            all.push_back(product_use({}, 2, 3, 4, ta, tb, addend));
            all.push_back(product_use({}, 3, 17, 5, ta, tb, addend));
            all.push_back(product_use({}, 1, 3, 2, ta, tb, addend));
            all.push_back(product_use({}, 3, 1, 1, ta, tb, addend));
            all.push_back(product_use({2}, 2, 3, 2, ta, tb, addend));
            all.push_back(product_use({2, 2}, 2, 1, 3, ta, tb, addend));
        }
        return all;
    }
};

// ---- elementwise: a formula by the standard library, and the domain

#define UNSPOOL_ELEMENTWISE_LAWS(operation, by_standard_library, ...)                       \
    template <>                                                                             \
    struct laws<op::operation> : elementwise_laws<op::operation> {                          \
        static constexpr auto formula = by_standard_library;                                \
        static constexpr unspool::list<detail::interval> domain() { return {__VA_ARGS__}; } \
    }

UNSPOOL_ELEMENTWISE_LAWS(stop_gradient, [](double a) { return a; });
UNSPOOL_ELEMENTWISE_LAWS(add, [](double a, double b) { return a + b; });
UNSPOOL_ELEMENTWISE_LAWS(subtract, [](double a, double b) { return a - b; });
UNSPOOL_ELEMENTWISE_LAWS(multiply, [](double a, double b) { return a * b; });
UNSPOOL_ELEMENTWISE_LAWS(divide, [](double a, double b) { return a / b; }, {-2, 2}, {0.5, 3});
UNSPOOL_ELEMENTWISE_LAWS(negate, [](double a) { return -a; });
UNSPOOL_ELEMENTWISE_LAWS(less, [](double a, double b) { return a < b ? 1.0 : 0.0; });
UNSPOOL_ELEMENTWISE_LAWS(less_equal, [](double a, double b) { return a <= b ? 1.0 : 0.0; });
UNSPOOL_ELEMENTWISE_LAWS(equal, [](double a, double b) { return a == b ? 1.0 : 0.0; });
UNSPOOL_ELEMENTWISE_LAWS(select, [](double c, double a, double b) { return c != 0 ? a : b; });
UNSPOOL_ELEMENTWISE_LAWS(maximum, [](double a, double b) {
    return std::isunordered(a, b) ? std::nan("") : std::fmax(a, b);
});
UNSPOOL_ELEMENTWISE_LAWS(minimum, [](double a, double b) {
    return std::isunordered(a, b) ? std::nan("") : std::fmin(a, b);
});
UNSPOOL_ELEMENTWISE_LAWS(relu, [](double a) { return std::isnan(a) ? a : std::fmax(a, 0.0); });
UNSPOOL_ELEMENTWISE_LAWS(absolute, [](double a) { return std::fabs(a); });
UNSPOOL_ELEMENTWISE_LAWS(exp, [](double a) { return std::exp(a); });
UNSPOOL_ELEMENTWISE_LAWS(log, [](double a) { return std::log(a); }, {0.5, 4});
UNSPOOL_ELEMENTWISE_LAWS(log1p, [](double a) { return std::log1p(a); }, {-0.5, 3});
UNSPOOL_ELEMENTWISE_LAWS(tanh, [](double a) { return std::tanh(a); });
UNSPOOL_ELEMENTWISE_LAWS(sigmoid, [](double a) {
    return a < 0 ? std::exp(a) / (1 + std::exp(a)) : 1 / (1 + std::exp(-a));
});
UNSPOOL_ELEMENTWISE_LAWS(sin, [](double a) { return std::sin(a); });
UNSPOOL_ELEMENTWISE_LAWS(cos, [](double a) { return std::cos(a); });
UNSPOOL_ELEMENTWISE_LAWS(sqrt, [](double a) { return std::sqrt(a); }, {0.5, 4});
UNSPOOL_ELEMENTWISE_LAWS(square, [](double a) { return a * a; });
UNSPOOL_ELEMENTWISE_LAWS(pow, [](double a, double b) { return std::pow(a, b); }, {0.5, 3}, {-2, 3});
UNSPOOL_ELEMENTWISE_LAWS(expm1, [](double a) { return std::expm1(a); });
UNSPOOL_ELEMENTWISE_LAWS(erf, [](double a) { return std::erf(a); });
UNSPOOL_ELEMENTWISE_LAWS(atan, [](double a) { return std::atan(a); }, {-4, 4});
UNSPOOL_ELEMENTWISE_LAWS(softplus, [](double a) { return a > 700 ? a : std::log1p(std::exp(a)); });
UNSPOOL_ELEMENTWISE_LAWS(floor, [](double a) { return std::floor(a); }, {-4, 4});
UNSPOOL_ELEMENTWISE_LAWS(round, [](double a) { return std::nearbyint(a); }, {-4, 4});
UNSPOOL_ELEMENTWISE_LAWS(sign, [](double a) { return a < 0 ? -1.0 : a > 0 ? 1.0 : a; });

#undef UNSPOOL_ELEMENTWISE_LAWS

/// Reads as an error where an operation of op::all has no laws.
template <class Op>
struct lawful {
    static_assert(
        requires { laws<Op>::uses(); },
        "unspool: an operation of op::all has no laws in test/laws/operations.hpp");
    static constexpr bool value = true;
};
template <class... Op>
constexpr bool all_lawful(op::operation_set<Op...>) {
    return (lawful<Op>::value && ...);
}
static_assert(all_lawful(op::all{}));

/// Calls f.template operator()<Op>() for each operation.
template <class F, class... Op>
void for_each_operation(op::operation_set<Op...>, F f) {
    (f.template operator()<Op>(), ...);
}

}  // namespace unspool_test
