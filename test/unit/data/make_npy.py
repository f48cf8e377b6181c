#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes the npy and npz files beside it with NumPy: make_npy.py"""
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
matrix = np.arange(6).reshape(2, 3) / 4 - 0.5  # exact in float

for dtype in ("f4", "f8", "i1", "i8", "u2", "?", ">f4", "f2", "c8"):
    name = dtype.replace(">", "big-").replace("?", "b1")
    whole = {"i": np.arange(6) - 2, "u": np.arange(6)}
    np.save(FOLDER / f"{name}.npy", whole.get(dtype[0], matrix).reshape(2, 3).astype(dtype))
np.save(FOLDER / "fortran.npy", np.asfortranarray(matrix))
np.save(FOLDER / "scalar.npy", np.float64(2.5))
np.save(FOLDER / "vector.npy", np.float32([1, 2, 3]))
for version in ((2, 0), (3, 0)):
    with open(FOLDER / f"version-{version[0]}.npy", "wb") as file:
        np.lib.format.write_array(file, matrix, version)
cell = {"w": matrix.astype("f4"), "b": np.float32([5, 6, 7])}
np.savez(FOLDER / "cell.npz", **cell)
np.savez_compressed(FOLDER / "packed.npz", **cell)
