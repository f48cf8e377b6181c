#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that every C++ file is formatted by .clang-format: format.py ROOT [--fix]

Comments, which clang-format leaves as they are, end at column 100 too. Only clang-format 14 (Debian 12's) decides, since versions differ; without it the check is skipped.
"""
import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = ("include", "test", "bench", "examples")
MAX_COLUMNS = 100
# lines that tools read, see check.py
DIRECTIVE = re.compile(r"\s*// (expect|expect-regex|expect-note|flags|twin):")
MESON_SKIPPED = 77


def clang_format() -> str | None:
    for name in ("clang-format-14", "clang-format"):
        if path := shutil.which(name):
            version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
            if re.search(r"version 14\.", version):
                return path
    return None


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    tool = clang_format()
    if tool is None:
        print("SKIPPED: clang-format 14 is not installed")
        return MESON_SKIPPED
    files = [str(path) for folder in FOLDERS for path in sorted((root / folder).rglob("*.[hc]pp"))]
    if not files:
        return 0
    long_lines = [f"{pathlib.Path(path).relative_to(root)}:{number}"
                  for path in files
                  for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1)
                  if len(line) > MAX_COLUMNS and not DIRECTIVE.match(line)]
    if "--fix" in sys.argv[2:]:
        return subprocess.run([tool, "-i", *files]).returncode
    done = subprocess.run([tool, "--dry-run", "--Werror", "--ferror-limit=1", *files], capture_output=True, text=True)
    bad = sorted(set(re.findall(r"^(.+?):\d+:\d+: error:", done.stderr, re.MULTILINE)))
    for path in bad:
        print(f"not formatted: {pathlib.Path(path).relative_to(root)}")
    if bad:
        print(f"{len(bad)} of {len(files)} files; to format them: python3 test/tools/format.py . --fix")
    for place in long_lines:
        print(f"more than {MAX_COLUMNS} columns: {place}")
    return 1 if done.returncode or long_lines else 0


sys.exit(main())
