# SPDX-License-Identifier: BSL-1.0
"""The rest of the language by its public names, NumPy's: rearrangements, indexing, running and normalised reductions, contractions,
convolutions, tables, layers. See cases.py."""
import math

import jax
import jax.numpy as jnp

from cases import add_case
from common import made

whole = lambda x: x.astype(int)  # indices are numbers of the element type


def arrangements():
    m, r = made((3, 4), 80), made((2, 3, 4), 81)
    for name, text, fn, at in (
            ("pad_rows", "pad(x, ((1, 2), (0, 0)))", lambda x: jnp.pad(x, ((1, 2), (0, 0))), m),
            ("pad_last", "pad(x, ((0, 0), (0, 0), (2, 0)))", lambda x: jnp.pad(x, ((0, 0), (0, 0), (2, 0))), made((2, 2, 2), 81)),
            ("roll_forwards", "roll(x, 1, axis 1)", lambda x: jnp.roll(x, 1, 1), m),
            ("roll_backwards", "roll(x, -4, axis 0)", lambda x: jnp.roll(x, -4, 0), m),
            ("flip_rows", "flip(x, axis 0)", lambda x: jnp.flip(x, 0), m),
            ("flip_two", "flip(x, axes 0 and 2)", lambda x: jnp.flip(x, (0, 2)), r),
            ("flip_all", "flip(x)", jnp.flip, r),
            ("squeeze", "squeeze(x)", jnp.squeeze, made((1, 3, 1), 82)),
            ("squeeze_last", "squeeze(x, last axis)", lambda x: jnp.squeeze(x, -1), made((1, 3, 1), 82)),
            ("expand_dims", "expand_dims(x, 1)", lambda x: jnp.expand_dims(x, 1), m),
            ("expand_dims_last", "expand_dims(x, -1)", lambda x: jnp.expand_dims(x, -1), m),
            ("flatten", "ravel(x)", jnp.ravel, r),
            ("moveaxis", "moveaxis(x, 0, -1)", lambda x: jnp.moveaxis(x, 0, -1), r),
            ("moveaxis_back", "moveaxis(x, 2, 1)", lambda x: jnp.moveaxis(x, 2, 1), r),
            ("swapaxes", "swapaxes(x, 0, -1)", lambda x: jnp.swapaxes(x, 0, -1), r),
            ("tile", "tile(x, (1, 3))", lambda x: jnp.tile(x, (1, 3)), made((2, 4), 83)),
            ("tile_rows", "tile(x, (2, 1))", lambda x: jnp.tile(x, (2, 1)), m),
            ("repeat", "repeat(x, 3, axis 1)", lambda x: jnp.repeat(x, 3, 1), made((2, 4), 83)),
            ("repeat_rows", "repeat(x, 2, axis 0)", lambda x: jnp.repeat(x, 2, 0), m),
            ("broadcast_to", "broadcast_to(x, (2, 3, 4))", lambda x: jnp.broadcast_to(x, (2, 3, 4)), made((3, 1), 84)),
            ("broadcast_to_scalar", "broadcast_to(x, (2, 3))", lambda x: jnp.broadcast_to(x, (2, 3)), made((), 84)),
            ("inspect", "x", lambda x: x, m)):
        add_case(name, text, fn, at)
    add_case("stack", "stack(a, b)", lambda a, b: jnp.stack([a, b]), made((2, 3), 85), made((2, 3), 86))
    add_case("stack_last", "stack(a, b, last axis)", lambda a, b: jnp.stack([a, b], -1), made((2, 3), 85), made((2, 3), 86))
    add_case("stack_loop", "stack of the powers x, x^2, x^3", lambda x: jnp.stack([x, x * x, x * x * x]), made((4,), 87))
    add_case("compound", "y = x; y += c; y *= x; y -= x[0]; y", lambda x, c: (x + c) * x - x[0], m, made((4,), 87))
    add_case("constant", "constant([0.5, -2, 3]) * x", lambda x: jnp.array([0.5, -2.0, 3.0]) * x, made((2, 3), 85))


