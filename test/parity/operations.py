# SPDX-License-Identifier: BSL-1.0
"""Operations on elements, products, reductions and the views they need: see cases.py; language.py has the rest."""
import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import torch

import language
from cases import CASES, add_case
from common import made, write


def elementwise():
    m, one = mpmath, mpmath.mpf(1)
    x = made((3, 4), 20, 2.0)
    positive = made((3, 4), 20, 1.0, 1.25)
    sigmoid = lambda x: one / (1 + m.exp(-x)), lambda x: one / (2 + m.exp(x) + m.exp(-x))
    tanh = m.tanh, lambda x: one / m.cosh(x) ** 2
    log1p = m.log1p, lambda x: one / (1 + x)
    for name, text, fn, at, *exact in (
            ("neg", "-x", lambda x: -x, x, lambda x: -x, lambda x: -one),
            ("exp", "exp(x)", jnp.exp, x, m.exp, m.exp),
            ("log", "log(x)", jnp.log, positive, m.log, lambda x: one / x),
            ("log1p", "log1p(x)", jnp.log1p, made((3, 4), 21, 0.5), *log1p),
            ("sqrt", "sqrt(x)", jnp.sqrt, positive, m.sqrt, lambda x: one / (2 * m.sqrt(x))),
            ("tanh", "tanh(x)", jnp.tanh, x, *tanh),
            ("sigmoid", "sigmoid(x)", jax.nn.sigmoid, x, *sigmoid),
            ("relu", "relu(x)", jax.nn.relu, x, lambda x: max(x, 0 * x), lambda x: one if x > 0 else 0 * one),
            ("abs", "abs(x)", jnp.abs, x, abs, m.sign),
            ("square", "square(x)", jnp.square, x, lambda x: x * x, lambda x: 2 * x),
            ("sin", "sin(x)", jnp.sin, x, m.sin, m.cos),
            ("cos", "cos(x)", jnp.cos, x, m.cos, lambda x: -m.sin(x))):
        add_case(name, text, fn, at, exact=exact)
    # Large, tiny and zero arguments. A derivative made from the output, 1 - y^2 or y (1 - y), is only good to an
    # absolute 2^-52 there: compare it so.
    wide = [-30.0, -8.0, -2.0 ** -20, 0.0, 2.0 ** -20, 8.0, 12.0, 18.0]
    add_case("tanh_wide", "tanh(x)", jnp.tanh, wide, exact=tanh, smooth=False)
    add_case("sigmoid_wide", "sigmoid(x)", jax.nn.sigmoid, wide, exact=sigmoid, smooth=False)
    add_case("exp_wide", "exp(x)", jnp.exp, wide, exact=(m.exp, m.exp), smooth=False)
    add_case("log1p_wide", "log1p(x)", jnp.log1p, [-0.5, -2.0 ** -30, 0.0, 2.0 ** -60, 2.0 ** -20, 100.0], exact=log1p,
             smooth=False)
    a, b = made((3, 4), 22, 2.0), made((3, 4), 23, 1.0, 1.5)
    for name, text, fn in (("add", "a + b", jnp.add), ("sub", "a - b", jnp.subtract), ("mul", "a * b", jnp.multiply),
                           ("div", "a / b", jnp.divide), ("maximum", "maximum(a, b)", jnp.maximum),
                           ("minimum", "minimum(a, b)", jnp.minimum)):
        add_case(name, text, fn, a, b)
    for name, text, fn in (("add_scalar", "x + 0.5", lambda x: x + 0.5), ("scalar_sub", "1 - x", lambda x: 1 - x),
                           ("mul_scalar", "0.375 * x", lambda x: 0.375 * x), ("div_scalar", "x / 3", lambda x: x / 3),
                           ("scalar_div", "2 / x", lambda x: 2 / x),
                           ("square_by_mul", "x * x", lambda x: x * x),
                           ("shared", "y = tanh(x); y * y + y", lambda x: (lambda y: y * y + y)(jnp.tanh(x))),
                           ("stop_gradient", "x * stop_gradient(x)", lambda x: x * jax.lax.stop_gradient(x))):
        add_case(name, text, fn, positive, smooth=name != "stop_gradient")


