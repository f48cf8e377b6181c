#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Builds and runs test/consumer/project against unspool: consume.py pkg-config|subproject|cmake ROOT BUILD

pkg-config and cmake use a copy installed for the occasion; subproject puts the source tree under subprojects/. The
compiler is the one of BUILD. The tree in use is left alone: all happens in a temporary folder.
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

MESON_SKIPPED = 77


def run(words: list[str], **options) -> str:
    print("$", shlex.join(words), flush=True)
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        print(done.stdout)
        sys.exit(f"ended with {done.returncode}")
    return done.stdout


def compiler(build: pathlib.Path) -> str:
    entries = json.loads((build / "compile_commands.json").read_text())
    words = shlex.split(entries[0]["command"])
    return words[1] if os.path.basename(words[0]) == "ccache" else words[0]


def install(root: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    prefix = folder / "prefix"
    run(["meson", "setup", str(folder / "install"), str(root), f"--prefix={prefix}", "-Dtests=disabled",
         "-Dbenchmarks=disabled", "-Dexamples=disabled"])
    run(["meson", "install", "-C", str(folder / "install")])
    return prefix


def main() -> int:
    way, root, build = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    os.environ["CXX"] = compiler(build)
    if not (root / "include/unspool/unspool.hpp").exists():
        print("SKIPPED: there is no unspool/unspool.hpp to consume")
        return MESON_SKIPPED
    if way == "cmake" and not shutil.which("cmake"):
        print("SKIPPED: cmake is not installed")
        return MESON_SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        project = folder / "project"
        shutil.copytree(root / "test/consumer/project", project)
        built = folder / "built"
        program = built / "consumer"
        if way == "pkg-config":
            prefix = install(root, folder)
            os.environ["PKG_CONFIG_PATH"] = str(prefix / "share/pkgconfig")
            flags = run(["pkg-config", "--cflags", "--libs", "unspool"]).split()
            if "-ffp-contract=off" not in flags:
                sys.exit(f"-ffp-contract=off is missing from the flags {flags}")
            built.mkdir()
            run([os.environ["CXX"], "-std=c++20", str(project / "main.cpp"), *flags, "-o", str(program)])
        elif way == "cmake":
            prefix = install(root, folder)
            run(["cmake", "-G", "Ninja", "-S", str(project), "-B", str(built), f"-DCMAKE_PREFIX_PATH={prefix}"])
            run(["cmake", "--build", str(built)])
        else:
            (project / "subprojects").mkdir()
            (project / "subprojects/unspool").symlink_to(root)
            run(["meson", "setup", str(built), str(project)])
            run(["ninja", "-C", str(built)])
            if any((built / "subprojects/unspool" / part).exists() for part in ("test", "bench", "examples")):
                sys.exit("as a subproject unspool must build no tests, benchmarks or examples")
        run([str(program)])
    return 0


sys.exit(main())
