#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares what a program prints with a committed text: golden.py GOLDEN PROGRAM

With UNSPOOL_UPDATE_GOLDEN=1 in the environment the text is written instead, for a reviewer to read in the diff.
"""
import difflib
import os
import pathlib
import subprocess
import sys

golden, program = pathlib.Path(sys.argv[1]), sys.argv[2]
done = subprocess.run([program], stdout=subprocess.PIPE, text=True)
if done.returncode != 0:
    sys.exit(f"{program} ended with {done.returncode}")
if not done.stdout:
    sys.exit(f"{program} printed nothing")
if os.environ.get("UNSPOOL_UPDATE_GOLDEN", "0") not in ("", "0"):
    golden.write_text(done.stdout)
    print(f"wrote {golden}")
elif not golden.exists():
    sys.exit(f"{golden} is missing; make it with UNSPOOL_UPDATE_GOLDEN=1")
elif golden.read_text() != done.stdout:
    sys.stdout.writelines(difflib.unified_diff(golden.read_text().splitlines(keepends=True),
                                               done.stdout.splitlines(keepends=True), str(golden), program))
    sys.exit(1)
