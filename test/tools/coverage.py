#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Lines and branches of include/unspool that the run-time suites reach.

    coverage.py [--suites unit,grad,laws,fuzz] [--march LEVEL] [--missing] [--no-build] [--jobs N]

Builds the suites into build/coverage with clang++-19's source-based coverage, runs them, and prints a table. The exit code
is 1 where lines are below 95 % or branches below 85 %. --missing lists what was not reached, --no-build takes the
profiles of the last run.

What counts is code that can run at run time: a function of which the compiler made code in one of the programs. The
others, whose number is printed, are evaluated by the compiler alone (expressions, tilings), or nothing uses them. All
instantiations of a template are one: a line is reached if one of them reached it. A branch is two, one each way, where at
least one instantiation decides at run time; `if constexpr` and conditions on template arguments are none.
"""
import argparse
import collections
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/coverage"
HEADERS = str(ROOT / "include/unspool") + "/"
LEAST_LINES, LEAST_BRANCHES = 95.0, 85.0
FLAGS = "-fprofile-instr-generate -fcoverage-mapping"
CODE_REGION = 0  # the others are gaps, expansions and what the preprocessor skipped
Place = tuple[int, int]  # line, column


@dataclasses.dataclass
class File:
    lines: dict[int, bool] = dataclasses.field(default_factory=dict)
    branches: dict[Place, list[bool]] = dataclasses.field(default_factory=dict)
    without_code: set[Place] = dataclasses.field(default_factory=set)
    with_code: set[Place] = dataclasses.field(default_factory=set)


def run(*words: str, **options) -> str:
    return subprocess.run(words, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def build(suites: list[str], march: str, jobs: str) -> None:
    setup = ["meson", "setup", str(BUILD), str(ROOT), "-Dtests=enabled", "-Dbenchmarks=disabled", "-Dexamples=disabled",
             f"-Dsuites={','.join(suites)}", f"-Dmarch={march}", "-Doptimization=1", "-Ddebug=false",
             f"-Dcpp_args={FLAGS}", f"-Dcpp_link_args={FLAGS}"]
    run(*setup, *(["--reconfigure"] if (BUILD / "build.ninja").exists() else []), env={**os.environ, "CXX": "clang++-19"})
    subprocess.run(["ninja", "-C", str(BUILD), "-j", jobs, "tests"], check=True)
    for program in programs():
        subprocess.run([program], cwd=ROOT, check=True, env={**os.environ, "LLVM_PROFILE_FILE": f"{program}.profraw"})


def programs() -> list[pathlib.Path]:
    return sorted(path for path in (BUILD / "test").glob("*-tests") if path.is_file())


def profile_of(program: pathlib.Path) -> pathlib.Path:
    """One for each program: functions of one name differ between programs, and llvm-cov drops what does not match."""
    profile = program.with_suffix(".profdata")
    run("llvm-profdata-19", "merge", "-o", str(profile), f"{program}.profraw")
    return profile


def functions_of(program: pathlib.Path, profile: pathlib.Path):
    """Each function of a program's coverage as a dict; one at a time, since all take gigabytes."""
    with tempfile.TemporaryFile("w+") as out:
        done = subprocess.run(["llvm-cov-19", "export", str(program), f"-instr-profile={profile}", "-skip-expansions",
                               "-ignore-filename-regex=^(?!" + re.escape(HEADERS) + ")"], check=True, text=True, stdout=out,
                              stderr=subprocess.PIPE)
        if "mismatched" in done.stderr:
            sys.exit(f"functions are left out of {program.name}: {done.stderr}")
        out.seek(0)
        text = out.read()
    decoder = json.JSONDecoder()
    at = text.index('"functions":[') + len('"functions":[')
    while text[at] != "]":
        function, at = decoder.raw_decode(text, at)
        yield function
        at += text[at] == ","


def instrumented(profile: pathlib.Path) -> set[str]:
    """Names of the functions of which there is code."""
    listing = run("llvm-profdata-19", "show", "--all-functions", str(profile))
    return set(re.findall(r"^  (\S+):$", listing, re.MULTILINE))


