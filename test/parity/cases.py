# SPDX-License-Identifier: BSL-1.0
"""Cases of operations: value, vjp and jvp from JAX in float64.

Each case is checked here: <Jv, w> = <v, J'w>; away from kinks a five-point difference; of elementwise functions mpmath's values are stored.
"""
import jax
import jax.numpy as jnp
import mpmath
import numpy as np

from common import deviation, made, number

CASES = []


def add_case(name, text, fn, *args, cotangents=None, tangents=None, smooth=True, exact=None):
    """args are arrays; fn returns one array or a tuple. Cotangents are made with k = 60.., tangents with 70.. .

    exact: function and derivative in mpmath; their results, rounded once, are stored instead of JAX's (whose log1p is
    40 ULP off at one of these points), and jax_error says by how many ULP JAX differs.
    """
    assert name not in {c["name"] for c in CASES}, name
    args = [np.asarray(a, np.float64) for a in args]
    for a in args:
        assert np.array_equal(a, a.astype(np.float32)) and a.size <= 24, name
    many = lambda *a: (lambda r: r if isinstance(r, tuple) else (r,))(fn(*a))
    primal, pull = jax.vjp(many, *(jnp.asarray(a) for a in args))
    w = [np.asarray(c, np.float64) for c in cotangents] if cotangents else [
        made(p.shape, 60 + i) for i, p in enumerate(primal)]
    v = [np.asarray(t, np.float64) for t in tangents] if tangents else [
        made(a.shape, 70 + i) for i, a in enumerate(args)]
    grads = [np.asarray(g) for g in pull(tuple(jnp.asarray(c) for c in w))]
    pushed = [np.asarray(t) for t in jax.jvp(many, tuple(map(jnp.asarray, args)), tuple(map(jnp.asarray, v)))[1]]
    primal = [np.asarray(p) for p in primal]
    assert all(p.dtype == np.float64 and p.size <= 24 for p in primal + grads + pushed), name
    verify(name, many, args, v, w, primal, grads, pushed, smooth)
    case = {"name": name, "text": text}
    if exact:
        case["jax_error"] = {}
        f, df = (np.array([fn(mpmath.mpf(float(x))) for x in args[0].reshape(-1)]).reshape(args[0].shape) for fn in exact)
        for what, found, true in (("value", primal, f), ("vjp", grads, w[0] * df), ("jvp", pushed, v[0] * df)):
            rounded = np.array([float(t) for t in true.reshape(-1)]).reshape(true.shape)
            error = abs(found[0] - true) / np.maximum(np.spacing(abs(rounded)), 2.0 ** -1074)
            case["jax_error"][what] = round(float(error.max()), 2)
            found[0] = rounded
    case.update({"args": [full(a) for a in args], "outputs": [full(p) for p in primal],
                 "cotangents": [full(c) for c in w], "vjp": [full(g) for g in grads],
                 "tangents": [full(t) for t in v], "jvp": [full(t) for t in pushed]})
    CASES.append(case)


def full(a):
    return {"shape": list(a.shape), "values": [number(x) for x in a.reshape(-1)]}


def verify(name, many, args, v, w, primal, grads, pushed, smooth):
    left = sum(float(np.sum(p * c)) for p, c in zip(pushed, w))
    right = sum(float(np.sum(g * t)) for g, t in zip(grads, v))
    size = sum(float(np.sum(abs(g * t))) for g, t in zip(grads, v))
    if np.isfinite(left):
        assert abs(left - right) <= 1e-13 * max(size, 1e-3), (name, left, right)
    if smooth:
        at = lambda s: [np.asarray(r) for r in many(*(jnp.asarray(a + s * t) for a, t in zip(args, v)))]
        e = 2.0 ** -13
        for a, b, c, d, t in zip(at(-2 * e), at(-e), at(e), at(2 * e), pushed):
            difference = (8 * (c - b) - (d - a)) / (12 * e)
            assert deviation(difference, t) <= 1e-8, (name, deviation(difference, t))