def conventions():
    """Points where the derivative is a convention."""
    at = [-1.0, -0.0, 0.0, 2.0]
    # The one convention that is not JAX's: since it selects by x >= 0 it has |x|'(0) = 1; PyTorch and TensorFlow have 0.
    x = torch.tensor(at, requires_grad=True)
    assert torch.autograd.grad(x.abs().sum(), x)[0].tolist() == [-1.0, 0.0, 0.0, 1.0]
    add_case("abs_at_zero", "abs(x), with PyTorch's and TensorFlow's derivative 0 at 0 (JAX %s: %g)" % (
        jax.__version__, jax.grad(jnp.abs)(0.0)), lambda x: x * jnp.sign(x), at, smooth=False)
    add_case("relu_at_zero", "relu(x)", jax.nn.relu, at, smooth=False)
    add_case("sqrt_at_zero", "sqrt(x)", jnp.sqrt, [0.0, 1.0, 4.0], cotangents=[[1.0, 0.5, -1.0]],
             tangents=[[1.0, 2.0, -1.0]], smooth=False)
    a, b = [1.0, 2.0, 3.0, -0.5, 0.0], [1.0, 3.0, 2.0, -0.5, 0.0]
    add_case("maximum_ties", "maximum(a, b)", jnp.maximum, a, b, smooth=False)
    add_case("minimum_ties", "minimum(a, b)", jnp.minimum, a, b, smooth=False)
    add_case("maximum_scalar_tie", "maximum(x, 0)", lambda x: jnp.maximum(x, 0.0), at, smooth=False)
    add_case("max_ties_all", "max(x)", jnp.max, [[1.0, 3.0, 3.0], [3.0, 0.0, -1.0]], smooth=False)
    add_case("max_ties_axis1", "max(x, axis 1)", lambda x: jnp.max(x, 1), [[2.0, 2.0, 1.0], [3.0, 3.0, 3.0]],
             smooth=False)
    add_case("min_ties_axis0", "min(x, axis 0)", lambda x: jnp.min(x, 0), [[2.0, 2.0, 1.0], [3.0, 2.0, 1.0]],
             smooth=False)


def selections():
    a, b = np.round(made((3, 4), 24, 4.0)) / 2, np.round(made((3, 4), 25, 4.0)) / 2  # multiples of 1/2
    a[0, :2] = b[0, :2]  # and equal ones
    for name, sign in (("less", "<"), ("less_equal", "<="), ("greater", ">"), ("greater_equal", ">="), ("equal", "=="),
                       ("not_equal", "!=")):
        add_case("select_" + name, "select(a %s b, a * b, a - b)" % sign,
                 lambda a, b, c=getattr(jnp, name): jnp.where(c(a, b), a * b, a - b), a, b, smooth=False)
    add_case("select_broadcast", "select(x > 0, x, s)  with s of rank 0",
             lambda x, s: jnp.where(x > 0, x, s), made((3, 4), 26), made((), 27))
    add_case("select_row", "select(r > 0, x, y)  with r of shape (4)",
             lambda r, x, y: jnp.where(r > 0, x, y), made((4,), 26), made((3, 4), 27), made((3, 4), 28))


def broadcasting():
    for name, s, t in (("column_row", (3, 1), (1, 4)), ("vector_matrix", (4,), (3, 4)), ("matrix_vector", (3, 4), (4,)),
                       ("scalar_matrix", (), (3, 4)), ("matrix_scalar", (3, 4), ()), ("one_matrix", (1,), (3, 4)),
                       ("column_matrix", (3, 1), (3, 4)), ("row_matrix", (1, 4), (3, 4)), ("rank3", (2, 1, 3), (4, 1)),
                       ("rank3_matrix", (2, 3, 4), (3, 4)), ("rank3_ones", (2, 1, 1), (1, 3, 4))):
        a, b = made(s, 30), made(t, 31, 1.0, 1.5)
        shapes = "  with a %s, b %s" % (s, t)
        add_case("broadcast_add_" + name, "a + b" + shapes, jnp.add, a, b)
        add_case("broadcast_mul_" + name, "a * b" + shapes, jnp.multiply, a, b)
        if name in ("column_row", "scalar_matrix", "rank3"):
            add_case("broadcast_sub_" + name, "a - b" + shapes, jnp.subtract, a, b)
            add_case("broadcast_div_" + name, "a / b" + shapes, jnp.divide, a, b)
            add_case("broadcast_maximum_" + name, "maximum(a, b)" + shapes, jnp.maximum, a, b)


