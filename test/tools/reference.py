#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs doxygen over the public headers: reference.py ROOT

docs/Doxyfile must give no warning, must warn of a docstring that is wrong, and must document what users call.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

MESON_SKIPPED = 77
PUBLIC = {"adam", "adjoint_error", "as", "check_gradient", "clip_by_global_norm", "concatenate", "dense", "grad",
          "gradient_error", "initial", "jvp", "lstm", "lstm_cell", "matmul", "mean", "program", "scan", "sgd", "slice",
          "sum", "tensor", "tensor_view", "unroll", "value_and_grad", "vjp"}
WRONG = "#pragma once\n/// Twice x.\n/// \\param y no such parameter\nint twice(int x);\n"


def warnings(root: pathlib.Path, out: pathlib.Path) -> str:
    settings = (root / "docs/Doxyfile").read_text()
    settings += f"OUTPUT_DIRECTORY = {out}\nGENERATE_HTML = NO\nGENERATE_XML = YES\n"
    done = subprocess.run(["doxygen", "-"], input=settings, cwd=root, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.stdout if done.returncode == 0 else f"doxygen ended with {done.returncode}: {done.stdout}"


def documented(out: pathlib.Path) -> set[str]:
    """Names of functions, variables and classes that have a description."""
    names = set()
    for path in (out / "xml").glob("*unspool*.xml"):
        for tag, name in (("compounddef", "compoundname"), ("memberdef", "name")):
            for entity in xml.etree.ElementTree.parse(path).iter(tag):
                if "".join(entity.find("briefdescription").itertext()).strip():
                    names.add(entity.find(name).text.split("::")[-1])
    return names


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    if not shutil.which("doxygen"):
        print("SKIPPED: doxygen is not installed")
        return MESON_SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wrong = folder / "wrong"
        (wrong / "include/unspool").mkdir(parents=True)
        (wrong / "include/unspool/wrong.hpp").write_text(WRONG)
        shutil.copytree(root / "docs", wrong / "docs")
        if "argument 'y'" not in warnings(wrong, folder / "wrong-out"):
            sys.exit("a parameter that does not exist is not warned of")
        told = warnings(root, folder)
        missing = PUBLIC - documented(folder)
    print(told, f"without a description: {sorted(missing)}" if missing else "", sep="")
    return 1 if told or missing else 0


sys.exit(main())