def add_function(function: dict, has_code: bool, files: dict[str, File]) -> None:
    # [line, column, last line, last column, count, file, expanded file, kind]; of branches, the count of false is fifth
    regions = sorted((r for r in function["regions"] if r[7] == CODE_REGION), key=lambda r: (r[0], r[1], -r[2], -r[3]))
    for number, name in enumerate(function["filenames"]):
        if not name.startswith(HEADERS):
            continue
        file = files[name[len(HEADERS):]]
        here = [r for r in regions if r[5] == number]
        if not here:
            continue
        # told by their ends, since an initialiser list belongs to a constructor that has code
        (file.with_code if has_code else file.without_code).add(max(tuple(r[2:4]) for r in here))
        if not has_code:
            continue
        inside: dict[int, int] = {}  # at its beginning a line is in the innermost region
        begun: dict[int, int] = {}
        for line, _, last, _, count, *_ in here:
            begun[line] = max(begun.get(line, 0), count)
            for between in range(line + 1, last + 1):
                inside[between] = count
        for line in inside.keys() | begun.keys():
            reached = max(inside.get(line, 0), begun.get(line, 0)) > 0
            file.lines[line] = file.lines.get(line, False) or reached
        for branch in function["branches"]:
            if branch[6] != number:
                continue
            place, taken, not_taken = tuple(branch[:2]), branch[4], branch[5]
            around = [r for r in here if tuple(r[:2]) <= place < tuple(r[2:4])]
            if taken + not_taken == 0 and around and around[-1][4] > 0:
                continue  # decided by the compiler
            known = file.branches.setdefault(place, [False, False])
            known[0] |= taken > 0
            known[1] |= not_taken > 0


def measured() -> dict[str, File]:
    files: dict[str, File] = collections.defaultdict(File)
    for program in programs():
        profile = profile_of(program)
        with_code = instrumented(profile)
        for function in functions_of(program, profile):
            add_function(function, function["name"] in with_code, files)
    for name, file in files.items():
        source = (pathlib.Path(HEADERS) / name).read_text().splitlines()
        for line in list(file.lines):
            if re.fullmatch(r"\s*(//.*|[{}();]*)", source[line - 1]):
                del file.lines[line]
        for place in list(file.branches):
            if "if constexpr" in source[place[0] - 1]:
                del file.branches[place]
    return files


def percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 100.0


def report(files: dict[str, File], missing: bool) -> bool:
    rows: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for name, file in sorted(files.items()):
        taken = [way for both in file.branches.values() for way in both]
        counts = [sum(file.lines.values()), len(file.lines), sum(taken), len(taken),
                  len(file.without_code - file.with_code)]
        for row in (name.split("/")[0], "all"):
            rows[row] = [a + b for a, b in zip(rows[row], counts)]
        if missing:
            source = (pathlib.Path(HEADERS) / name).read_text().splitlines()
            for line in sorted(line for line, reached in file.lines.items() if not reached):
                print(f"{name}:{line}: not reached: {source[line - 1].strip()}")
            for (line, column), (yes, no) in sorted(file.branches.items()):
                if file.lines.get(line, True) and not (yes and no):
                    print(f"{name}:{line}:{column}: never {'false' if yes else 'true' if no else 'decided'}: "
                          f"{source[line - 1][column - 1:]}")
            for line, _ in sorted(file.without_code - file.with_code):
                print(f"{name}:{line}: the end of a function without code")
    print(f"{'':8} {'lines':>20} {'branches':>20}   functions without code")
    for name, (lines, all_lines, taken, all_taken, without) in rows.items():
        if name != "all":
            print(f"{name:8} {lines:5} of {all_lines:5} {percent(lines, all_lines):5.1f} % "
                  f"{taken:5} of {all_taken:5} {percent(taken, all_taken):5.1f} %   {without}")
    lines, all_lines, taken, all_taken, without = rows["all"]
    print(f"lines {percent(lines, all_lines):.1f} % of {all_lines}, branches {percent(taken, all_taken):.1f} % of "
          f"{all_taken}; {without} functions have no code")
    return percent(lines, all_lines) >= LEAST_LINES and percent(taken, all_taken) >= LEAST_BRANCHES


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", default="unit,grad,laws,fuzz")
    parser.add_argument("--march", default="", help="as meson's option; the default is plain x86-64")
    parser.add_argument("--missing", action="store_true", help="list what was not reached")
    parser.add_argument("--no-build", action="store_true", help="take the profiles of the last run")
    parser.add_argument("--jobs", default=str(len(os.sched_getaffinity(0))))
    options = parser.parse_args()
    if not options.no_build:
        build(options.suites.split(","), options.march, options.jobs)
    return 0 if report(measured(), options.missing) else 1


sys.exit(main())
