// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "laws/law.hpp"

#include <cmath>

/// The laws of each operation: how it is used, and a formula for its value written independently of
/// the library. Adding an operation to op::all without one here does not compile: see `all_lawful`.
namespace unspool_test {

using elements = std::vector<std::vector<double>>;
using ints = unspool::list<int>;

/// The same elementwise use on several shapes.
template <class Op, class Formula>
std::vector<use> elementwise_uses(Formula formula, std::vector<detail::interval> domain) {
    constexpr int arity = Op::arity;
    std::vector<use> all;
    for (shape const& s : {shape{}, shape::of(1), shape::of(5), shape::of(2, 3, 2)}) {
        use u;
        for (int k = 0; k < arity; ++k) u.operands.push_back(s);
        u.build = [](graph& g, ref const* x) { return g.elementwise(op::code<Op>, x, arity); };
        u.formula = [formula](elements const& x) {
            std::vector<double> y;
            for (std::size_t i = 0; i < x[0].size(); ++i) {
                if constexpr (arity == 1) y.push_back(formula(x[0][i]));
                else if constexpr (arity == 2) y.push_back(formula(x[0][i], x[1][i]));
                else y.push_back(formula(x[0][i], x[1][i], x[2][i]));
            }
            return y;
        };
        u.domain = domain;
        all.push_back(u);
    }
    return all;
}

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
auto gathered(shape const& x_dims, shape const& y_dims, From from) {
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

// ---- structure

template <>
struct laws<op::argument> {
    static std::vector<use> uses() {
        return {{{shape::of(2, 3)},
                 [](graph&, ref const* x) { return x[0]; },
                 [](elements const& x) { return x[0]; }}};
    }
};
template <>
struct laws<op::constant> {
    static std::vector<use> uses() {
        return {{{},
                 [](graph& g, ref const*) { return g.constant(0.75, shape::of(2, 2)); },
                 [](elements const&) { return std::vector<double>(4, 0.75); }}};
    }
};
template <>
struct laws<op::literal> {
    static std::vector<use> uses() {
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
inline use recurrence(bool reverse, bool read_carry) {
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
    static std::vector<use> uses() { return {recurrence(false, true), recurrence(true, true)}; }
};
template <>
struct laws<op::output> {
    static std::vector<use> uses() {
        return {recurrence(false, false), recurrence(true, false), recurrence(false, true)};
    }
};

// ---- views and combinations

inline use broadcast_use(shape const& x, std::vector<int> const& to, shape const& y) {
    ints axes;
    for (int axis : to) axes.push_back(axis);
    return {{x},
            [=](graph& g, ref const* operand) { return g.broadcast(operand[0], axes, y); },
            gathered(x, y, [=](std::vector<int> const& index) {
                std::vector<int> source;
                for (int axis : to) source.push_back(index[static_cast<std::size_t>(axis)]);
                return source;
            })};
}
template <>
struct laws<op::broadcast> {
    static std::vector<use> uses() {
        return {broadcast_use({}, {}, shape::of(2, 3)),
                broadcast_use(shape::of(3), {1}, shape::of(2, 3)),
                broadcast_use(shape::of(2), {0}, shape::of(2, 3)),
                broadcast_use(shape::of(2, 3), {0, 2}, shape::of(2, 4, 3)),
                broadcast_use(shape::of(2, 3), {1, 3}, shape::of(2, 2, 1, 3)),
                broadcast_use(shape::of(1), {0}, shape::of(1, 3))};
    }
};
template <>
struct laws<op::reshape> {
    static std::vector<use> uses() {
        std::vector<use> all;
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
    static use turned(shape const& x, std::vector<int> const& order) {
        shape y = x;
        ints axes;
        for (int axis : order) {
            y.extent[axes.size()] = x.extent[axis];
            axes.push_back(axis);
        }
        return {{x},
                [=](graph& g, ref const* operand) { return g.transpose(operand[0], axes); },
                gathered(x, y, [=](std::vector<int> const& index) {
                    std::vector<int> source(order.size());
                    for (std::size_t i = 0; i < order.size(); ++i)
                        source[static_cast<std::size_t>(order[i])] = index[i];
                    return source;
                })};
    }
    static std::vector<use> uses() {
        return {turned(shape::of(2, 3), {1, 0}), turned(shape::of(2, 3, 4), {1, 2, 0}),
                turned(shape::of(2, 3, 4), {2, 0, 1}), turned(shape::of(2, 1, 3, 2), {3, 1, 0, 2})};
    }
};
template <>
struct laws<op::reverse> {
    static use turned_back(shape const& x, std::vector<int> const& flags) {
        ints backwards;
        for (int flag : flags) backwards.push_back(flag);
        return {{x},
                [=](graph& g, ref const* operand) { return g.reverse(operand[0], backwards); },
                gathered(x, x, [=](std::vector<int> index) {
                    for (std::size_t i = 0; i < index.size(); ++i)
                        if (flags[i] != 0) index[i] = x.extent[static_cast<int>(i)] - 1 - index[i];
                    return index;
                })};
    }
    static std::vector<use> uses() {
        return {turned_back(shape::of(5), {1}), turned_back(shape::of(3, 4), {0, 1}),
                turned_back(shape::of(2, 3, 2), {1, 0, 1})};
    }
};
template <>
struct laws<op::slice> {
    static use cut(shape const& x, std::vector<int> const& start, shape const& y) {
        ints first;
        for (int i : start) first.push_back(i);
        return {{x},
                [=](graph& g, ref const* operand) { return g.slice(operand[0], first, y); },
                gathered(x, y, [=](std::vector<int> index) {
                    for (std::size_t i = 0; i < index.size(); ++i) index[i] += start[i];
                    return index;
                })};
    }
    static std::vector<use> uses() {
        return {cut(shape::of(5), {2}, shape::of(2)), cut(shape::of(3, 4), {0, 1}, shape::of(3, 2)),
                cut(shape::of(3, 4), {2, 0}, shape::of(1, 4)),
                cut(shape::of(2, 3, 3), {1, 1, 0}, shape::of(1, 2, 2))};
    }
};
template <>
struct laws<op::pad> {
    static use placed(shape const& x, std::vector<int> const& start, shape const& y) {
        ints first;
        for (int i : start) first.push_back(i);
        return {{x},
                [=](graph& g, ref const* operand) { return g.pad(operand[0], first, y); },
                gathered(x, y, [=](std::vector<int> index) {
                    for (std::size_t i = 0; i < index.size(); ++i) index[i] -= start[i];
                    return index;
                })};
    }
    static std::vector<use> uses() {
        return {placed(shape::of(2), {2}, shape::of(5)),
                placed(shape::of(3, 2), {0, 1}, shape::of(3, 4)),
                placed(shape::of(1, 4), {2, 0}, shape::of(3, 4)),
                placed(shape::of(1, 2, 2), {1, 1, 0}, shape::of(2, 3, 3))};
    }
};
template <>
struct laws<op::concatenate> {
    static use joined(std::vector<shape> const& x, int axis) {
        return {x,
                [=, n = static_cast<int>(x.size())](graph& g, ref const* operand) {
                    return g.concatenate(unspool::list<ref>(operand, n), axis);
                },
                [=](elements const& values) {
                    shape y = x[0];
                    for (std::size_t k = 1; k < x.size(); ++k) y.extent[axis] += x[k].extent[axis];
                    std::vector<double> result;
                    for_each_index(y, [&](std::vector<int> index) {
                        std::size_t k = 0;
                        auto& at = index[static_cast<std::size_t>(axis)];
                        for (; at >= x[k].extent[axis]; ++k) at -= x[k].extent[axis];
                        result.push_back(values[k][position(x[k], index)]);
                    });
                    return result;
                }};
    }
    static std::vector<use> uses() {
        return {joined({shape::of(2), shape::of(3)}, 0),
                joined({shape::of(2, 3), shape::of(1, 3), shape::of(2, 3)}, 0),
                joined({shape::of(2, 1), shape::of(2, 3)}, 1),
                joined({shape::of(2, 1, 2), shape::of(2, 2, 2)}, 1),
                joined({shape::of(1), shape::of(1), shape::of(2), shape::of(1), shape::of(1)}, 0)};
    }
};
template <>
struct laws<op::contiguous> {
    static std::vector<use> uses() {
        return {{{shape::of(2, 3)},
                 [](graph& g, ref const* x) { return g.contiguous(x[0]); },
                 [](elements const& x) { return x[0]; }}};
    }
};

// ---- reductions and products

template <class Op, class Fold>
use reduction_use(shape const& x, std::vector<int> const& axes, double start, Fold fold) {
    ints over;
    for (int axis : axes) over.push_back(axis);
    use u;
    u.operands = {x};
    u.build = [=](graph& g, ref const* operand) { return g.reduce<Op>(operand[0], over); };
    u.formula = [=](elements const& values) {
        shape y;
        std::vector<int> kept;
        for (int axis = 0; axis < x.rank; ++axis) {
            if (std::count(axes.begin(), axes.end(), axis) != 0) continue;
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
template <class Op, class Fold>
std::vector<use> reduction_uses(double start, Fold fold) {
    return {reduction_use<Op>(shape::of(5), {0}, start, fold),
            reduction_use<Op>(shape::of(2, 3), {0}, start, fold),
            reduction_use<Op>(shape::of(2, 3), {1}, start, fold),
            reduction_use<Op>(shape::of(2, 3), {0, 1}, start, fold),
            reduction_use<Op>(shape::of(2, 3, 2), {0, 2}, start, fold),
            reduction_use<Op>(shape::of(2, 3, 2), {1}, start, fold),
            reduction_use<Op>(shape::of(3, 1), {0}, start, fold)};
}
template <>
struct laws<op::inspect> {
    static std::vector<use> uses() {
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
    static use taken(shape const& index, shape const& table) {
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
    static std::vector<use> uses() {
        return {taken({}, shape::of(3)), taken(shape::of(4), shape::of(5, 3)),
                taken(shape::of(2, 3), shape::of(2, 2)), taken(shape::of(5), shape::of(1, 2, 2))};
    }
};
template <>
struct laws<op::scatter_add> {
    static use added(shape const& index, shape const& rows, int extent) {
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
    static std::vector<use> uses() {
        return {added({}, shape::of(2), 3), added(shape::of(6), shape::of(6), 4),
                added(shape::of(2, 3), shape::of(2, 3, 2), 2),
                added(shape::of(4), shape::of(4, 1, 3), 5)};
    }
};

template <>
struct laws<op::sum> {
    static std::vector<use> uses() {
        return reduction_uses<op::sum>(0, [](double a, double b) { return a + b; });
    }
};
template <>
struct laws<op::reduce_max> {
    static std::vector<use> uses() {
        return reduction_uses<op::reduce_max>(-1e300,
                                              [](double a, double b) { return std::fmax(a, b); });
    }
};

/// A product of `batch` matrices, m × k by k × n, with an addend or without.
inline use product_use(std::vector<int> const& batch, int m, int k, int n, bool a_transposed,
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
    static std::vector<use> uses() {
        std::vector<use> all;
        for (int form = 0; form < 8; ++form) {
            bool const ta = (form & 1) != 0;
            bool const tb = (form & 2) != 0;
            bool const addend = (form & 4) != 0;
            all.push_back(product_use({}, 2, 3, 4, ta, tb, addend));
            all.push_back(product_use({}, 3, 3, 3, ta, tb, addend));
            all.push_back(product_use({}, 1, 3, 2, ta, tb, addend));
            all.push_back(product_use({}, 3, 1, 1, ta, tb, addend));
            all.push_back(product_use({2}, 2, 3, 2, ta, tb, addend));
            all.push_back(product_use({2, 2}, 2, 1, 3, ta, tb, addend));
        }
        return all;
    }
};

// ---- elementwise: a formula by the standard library, and the domain

#define UNSPOOL_ELEMENTWISE_LAWS(operation, formula, ...)                   \
    template <>                                                             \
    struct laws<op::operation> {                                            \
        static std::vector<use> uses() {                                    \
            return elementwise_uses<op::operation>(formula, {__VA_ARGS__}); \
        }                                                                   \
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
UNSPOOL_ELEMENTWISE_LAWS(maximum, [](double a, double b) { return std::fmax(a, b); });
UNSPOOL_ELEMENTWISE_LAWS(minimum, [](double a, double b) { return std::fmin(a, b); });
UNSPOOL_ELEMENTWISE_LAWS(relu, [](double a) { return std::fmax(a, 0.0); });
UNSPOOL_ELEMENTWISE_LAWS(absolute, [](double a) { return std::fabs(a); });
UNSPOOL_ELEMENTWISE_LAWS(exp, [](double a) { return std::exp(a); });
UNSPOOL_ELEMENTWISE_LAWS(log, [](double a) { return std::log(a); }, {0.5, 4});
UNSPOOL_ELEMENTWISE_LAWS(log1p, [](double a) { return std::log1p(a); }, {-0.5, 3});
UNSPOOL_ELEMENTWISE_LAWS(tanh, [](double a) { return std::tanh(a); });
UNSPOOL_ELEMENTWISE_LAWS(sigmoid, [](double a) { return 1 / (1 + std::exp(-a)); });
UNSPOOL_ELEMENTWISE_LAWS(sin, [](double a) { return std::sin(a); });
UNSPOOL_ELEMENTWISE_LAWS(cos, [](double a) { return std::cos(a); });
UNSPOOL_ELEMENTWISE_LAWS(sqrt, [](double a) { return std::sqrt(a); }, {0.5, 4});
UNSPOOL_ELEMENTWISE_LAWS(square, [](double a) { return a * a; });
UNSPOOL_ELEMENTWISE_LAWS(pow, [](double a, double b) { return std::pow(a, b); }, {0.5, 3}, {-2, 3});
UNSPOOL_ELEMENTWISE_LAWS(expm1, [](double a) { return std::expm1(a); });
UNSPOOL_ELEMENTWISE_LAWS(erf, [](double a) { return std::erf(a); });
UNSPOOL_ELEMENTWISE_LAWS(atan, [](double a) { return std::atan(a); }, {-4, 4});
UNSPOOL_ELEMENTWISE_LAWS(softplus, [](double a) { return std::log(1 + std::exp(a)); });
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