def products():
    for name, s, t in (("vector_vector", (5,), (5,)), ("vector_matrix", (3,), (3, 4)), ("matrix_vector", (3, 4), (4,)),
                       ("matrix_matrix", (3, 4), (4, 5)), ("row_matrix", (1, 4), (4, 5)),
                       ("matrix_column", (3, 4), (4, 1)), ("inner_one", (3, 1), (1, 5)),
                       ("batch_matrix", (2, 3, 4), (4, 3)), ("batch_vector", (2, 3, 4), (4,))):
        add_case("matmul_" + name, "matmul(a, b)  with a %s, b %s" % (s, t), jnp.matmul, made(s, 32), made(t, 33))
    add_case("matmul_transposed_left", "matmul(transpose(a), b)", lambda a, b: a.T @ b, made((4, 3), 32), made((4, 5), 33))
    add_case("matmul_transposed_right", "matmul(a, transpose(b))", lambda a, b: a @ b.T, made((3, 4), 32), made((5, 4), 33))
    add_case("matmul_square", "matmul(a, a)", lambda a: a @ a, made((4, 4), 32))
    add_case("matmul_chain", "matmul(matmul(x, a), b)", lambda x, a, b: x @ a @ b, made((2, 3), 34), made((3, 4), 32),
             made((4, 5), 33))


def rearrangements():
    m, r = made((3, 4), 35), made((2, 3, 4), 36)
    add_case("transpose", "transpose(x)", jnp.transpose, m)
    for perm in ((0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)):
        add_case("transpose_%d%d%d" % perm, "transpose(x, %s): out axis i is x's axis perm[i]" % (perm,),
                 lambda x, perm=perm: jnp.transpose(x, perm), r)
    for shape in ((12,), (2, 6), (2, 2, 3), (3, 4, 1)):
        add_case("reshape_" + "x".join(map(str, shape)), "reshape(x, %s)" % (shape,),
                 lambda x, shape=shape: jnp.reshape(x, shape), m)
    for name, text, fn, at in (
            ("slice_rows", "x[1:3, :]", lambda x: x[1:3, :], m), ("slice_columns", "x[:, 1:3]", lambda x: x[:, 1:3], m),
            ("slice_both", "x[0:2, 2:4]", lambda x: x[0:2, 2:4], m), ("slice_stride", "x[:, ::2]", lambda x: x[:, ::2], m),
            ("slice_rank3", "x[0:1, 1:3, 1:4]", lambda x: x[0:1, 1:3, 1:4], r), ("index", "x[1]", lambda x: x[1], r),
            ("index_last", "x[-1]", lambda x: x[-1], r), ("reverse", "x[::-1]", lambda x: x[::-1], r),
            ("overlapping", "x[1:] - 0.75 * x[:-1]", lambda x: x[1:] - 0.75 * x[:-1], made((7, 2), 37)),
            ("split_axis1", "split(x, 2, axis 1)", lambda x: tuple(jnp.split(x, 2, 1)), m),
            ("split_axis0", "split(x, 3, axis 0)", lambda x: tuple(jnp.split(x, 3, 0)), m),
            ("split_rank3_last", "split(x, 4, last axis)", lambda x: tuple(jnp.split(x, 4, -1)), r),
            ("split_uneven", "x[:, 0:1], x[:, 1:4]", lambda x: tuple(jnp.split(x, (1,), 1)), m)):
        add_case(name, text, fn, at)
    a, b, c = made((2, 3), 38), made((1, 3), 39), made((2, 2), 40)
    add_case("concat_axis0", "concat(a, b, axis 0)", lambda a, b: jnp.concatenate([a, b], 0), a, b)
    add_case("concat_axis1", "concat(a, c, axis 1)", lambda a, c: jnp.concatenate([a, c], 1), a, c)
    add_case("concat_three", "concat(a, b, a, axis 0)", lambda a, b: jnp.concatenate([a, b, a], 0), a, b)


