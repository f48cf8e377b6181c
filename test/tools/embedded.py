#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Builds and runs examples/embedded without exceptions and RTTI: embedded.py native|TRIPLE ROOT BUILD

native: the program needs no heap and no iostreams, its loss falls, and a wrong argument aborts with its message.
TRIPLE, as aarch64-linux-gnu: cross-compiled and run by qemu-user, it prints the same as the native program: sizes
exactly, but for those of programs, whose plans depend on the machine's registers; numbers within TOLERANCE. The compiler
of the native program is the one of BUILD.
"""
import math
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import consume

MESON_SKIPPED = 77
# float: some hundred roundings in each of 32 steps, with and without fused multiply-add
TOLERANCE = 1e-5
FLAGS = ["-std=c++20", "-O2", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
PROGRAM_SIZES = re.compile(r"(player|trainer): \d+ bytes, of which workspace \d+")
UNWANTED = re.compile(r" U (malloc|calloc|operator new|std::basic_ostream|std::ios_base|__cxa_throw).*")


def build(compiler: str, root: pathlib.Path, source: str, folder: pathlib.Path, *flags: str) -> pathlib.Path:
    program = folder / pathlib.Path(source).stem
    consume.run([compiler, *FLAGS, f"-I{root / 'include'}", *flags, str(root / source), "-o", str(program)])
    return program


def check_numbers(lines: list[str], wanted: list[str]) -> None:
    if len(lines) != len(wanted):
        sys.exit(f"{len(lines)} lines, natively {len(wanted)}")
    for line, native in zip(lines, wanted):
        sizes, native_sizes = PROGRAM_SIZES.fullmatch(line), PROGRAM_SIZES.fullmatch(native)
        if sizes and native_sizes and sizes[1] == native_sizes[1]:
            continue
        if line != native:
            name, _, value = line.rpartition(" ")
            native_name, _, native_value = native.rpartition(" ")
            if name != native_name or not math.isclose(float(value), float(native_value), rel_tol=TOLERANCE):
                sys.exit(f"not within {TOLERANCE}: {line}, natively {native}")


def check_native(root: pathlib.Path, compiler: str, program: pathlib.Path, lines: list[str]) -> None:
    unwanted = UNWANTED.findall(consume.run(["nm", "-uC", str(program)]))
    if unwanted:
        sys.exit(f"the program needs {unwanted}")
    losses = [float(line.split()[1]) for line in lines if line.startswith("loss ")]
    if len(losses) != 2 or not 0 < losses[1] < losses[0]:
        sys.exit(f"the loss does not fall: {losses}")
    refused = build(compiler, root, "test/embedded/refused.cpp", program.parent)
    for what, message in (("memory", "unspool: the memory is smaller than workspace_bytes"),
                          ("shape", "unspool: 4 elements are given where shape (3,) is expected, 3 elements")):
        done = subprocess.run([str(refused), what], stderr=subprocess.PIPE, text=True)
        if done.returncode != -signal.SIGABRT or done.stderr.strip() != message:
            sys.exit(f"a wrong {what} ended with {done.returncode}: {done.stderr}")


def main() -> int:
    target, root, compiler = sys.argv[1], pathlib.Path(sys.argv[2]), consume.compiler(pathlib.Path(sys.argv[3]))
    source = "examples/embedded/main.cpp"
    cross, emulator = target + "-g++", "qemu-" + target.split("-")[0]
    for tool in (cross, emulator) if target != "native" else ():
        if not shutil.which(tool):
            print(f"SKIPPED: {tool} is not installed")
            return MESON_SKIPPED
    with tempfile.TemporaryDirectory() as name:
        native = build(compiler, root, source, pathlib.Path(name))
        lines = consume.run([str(native)]).splitlines()
        if target == "native":
            check_native(root, compiler, native, lines)
        else:
            # headers of /usr/include come last: the C library's are the cross compiler's own
            program = build(cross, root, source, pathlib.Path(name), "-static", "-idirafter", "/usr/include")
            native_lines, lines = lines, consume.run([emulator, str(program)]).splitlines()
            check_numbers(lines, native_lines)
    print("\n".join(lines))
    return 0


sys.exit(main())
