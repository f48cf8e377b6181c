# SPDX-License-Identifier: BSL-1.0
"""Values made by a formula, and the JSON forms that the C++ tests read (reference.hpp has their twins)."""
import json
import math
import os
import platform

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
FULL = 400  # arrays up to this size are stored in full
ENDS = 8  # of larger ones: this many entries at either end
PROJECTIONS = 16  # and scalar products with q(n, 100 + j)


def u(n, k):
    """n values in [-1, 1): 2 frac(43758.5453 sin(12.9898 j + 78.233 k)) - 1, j = 0..n-1, by the C library's sin."""
    v = [math.sin(j * 12.9898 + k * 78.233) * 43758.5453 for j in range(n)]
    return np.array([2 * (x - math.floor(x)) - 1 for x in v], np.float64)


def q(n, k):
    """u(n, k) rounded down to multiples of 1/4096.

    u magnifies an error of sin 10^5 times; the grid hides it, so that another C library or compiler makes the same bits.
    Every multiple is exact in float, so that float and double tests have the same inputs.
    """
    return np.floor(u(n, k) * 4096) / 4096


def made(shape, k, scale=1.0, shift=0.0):
    """Array of scale * (shift + q), row-major; with scale a power of two, exact in float."""
    return (scale * (shift + q(math.prod(shape), k))).reshape(shape)


def power_of_two_below(x):
    return 2.0 ** math.floor(math.log2(x))


def number(x):
    """JSON has no infinities: they become strings."""
    x = float(x)
    return x if math.isfinite(x) else "nan" if math.isnan(x) else "inf" if x > 0 else "-inf"


def stored(a):
    """{shape, values}, or for more than FULL entries {shape, norm, sum, projections, first, last}."""
    a = np.asarray(a, np.float64)
    flat = a.reshape(-1)
    out = {"shape": list(a.shape)}
    if flat.size <= FULL:
        out["values"] = [number(x) for x in flat]
        return out
    out["norm"] = math.sqrt(math.fsum(flat * flat))
    out["sum"] = math.fsum(flat)
    out["projections"] = [math.fsum(flat * q(flat.size, 100 + j)) for j in range(PROJECTIONS)]
    out["first"] = [number(x) for x in flat[:ENDS]]
    out["last"] = [number(x) for x in flat[-ENDS:]]
    return out


def deviation(a, b):
    """||a - b|| / ||b||, for arrays or scalars."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    assert a.shape == b.shape, (a.shape, b.shape)
    d, n = np.linalg.norm((a - b).reshape(-1)), np.linalg.norm(b.reshape(-1))
    return float(d / n) if n else float(d)


def versions():
    import jax
    import keras
    import mpmath
    import tensorflow
    import torch

    return {
        "jax": jax.__version__,
        "keras": keras.__version__,
        "mpmath": mpmath.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "tensorflow": tensorflow.__version__,
        "torch": torch.__version__,
    }


def write(name, what, **content):
    """data/NAME.json, one case per line: repr has the 17 digits (or fewer) that give the same double back."""
    doc = {"what": what, "values": "q(n, k) = floor(4096 u(n, k)) / 4096; arrays are scale * (shift + q), row-major",
           "versions": versions(), **content}
    path = os.path.join(HERE, "data", name + ".json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    parts = []
    for key, value in doc.items():
        if key == "cases":
            lines = ",\n".join(json.dumps(c, allow_nan=False, separators=(",", ":")) for c in value)
            parts.append('"cases": [\n%s\n]' % lines)
        else:
            parts.append("%s: %s" % (json.dumps(key), json.dumps(value, allow_nan=False)))
    with open(path + ".new", "w") as f:
        f.write("{\n" + ",\n".join(parts) + "\n}\n")
    os.replace(path + ".new", path)
    print("%s: %d cases, %d bytes" % (os.path.relpath(path, HERE), len(doc["cases"]), os.path.getsize(path)))