def reductions():
    x = made((2, 3, 4), 41)
    for op in ("sum", "mean", "max", "min"):
        fn = getattr(jnp, op)
        for axis in (0, 1, 2, (0, 1), (0, 2), (1, 2)):
            label = str(axis) if isinstance(axis, int) else "%d%d" % axis
            add_case("%s_axis%s" % (op, label), "%s(x, axis %s)" % (op, axis), lambda x, axis=axis: fn(x, axis), x)
        add_case(op + "_all", op + "(x)", fn, x)
        add_case(op + "_keep", op + "(x, axis 1, axis kept with extent 1)", lambda x: fn(x, 1, keepdims=True), x)
        add_case(op + "_centred", "x - %s(x, axis 2, kept)" % op, lambda x: x - fn(x, 2, keepdims=True), x)


def composites():
    x, w, b, y = made((4, 3), 42), made((3, 5), 43), made((5,), 44), made((4, 5), 45)
    mse = lambda x, w, b, y: jnp.mean(jnp.square(jnp.tanh(x @ w + b) - y))
    add_case("dense_mse", "mean(square(tanh(matmul(x, w) + b) - y))", mse, x, w, b, y)
    add_case("logsumexp", "m = stop_gradient(max(x, axis 1, kept)); log(sum(exp(x - m), axis 1)) + m", lambda x: (
        lambda m: jnp.log(jnp.sum(jnp.exp(x - m), 1)) + m[:, 0])(jax.lax.stop_gradient(jnp.max(x, 1, keepdims=True))), y)
    add_case("softplus", "maximum(x, 0) + log1p(exp(-abs(x)))",
             lambda x: jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x))), made((3, 4), 46, 4.0))
    add_case("normalised", "d = x - mean(x, axis 1, kept); d / sqrt(mean(square(d), axis 1, kept) + 0.125)", lambda x: (
        lambda d: d / jnp.sqrt(jnp.mean(jnp.square(d), 1, keepdims=True) + 0.125))(x - jnp.mean(x, 1, keepdims=True)), y)

    def decay(carry, x):
        carry = jnp.tanh(0.75 * carry + x)
        return carry, carry * x
    for name, back in (("scan", False), ("scan_reverse", True)):
        add_case(name, "scan of c = tanh(0.75 c + x), y = c x%s: final c and all y (at x's places)" % (
            ", from the last x to the first" if back else ""),
            lambda c, xs, back=back: jax.lax.scan(decay, c, xs, reverse=back), made((3,), 47), made((6, 3), 48))
    add_case("scan_closure", "scan of h = tanh(matmul(h, w) + x) with w from outside: all h", lambda h, w, xs: jax.lax.scan(
        lambda h, x: (lambda n: (n, n))(jnp.tanh(h @ w + x)), h, xs)[1], made((3,), 49), made((3, 3), 50), made((6, 3), 51))