def indexing():
    m, r = made((3, 4), 88), made((2, 3, 4), 89)
    for name, text, fn, at in (
            ("at_range", "x[:, 1:3]", lambda x: x[:, 1:3], m), ("at_last", "x[..., -1]", lambda x: x[..., -1], r),
            ("at_step", "x[:, 1::2]", lambda x: x[:, 1::2], m), ("at_backwards", "x[::-1, ::-2]", lambda x: x[::-1, ::-2], m),
            ("at_negative", "x[-2:, :-1]", lambda x: x[-2:, :-1], m),
            ("at_newaxis", "x[1, newaxis, :, 2:]", lambda x: x[1, None, :, 2:], r),
            ("at_element", "x[1, 2]", lambda x: x[1, 2], m),
            ("take_list", "x[:, [3, 0, 1, 0, -1]]", lambda x: x[:, jnp.array([3, 0, 1, 0, -1])], m)):
        add_case(name, text, fn, at)
    add_case("one_hot", "x * one_hot(i, 4), with its derivative 0 by i", lambda i, x: x * jax.nn.one_hot(whole(i), 4),
             [2.0, 0.0, 3.0], m, smooth=False)
    add_case("one_hot_outside", "x * one_hot(i, 4)", lambda i, x: x * jax.nn.one_hot(whole(i), 4), [4.0, 1.0, -1.0], m,
             smooth=False)
    add_case("take_rows", "x[i], some rows twice", lambda x, i: x[whole(i)], made((4, 3), 90), [2.0, 0.0, 2.0, -1.0],
             smooth=False)
    add_case("take_many", "x[i] with i of shape (2, 3)", lambda x, i: x[whole(i)], made((4,), 90),
             [[1.0, 1.0, 3.0], [-4.0, 0.0, 1.0]], smooth=False)
    add_case("scatter_add", "zeros((4, 3)).at[i].add(x)", lambda i, x: jnp.zeros((4, 3)).at[whole(i)].add(x),
             [2.0, 0.0, 2.0, -1.0, 2.0], made((5, 3), 91), smooth=False)
    add_case("scatter_add_many", "zeros(3).at[i].add(x) with i and x of shape (2, 3)",
             lambda i, x: jnp.zeros(3).at[whole(i)].add(x), [[1.0, 1.0, 2.0], [-3.0, 0.0, 1.0]], made((2, 3), 91), smooth=False)


def diagonals():
    m, r, v = made((3, 4), 92), made((2, 3, 3), 93), made((3,), 94)
    for k, label in ((0, ""), (1, "_above"), (-2, "_below")):
        for name, text, fn, at in (
                ("diagonal", "diagonal(x, %d, last two axes)", lambda x, k=k: jnp.diagonal(x, k, -2, -1), r),
                ("diag_of_vector", "diag(x, %d)", lambda x, k=k: jnp.diag(x, k), made((2,), 94)),
                ("diag_of_matrix", "diag(x, %d)", lambda x, k=k: jnp.diag(x, k), m),
                ("tril", "tril(x, %d)", lambda x, k=k: jnp.tril(x, k), m),
                ("triu", "triu(x, %d)", lambda x, k=k: jnp.triu(x, k), r)):
            add_case(name + label, text % k, fn, at)


def folds():
    r, some_zeros = made((2, 3, 4), 95), [[0.5, 0.0, 3.0, -1.0], [0.0, 2.0, 0.0, 1.0], [1.5, -0.5, 2.0, 4.0]]
    for name, text, fn, at in (
            ("prod_all", "prod(x)", jnp.prod, made((3, 3), 95, 1.0, 1.5)),
            ("prod_axis", "prod(x, axis 1)", lambda x: jnp.prod(x, 1), r),
            ("prod_axes", "prod(x, axes 0 and 2)", lambda x: jnp.prod(x, (0, 2)), r),
            ("prod_of_zeros", "prod(x, axis 1)", lambda x: jnp.prod(x, 1), some_zeros),
            ("cumsum_first", "cumsum(x, axis 0)", lambda x: jnp.cumsum(x, 0), r),
            ("cumsum_last", "cumsum(x, axis -1)", lambda x: jnp.cumsum(x, -1), r),
            ("cumprod_first", "cumprod(x, axis 0)", lambda x: jnp.cumprod(x, 0), made((4, 3), 95, 1.0, 1.5)),
            ("cumprod_last", "cumprod(x, axis 1)", lambda x: jnp.cumprod(x, 1), made((3, 4), 95, 1.0, 1.5)),
            ("cumprod_of_zeros", "cumprod(x, axis 1)", lambda x: jnp.cumprod(x, 1), some_zeros),
            ("var_all", "var(x)", jnp.var, r), ("var_axis", "var(x, axis 1)", lambda x: jnp.var(x, 1), r),
            ("var_axes", "var(x, axes 0 and 2)", lambda x: jnp.var(x, (0, 2)), r),
            ("stddev_all", "std(x)", jnp.std, r), ("stddev_axis", "std(x, axis 2)", lambda x: jnp.std(x, 2), r),
            ("norm_all", "the root of the sum of squares", lambda x: jnp.sqrt(jnp.sum(x * x)), r),
            ("norm_axis", "norm(x, axis 1)", lambda x: jnp.linalg.norm(x, axis=1), r),
            ("norm_matrix", "norm(x, axes 1 and 2)", lambda x: jnp.linalg.norm(x, axis=(1, 2)), r),
            ("argmax", "x * argmax(x)", lambda x: x * jnp.argmax(x), r),
            ("any", "x * any(x > 0.9)", lambda x: x * jnp.any(x > 0.9), r),
            ("any_axis", "x * any(x > 0.9, axis 1, kept)", lambda x: x * jnp.any(x > 0.9, 1, keepdims=True), r),
            ("all", "x * all(x > -0.9)", lambda x: x * jnp.all(x > -0.9), r),
            ("all_axis", "x * all(x > -0.9, axis 1, kept)", lambda x: x * jnp.all(x > -0.9, 1, keepdims=True), r),
            ("argmax_axis", "x * argmax(x, axis 1, kept)", lambda x: x * jnp.argmax(x, 1, keepdims=True), r),
            ("argmin", "x * argmin(x)", lambda x: x * jnp.argmin(x), r),
            ("argmin_axis", "x * argmin(x, axis 2, kept)", lambda x: x * jnp.argmin(x, 2, keepdims=True), r)):
        add_case(name, text, fn, at)
    add_case("argmax_ties", "x * argmax(x, axis 1, kept)", lambda x: x * jnp.argmax(x, 1, keepdims=True),
             [[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]], smooth=False)


