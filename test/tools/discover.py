#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Lists files for meson, so that a new test is found without editing a build file.

    discover.py list ROOT GLOB        paths below ROOT that match, one a line, sorted
    discover.py watch DEPFILE OUT DIR...   a dependency file naming the folders: a file added or removed reconfigures
"""
import pathlib
import sys


def list_files(root: pathlib.Path, pattern: str) -> None:
    for path in sorted(root.glob(pattern)):
        if path.is_file():
            print(path.relative_to(root).as_posix())


def watch(depfile: pathlib.Path, out: pathlib.Path, folders: list[str]) -> None:
    nested = []
    for folder in folders:
        top = pathlib.Path(folder)
        if top.is_dir():
            nested.append(top)
            nested += [p for p in sorted(top.rglob("*")) if p.is_dir() and p.name != "__pycache__"]
    out.write_text("".join(f"{p}\n" for p in nested))
    depfile.write_text(f"{out.name}: " + " ".join(str(p).replace(" ", "\\ ") for p in nested) + "\n")


if sys.argv[1] == "list":
    list_files(pathlib.Path(sys.argv[2]), sys.argv[3])
else:
    watch(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:])