def functions():
    m, one = mpmath, mpmath.mpf(1)
    x = made((3, 4), 20, 2.0)
    normal = lambda x: (1 + m.erf(x / m.sqrt(2))) / 2
    logistic = lambda x: one / (1 + m.exp(-x))
    softplus = lambda x: m.log1p(m.exp(x)), logistic
    for name, text, fn, *exact in (
            ("expm1", "expm1(x)", jnp.expm1, m.expm1, m.exp),
            ("erf", "erf(x)", jax.lax.erf, m.erf, lambda x: 2 / m.sqrt(m.pi) * m.exp(-x * x)),
            ("atan", "atan(x)", jnp.arctan, m.atan, lambda x: one / (1 + x * x)),
            ("softplus_function", "softplus(x)", jax.nn.softplus, *softplus),
            ("silu", "silu(x)", jax.nn.silu, lambda x: x * logistic(x),
             lambda x: logistic(x) * (1 + x * (1 - logistic(x)))),
            ("gelu", "gelu(x), by erf", lambda x: jax.nn.gelu(x, approximate=False), lambda x: x * normal(x),
             lambda x: normal(x) + x * m.exp(-x * x / 2) / m.sqrt(2 * m.pi))):
        add_case(name, text, fn, x, exact=exact)
    wide = [-60.0, -30.0, -8.0, -2.0 ** -20, 0.0, 2.0 ** -20, 8.0, 60.0]
    add_case("softplus_wide", "softplus(x)", jax.nn.softplus, wide, exact=softplus, smooth=False)
    apart = made((3, 4), 52, 4.0)  # no integer, no multiple of 1/2
    for name, text, fn, at, smooth in (
            ("gelu_tanh", "gelu(x), by tanh", jax.nn.gelu, x, True), ("tan", "tan(x)", jnp.tan, made((3, 4), 20), True),
            ("sinh", "sinh(x)", jnp.sinh, x, True), ("cosh", "cosh(x)", jnp.cosh, x, True),
            ("elu", "elu(x)", jax.nn.elu, x, True), ("leaky_relu", "leaky_relu(x)", jax.nn.leaky_relu, x, True),
            ("hard_sigmoid", "hard_sigmoid(x)", jax.nn.hard_sigmoid, apart, True),
            ("reciprocal", "1 / x", jnp.reciprocal, made((3, 4), 20, 1.0, 1.25), True),
            ("rsqrt", "1 / sqrt(x)", jax.lax.rsqrt, made((3, 4), 20, 1.0, 1.25), True),
            ("clamp", "clip(x, -1, 1.5)", lambda x: jnp.clip(x, -1, 1.5), apart, True),
            ("floor", "x * floor(x)", lambda x: x * jnp.floor(x), apart, True),
            ("ceil", "x * ceil(x)", lambda x: x * jnp.ceil(x), apart, True),
            ("trunc", "x * trunc(x)", lambda x: x * jnp.trunc(x), apart, True),
            ("round", "x * round(x)", lambda x: x * jnp.round(x), apart, True),
            ("sign", "x * sign(x)", lambda x: x * jnp.sign(x), apart, True),
            ("clamp_at_bounds", "clip(x, -1, 2)", lambda x: jnp.clip(x, -1, 2), [-1.0, 0.0, 2.0, 3.0], False),
            ("leaky_relu_at_zero", "leaky_relu(x)", jax.nn.leaky_relu, [-1.0, -0.0, 0.0, 2.0], False),
            ("elu_at_zero", "elu(x)", jax.nn.elu, [-1.0, -0.0, 0.0, 2.0], False),
            ("round_ties", "x * round(x)", lambda x: x * jnp.round(x), [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5], False),
            ("logical", "logical_and(x > 0, logical_not(x > 1)) * x + logical_or(x > 2, x < -1)",
             lambda x: (jnp.logical_and(x > 0, jnp.logical_not(x > 1)) * x + jnp.logical_or(x > 2, x < -1)), apart, True),
            ("pow_half", "x ** 0.5", lambda x: x ** 0.5, made((3, 4), 20, 1.0, 1.25), True),
            ("pow_negative", "x ** -1.75", lambda x: x ** -1.75, made((3, 4), 20, 1.0, 1.25), True),
            ("pow_of_number", "2.5 ** x", lambda x: 2.5 ** x, x, True),
            ("pow_integer", "x ** 5", lambda x: x ** 5, x, True),
            ("pow_negative_integer", "x ** -2", lambda x: x ** -2, x, True),
            ("pow_real_integer", "x ** 3.0, by pow", lambda x: jnp.power(x, jnp.full_like(x, 3.0)), x, True)):
        add_case(name, text, fn, at, smooth=smooth)
    add_case("pow", "a ** b", jnp.power, made((3, 4), 22, 1.0, 1.25), made((3, 4), 23, 3.0))
    add_case("pow_row", "a ** b  with a (3, 1), b (4)", jnp.power, made((3, 1), 30, 1.0, 1.25), made((4,), 31, 2.0))
    # The derivative with respect to x at 0 ** 0 is NaN in JAX and 0 in PyTorch, whose convention is ours.
    x = torch.tensor(0.0, requires_grad=True)
    assert torch.autograd.grad(x ** torch.tensor(0.0), x)[0].item() == 0 and np.isnan(jax.grad(jnp.power)(0.0, 0.0))
    add_case("pow_at_zero", "a ** b", jnp.power, [0.0, 0.0, -0.0, 0.0, 2.0, 0.5], [1.0, 2.0, 3.0, 1.5, 0.0, -1.0],
             smooth=False)


def main():
    CASES.clear()
    for group in (elementwise, conventions, selections, broadcasting, products, rearrangements, reductions, composites,
                  functions, *language.GROUPS):
        group()
    write("operations", "value, vjp = J' cotangents and jvp = J tangents from JAX in float64; arrays in full, "
          "inputs exact in float; where jax_error is given, stored results are mpmath's, rounded once, and JAX is off by so "
          "many ULP", cases=CASES)