def normalisations():
    r, absent = made((2, 3, 4), 96, 4.0), [[-math.inf, 1.0, 2.0], [0.5, -math.inf, -math.inf]]
    lse = jax.scipy.special.logsumexp
    for name, text, fn, at, smooth in (
            ("logsumexp_all", "logsumexp(x)", lse, r, True),
            ("logsumexp_axis", "logsumexp(x, axis 1)", lambda x: lse(x, 1), r, True),
            ("logsumexp_axes", "logsumexp(x, axes 0 and 2)", lambda x: lse(x, (0, 2)), r, True),
            ("softmax_last", "softmax(x)", jax.nn.softmax, r, True),
            ("softmax_axis", "softmax(x, axis 1)", lambda x: jax.nn.softmax(x, 1), r, True),
            ("log_softmax_last", "log_softmax(x)", jax.nn.log_softmax, r, True),
            ("log_softmax_axis", "log_softmax(x, axis 0)", lambda x: jax.nn.log_softmax(x, 0), r, True),
            ("logsumexp_absent", "logsumexp(x, axis 1)", lambda x: lse(x, 1), absent, False),
            ("softmax_absent", "softmax(x)", jax.nn.softmax, absent, False)):
        add_case(name, text, fn, at, smooth=smooth)


def choices():
    x = made((3, 4), 97, 2.0)
    add_case("where_grid", "where(c > 0, x, y)  with c (3, 1), x (4), y (3, 4)", lambda c, x, y: jnp.where(c > 0, x, y),
             [[0.5], [-1.0], [2.0]], made((4,), 99), x)
    add_case("where_numbers", "where(x > y, x, 2)  with y (4)", lambda x, y: jnp.where(x > y, x, 2.0), x, made((4,), 99))
    add_case("where_scalar", "where(s > 0, x, 3 x)  with s of rank 0", lambda s, x: jnp.where(s > 0, x, 3 * x), made((), 98), x)
    add_case("clamp_arrays", "clip(x, l, h)  with l (4), h (3, 1)", jnp.clip, x, made((4,), 98, 1.0, -1.25),
             made((3, 1), 99, 1.0, 1.25))


def contractions():
    a, b, v, r = made((3, 4), 110), made((4, 2), 111), made((4,), 112), made((2, 3, 4), 113)
    q, k = made((3, 3), 114), made((2, 2, 2), 115)
    for name, s, t in (("batch", (2, 3, 4), (2, 4, 2)), ("batch_ones", (2, 1, 2, 2), (3, 2, 2)),
                       ("vector_batch", (4,), (2, 4, 2)), ("shared_left", (3, 4), (2, 4, 2))):
        add_case("matmul_%s" % name, "matmul(a, b)  with a %s, b %s" % (s, t), jnp.matmul, made(s, 116), made(t, 117))
    add_case("dot", "tensordot(a, b, 1)", lambda a, b: jnp.tensordot(a, b, 1), made((2, 3, 4), 113), b)
    for name, form, *operands in (
            ("product", "ij,jk->ik", a, b), ("transposed", "ij,jk->ki", a, b), ("batch", "bij,jk->bki", r, b),
            ("batch_dots", "bij,bij->b", r, r), ("elementwise", "ij,ij->ij", a, a), ("total", "ij,kj->", a, a),
            ("outer", "i,j->ij", v, made((3,), 112)), ("trace", "ii->", q), ("diagonal", "ii->i", q), ("sums", "bij->j", r),
            ("transpose", "ij->ji", a), ("diagonal_product", "ii,ij->j", q, a), ("chain", "ij,jk,kl->il", q, a, b),
            ("form", "i,ij,j->", made((3,), 112), a, v), ("three_batch", "bij,bjk,b->bik", k, k, made((2,), 118))):
        add_case("einsum_" + name, 'einsum("%s")' % form, lambda *x, form=form: jnp.einsum(form, *x), *operands)
    for n, s, t in ((0, (3,), (2, 2)), (1, (2, 3, 2), (2, 2)), (2, (2, 3, 2), (3, 2, 2))):
        add_case("tensordot_%d" % n, "tensordot(a, b, %d)" % n, lambda a, b, n=n: jnp.tensordot(a, b, n), made(s, 119),
                 made(t, 120))
    add_case("inner", "inner(a, b)", jnp.inner, r, made((2, 4), 121))
    add_case("outer", "outer(a, b)", jnp.outer, made((2, 2), 121), made((3,), 122))
    add_case("vdot", "vdot(a, b)", jnp.vdot, r, made((2, 3, 4), 123))


