#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Builds the tests in several configurations, runs them and adds up: see test/run, which installs what this needs."""
import argparse
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOBS = len(os.sched_getaffinity(0))
DEFAULT_SUITES = ["static", "unit", "grad", "laws", "fail", "headers", "golden", "parity", "fuzz", "threads", "project"]
# psABI levels in terms of /proc/cpuinfo
CPU_FLAGS = {
    "x86-64-v3": {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"},
    "x86-64-v4": {"avx2", "fma", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}
TAIL_LINES = 40


@dataclasses.dataclass
class Configuration:
    name: str
    compiler: str
    suites: list[str]
    options: list[str]
    march: str = ""
    memcheck: tuple[str, ...] = ()  # tests that run once more, under valgrind


@dataclasses.dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0

    def __iadd__(self, other: "Tally") -> "Tally":
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        return self

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else "")


# -O2 where the kernels' speed and warnings matter, -O1 where the front end is under test
PLAIN = ["-Doptimization=2", "-Ddebug=false"]
LIGHT = ["-Doptimization=1", "-Ddebug=false"]
FRONT_END = ["static", "unit", "grad", "threads", "fail"]
MEMCHECK = ("unit/kernel_*", "unit/simd_vec", "unit/executor_*", "unit/program", "unit/program_memory", "unit/scalar_members",
            "unit/optim", "unit/inspection", "unit/integers", "unit/ext_*")
# short blocks: memcheck's translation of 50 instructions with AVX2 vectors can exhaust valgrind's own storage
VALGRIND = ("valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --partial-loads-ok=no "
            "--vex-guest-max-insns=25")
CONFIGURATIONS = [
    Configuration("gcc", "g++", DEFAULT_SUITES, PLAIN),
    Configuration("clang-16", "clang++-16", FRONT_END, LIGHT),
    Configuration("clang-19", "clang++-19", FRONT_END, LIGHT),
    # clang, since g++ 12 takes minutes and gigabytes to sanitize one unit of kernels; line numbers make reports readable
    Configuration("sanitize", "clang++-19", ["unit", "grad", "laws", "fuzz"],
                  ["-Doptimization=1", "-Ddebug=true", "-Db_sanitize=address,undefined", "-Db_lundef=false"]),
    Configuration("threads", "clang++-19", ["threads"],
                  ["-Doptimization=1", "-Ddebug=true", "-Db_sanitize=thread", "-Db_lundef=false"]),
    # and memcheck on what touches memory by hand; valgrind knows AVX2 and not AVX-512
    Configuration("x86-64-v3", "g++", ["unit", "threads"], PLAIN, "x86-64-v3", MEMCHECK),
    Configuration("x86-64-v4", "g++", ["unit", "threads"], PLAIN, "x86-64-v4"),
    # NEON, by a cross compiler and qemu: see test/aarch64
    Configuration("aarch64", "g++", ["aarch64"], PLAIN),
]


def cpu_lacks(march: str) -> set[str]:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            return CPU_FLAGS.get(march, set()) - set(line.split(":", 1)[1].split())
    return CPU_FLAGS.get(march, set())


def logged(words: list[str], log: pathlib.Path, env: dict[str, str]) -> bool:
    with log.open("a") as out:
        out.write(f"\n$ {' '.join(words)}\n")
        out.flush()
        return subprocess.run(words, cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT).returncode == 0


def tail(text: str, lines: int = TAIL_LINES) -> str:
    kept = text.rstrip("\n").splitlines()
    head = [f"[{len(kept) - lines} lines before]"] if len(kept) > lines else []
    return "\n".join("    " + line for line in head + kept[-lines:])


def catch_cases(test: dict) -> Tally:
    """A test that ran Catch2 cases counts as many; any other counts as one."""
    result, output = test["result"], test.get("stdout", "")
    match = re.search(r"^cases: (\d+) ran, (\d+) skipped$", output, re.MULTILINE)
    ran, skipped = (int(match[1]), int(match[2])) if match else (0, 0)
    if result == "OK":
        return Tally(passed=ran if match else 1, skipped=skipped)
    if result == "SKIP":
        return Tally(skipped=max(skipped, 1))
    match = re.search(r"^test cases:.*?(\d+) failed", output, re.MULTILINE)
    failed = max(int(match[1]) if match else 1, 1)
    return Tally(passed=max(ran - failed, 0), failed=failed, skipped=skipped)


def read_results(log: pathlib.Path) -> Tally:
    tally = Tally()
    if not log.exists():
        return tally
    for line in log.read_text().splitlines():
        test = json.loads(line)
        counted = catch_cases(test)
        tally += counted
        name = test["name"].split(" / ", 1)[-1]
        if counted.failed:
            output = test.get("stdout", "") + test.get("stderr", "")
            print(f"  FAILED {name} ({test['result']}, {test['duration']:.1f} s)\n{tail(output)}", flush=True)
        elif counted.skipped:
            reasons = re.findall(r"^SKIPPED.*$", test.get("stdout", ""), re.MULTILINE)
            for reason in reasons or ["no reason given"]:
                print(f"  {name}: {reason}", flush=True)
    return tally


def build_errors(log: pathlib.Path) -> str:
    """The part of the build log that says what went wrong."""
    lines = log.read_text(errors="replace").splitlines()
    for number, line in enumerate(lines):
        if line.startswith("FAILED:") or "ERROR:" in line or re.search(r"\berror:", line):
            return "\n".join("    " + one[:400] for one in lines[number:number + TAIL_LINES])
    return tail("\n".join(lines))


def stand_in_for_missing(build: pathlib.Path, log: pathlib.Path) -> None:
    """Puts a failing script where a program did not build, so that meson runs the other tests.

    A program left by an earlier build is replaced, too. The scripts are older than any source, so ninja replaces them.
    """
    failed = re.findall(r"^FAILED: (\S+)", log.read_text(errors="replace"), re.MULTILINE)
    broken = {name.split(".p/")[0] for name in failed if ".p/" in name}
    wanted = subprocess.run(["ninja", "-C", str(build), "-n", "tests"], capture_output=True, text=True).stdout
    broken |= {name for name in re.findall(r"Linking target (\S+)", wanted) if not (build / name).exists()}
    for name in broken:
        program = build / name
        program.unlink(missing_ok=True)
        program.write_text("#!/bin/sh\necho 'This program did not build.'\nexit 1\n")
        program.chmod(0o755)
        os.utime(program, (1, 1))


def run_tests(build: pathlib.Path, log: pathlib.Path, env: dict[str, str], name: str, options: list[str]) -> Tally:
    """Tests of a build, those named in `options` or all. `name`: what meson calls the results."""
    results = build / f"meson-logs/{name}.json"
    results.unlink(missing_ok=True)
    finished = logged(["meson", "test", "-C", str(build), "--no-rebuild", "--num-processes", str(JOBS), *options], log, env)
    tally = read_results(results)
    if not finished and tally.failed == 0:
        print(f"  FAILED: meson test, see {log.relative_to(ROOT)}\n{tail(log.read_text(errors='replace'))}", flush=True)
        tally.failed += 1
    return tally


def run(configuration: Configuration) -> Tally:
    tally = Tally()
    lacking = cpu_lacks(configuration.march)
    if lacking:
        print(f"  SKIPPED: this CPU has no {', '.join(sorted(lacking))}", flush=True)
        tally.skipped = 1
        return tally
    if shutil.which(configuration.compiler) is None:
        print(f"  FAILED: {configuration.compiler} is not installed", flush=True)
        tally.failed = 1
        return tally
    build = ROOT / "build" / f"test-{configuration.name}"
    build.mkdir(parents=True, exist_ok=True)
    log = build / "run.log"
    log.write_text("")
    env = {**os.environ, "CXX": configuration.compiler,
           "ASAN_OPTIONS": "detect_stack_use_after_return=1:strict_string_checks=1",
           "UBSAN_OPTIONS": "print_stacktrace=1"}
    configured = (build / "build.ninja").exists()
    setup = ["meson", "setup", str(build), str(ROOT), "-Dtests=enabled", "-Dbenchmarks=disabled", "-Dexamples=disabled",
             f"-Dsuites={','.join(configuration.suites)}", f"-Dmarch={configuration.march}", *configuration.options]
    if not logged(setup + (["--reconfigure"] if configured else []), log, env):
        print(f"  FAILED: meson setup, see {log.relative_to(ROOT)}\n{build_errors(log)}", flush=True)
        tally.failed = 1
        return tally
    # -k 0: what does not build fails alone, the rest is tested
    if not logged(["ninja", "-C", str(build), "-j", str(JOBS), "-k", "0", "tests"], log, env):
        print(f"  FAILED: the build, see {log.relative_to(ROOT)}\n{build_errors(log)}", flush=True)
        stand_in_for_missing(build, log)
        tally.failed += 1
    tally += run_tests(build, log, env, "testlog", [])
    if configuration.memcheck:
        tests = json.loads(subprocess.run(["meson", "introspect", "--tests", str(build)], capture_output=True, text=True,
                                          check=True).stdout)
        chosen = [test["name"] for test in tests
                  if any(fnmatch.fnmatch(test["name"], pattern) for pattern in configuration.memcheck)]
        tally += run_tests(build, log, env, "testlog-valgrind",
                           ["--wrapper", VALGRIND, "--timeout-multiplier", "20", *chosen])
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="g++ alone")
    parser.add_argument("--only", action="append", choices=[c.name for c in CONFIGURATIONS], help="this configuration")
    parser.add_argument("--list", action="store_true", help="list the configurations and stop")
    options = parser.parse_args()
    chosen = [c for c in CONFIGURATIONS
              if (not options.quick or c.name == "gcc") and (not options.only or c.name in options.only)]
    if options.list:
        for c in chosen:
            print(f"{c.name:10}  {c.compiler:11} {' '.join(c.suites)}")
        return 0
    total = Tally()
    rows = []
    for configuration in chosen:
        print(f"{configuration.name}: {configuration.compiler} {' '.join(configuration.suites)}", flush=True)
        start = time.monotonic()
        tally = run(configuration)
        seconds = time.monotonic() - start
        print(f"  {tally} in {seconds:.0f} s", flush=True)
        rows.append((configuration.name, tally, seconds))
        total += tally
    print()
    for name, tally, seconds in rows:
        print(f"{name:10} {seconds:6.0f} s   {tally}")
    print(total)
    return 0 if total.failed == 0 and total.passed > 0 else 1


sys.exit(main())