def convolutions():
    def conv(x, k, padding, stride, dilation):
        many = x if x.ndim == 3 else x[None]
        if padding == "CAUSAL":
            padding = [((k.shape[0] - 1) * dilation, 0)]
        y = jax.lax.conv_general_dilated(many, k, (stride,), padding, rhs_dilation=(dilation,),
                                         dimension_numbers=("NWC", "WIO", "NWC"))
        return y if x.ndim == 3 else y[0]
    x, many, kernel, one = made((9, 2), 124), made((2, 6, 2), 125), made((3, 2, 2), 126), made((2, 2, 3), 127)
    for name, padding, stride, dilation, at, k in (
            ("valid", "VALID", 1, 1, x, kernel), ("causal", "CAUSAL", 1, 1, x, kernel), ("same", "SAME", 1, 1, x, kernel),
            ("causal_dilated", "CAUSAL", 1, 2, x, kernel), ("causal_strided", "CAUSAL", 2, 3, x, kernel),
            ("same_strided", "SAME", 2, 1, x, kernel), ("valid_strided_dilated", "VALID", 3, 2, x, kernel),
            ("batch_same_even", "SAME", 1, 1, many, one[:, :, :2]), ("batch_same_strided", "SAME", 3, 1, many, one),
            ("batch_causal_dilated", "CAUSAL", 1, 3, many, one[:, :, :2])):
        add_case("conv1d_" + name, "conv1d(x, kernel, %s, stride %d, dilation %d)" % (padding.lower(), stride, dilation),
                 lambda x, k, p=padding, s=stride, d=dilation: conv(x, k, p, s, d), at, k)


def loops():
    add_case("scan_without_inputs", "c = tanh(0.75 c + a), 4 times: the last c and all before",
             lambda c, a: jax.lax.scan(lambda c, _: (jnp.tanh(0.75 * c + a), c), c, None, length=4), made((3,), 128),
             made((3,), 129))
    add_case("scan_counted", "scan of c = c w + x over 5 steps: all c",
             lambda c, w, xs: jax.lax.scan(lambda c, x: (c * w + x,) * 2, c, xs, length=5)[1], made((2,), 130), made((2,), 131),
             made((5, 2), 132))
    add_case("scan_counted_reverse", "the same from the last to the first: all c",
             lambda c, w, xs: jax.lax.scan(lambda c, x: (c * w + x,) * 2, c, xs, length=5, reverse=True)[1], made((2,), 130),
             made((2,), 131), made((5, 2), 132))


def layers():
    def cell(x, kernel, recurrent, bias, h, c):
        i, f, g, o = jnp.split(x @ kernel + h @ recurrent + bias, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return jax.nn.sigmoid(o) * jnp.tanh(c), c
    add_case("dense_layer", "x @ kernel + bias", lambda x, k, b: x @ k + b, made((2, 2, 3), 133), made((3, 2), 134),
             made((2,), 135))
    add_case("lstm_cell", "one step of Keras' LSTM: h and c", cell, made((2, 3), 136), made((3, 8), 137), made((2, 8), 138),
             made((8,), 139), made((2, 2), 140), made((2, 2), 141))


    def layer(xs, kernel, recurrent, bias):
        zero = jnp.zeros((xs.shape[1], recurrent.shape[0]))
        step = lambda state, x: (lambda h, c: ((h, c), h))(*cell(x, kernel, recurrent, bias, *state))
        return jax.lax.scan(step, (zero, zero), xs)[1]
    add_case("lstm_layer", "Keras' LSTM from a state of zeros: all h", layer, made((4, 2, 3), 142), made((3, 8), 143),
             made((2, 8), 144), made((8,), 145))


GROUPS = (arrangements, indexing, diagonals, folds, normalisations, choices, contractions, convolutions, loops, layers)
