#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Mutation testing: breaks each derivative rule, or each pass, in small ways and sees whether a test notices.

    mutate.py rules [--only OPERATION]...                    every mutant of every derivative and batch rule
    mutate.py passes [--only FILE]... [--sample N] [--seed S]  N mutants of each pass, chosen at random
    mutate.py self-test    whether killed mutants are told from failures, and listed ones from what is no longer there

A mutant is the source with one token or statement changed. It is killed if a test fails on it, if it takes the tests far
more time than they need, or if it does not compile; a compiler that crashes or is stopped kills nothing but this run. Rules
are tried on the laws of their operation, and what survives them on test/laws/conventions.cpp; passes on the fuzz suite and
the unit tests of passes, with few graphs first and then with all, and on the figures of test/static/counts.cpp. Each of
these must pass on the source as it is. Known survivors stand in test/mutation/survivors.txt, each below its reason; the
exit code is 1 if there are others, or if one that stands there is killed. CXX names another compiler.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SURVIVORS = ROOT / "test/mutation/survivors.txt"
COMPILER = [*shlex.split(os.environ.get("CXX", "g++")), "-std=c++20", "-w", "-ffp-contract=off"]
FEW_GRAPHS = "400"
TEST_SECONDS = {FEW_GRAPHS: 20, "": 60}  # of CPU, at least five times what the tests need
TEST_BYTES = 2 << 30

STRUCT = re.compile(r"^struct (\w+)[^;{]*\{", re.MULTILINE)
RULE = re.compile(r"\bconstexpr\b[^;{}]*?\b(derivative|vjp|jvp|batch|weight|share|kept|behind_front|batch_by_loop)"
                  r"\(([^{};]*)\)\s*\{")
# helpers that several rules share, and the operations whose laws they are tried on
SHARED = {"share": ["maximum", "minimum"], "batch_by_loop": ["gather", "scatter_add"],
          "reduction": ["sum", "reduce_max"], "unchanged": ["contiguous", "inspect"]}
# what a token may become; the text around it decides whether it is one of these
TOKENS = [(re.compile(pattern), replacement) for pattern, replacement in [
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "), (r" \+= ", " -= "), (r" -= ", " += "),
    (r"(?<=[(\s])-(?=[(\w])", ""), (r"(?<=[(,\s])!(?=[\w(])", ""),
    (r"\b0\.5\b", "0.25"), (r"\b([0-9])\.0\b", "{next}.0"), (r"(?<![\w.])1(?![\w.])", "0"), (r"(?<![\w.])([02-9])(?![\w.])", "{next}"),
    (r"(?<=0x1\.20dd750429b6)d(?=p)", "e"),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r" == ", " != "), (r" != ", " == "), (r" < ", " <= "), (r" <= ", " < "), (r" >= ", " > "), (r" > ", " >= "),
    (r" && ", " || "), (r" \|\| ", " && "),
    (r"apply<less>", "apply<less_equal>"), (r"apply<equal>", "apply<less_equal>"), (r"apply<sin>", "apply<cos>"),
    (r"apply<cos>", "apply<sin>"), (r"apply<multiply>", "apply<divide>"), (r"apply<divide>", "apply<multiply>"),
    (r"apply<exp>", "apply<expm1>"), (r"apply<log>", "apply<log1p>"), (r"apply<sigmoid>", "apply<tanh>"),
]]
# a whole statement on its line, perhaps behind a condition; never a declaration
STATEMENT = re.compile(r"^ +(?:(?:\} )?(?:else )?(?:if|for|while) \(.*\) |else |auto \w+ = .*\{ )?"
                       r"((?!return\b|throw\b|case\b|static_assert\b|if\b|for\b|while\b|else\b)"
                       r"(?:continue|break|(?:\+\+|--)[\w.\[\]]+|[\w.\[\]]+(?:->\w+)?(?:\(.*\)| (?:[-+|&/*]|<<)?= .*));)"
                       r"(?: *//.*| \})?$", re.MULTILINE)
RETURN = re.compile(r"\breturn (?!none;)([^;]+);")


class Broken(Exception):
    """Something that says nothing about a mutant."""


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str              # below the project
    start: int
    end: int
    text: str
    operations: tuple = ()  # whose laws try it, of a rule
    number: int = 0        # of the line
    key: str = ""          # the line before and after; its number moves

    def __str__(self) -> str:
        return self.key.replace(": ", f":{self.number}: ", 1)


def closing(text: str, opening: int) -> int:
    depth = 0
    for at in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)


def mutant(path: str, text: str, start: int, end: int, new: str, operations: tuple = ()) -> Mutant:
    begin = text.rfind("\n", 0, start) + 1
    finish = text.find("\n", end)
    squeezed = [" ".join(line.split()) for line in (text[begin:finish], text[begin:start] + new + text[end:finish])]
    number = text.count("\n", 0, start) + 1
    return Mutant(path, start, end, new, operations, number, f"{path}: {squeezed[0]}  ->  {squeezed[1]}")


def mutants_within(path: str, text: str, begin: int, end: int, operations: tuple = ()) -> list[Mutant]:
    changes = []
    for pattern, replacement in TOKENS:
        for match in pattern.finditer(text, begin, end):
            digit = match.group(1) if match.groups() else "0"
            changes.append((match.start(), match.end(), replacement.replace("{next}", str((int(digit) + 1) % 10))))
    for match in STATEMENT.finditer(text, begin, end):
        changes.append((*match.span(1), ";"))
    found = []
    for start, finish, new in changes:
        line = text[text.rfind("\n", 0, start) + 1:start]
        if not ("//" in line or "static_assert" in line or "template <" in line):
            found.append(mutant(path, text, start, finish, new, operations))
    return found


def changes_of_results(path: str, text: str, begin: int, end: int, rule: re.Match, operations: tuple) -> list[Mutant]:
    """Another result, and other operands: so that each rule has a mutant."""
    found = []
    elementwise = rule.group(1) in ("derivative", "share")
    for match in RETURN.finditer(text, begin, end):
        nothing = "{}" if rule.group(1) in ("kept", "behind_front") else "none"
        found.append(mutant(path, text, *match.span(1), f"-({match.group(1)})" if elementwise else nothing, operations))
    names = re.findall(r"\bS (?!v\b)(\w+)", rule.group(2)) if elementwise else []
    for name in names:
        for match in re.finditer(rf"\b{name}\b", text[begin:end]):
            for other in names:
                if other != name:
                    found.append(mutant(path, text, begin + match.start(), begin + match.end(), other, operations))
    return found


def rule_mutants(root: pathlib.Path, only: list[str]) -> list[Mutant]:
    found = []
    for file in sorted((root / "include/unspool/op").glob("*.hpp")):
        text = file.read_text()
        path = str(file.relative_to(root))
        owners = [(m.start(), closing(text, m.end() - 1), m.group(1)) for m in STRUCT.finditer(text)]
        for rule in RULE.finditer(text):
            end = closing(text, rule.end() - 1)
            owner = [name for begin, finish, name in owners if begin <= rule.start() < finish] or [rule.group(1)]
            operations = tuple(SHARED.get(owner[0], owner))
            of_rule = mutants_within(path, text, rule.end(), end, operations)
            of_rule += changes_of_results(path, text, rule.end(), end, rule, operations)
            if not of_rule:
                raise Broken(f"no mutant of {rule.group(1)} of {owner[0]}")
            if not only or set(only) & set(operations):
                found += of_rule
    return named_apart({(m.path, m.start, m.end, m.text): m for m in found}.values())


def named_apart(mutants: list[Mutant]) -> list[Mutant]:
    """Equal keys numbered by their order."""
    seen = collections.Counter()
    found = []
    for m in sorted(mutants, key=lambda m: (m.path, m.start)):
        seen[m.key] += 1
        found.append(m if seen[m.key] == 1 else dataclasses.replace(m, key=f"{m.key}  ({seen[m.key]})"))
    return found


def pass_mutants(root: pathlib.Path, only: list[str]) -> dict[str, list[Mutant]]:
    found = {}
    for file in sorted((root / "include/unspool/pass").glob("*.hpp")):
        if file.name in ("program_plan.hpp", "freeze_plan.hpp") or (only and file.stem not in only):
            continue  # data
        text = file.read_text()
        body = text.index("inline namespace v0")
        found[file.stem] = named_apart(mutants_within(str(file.relative_to(root)), text, body, len(text)))
    return found


def limit_test(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (TEST_BYTES, TEST_BYTES))


class Trials:
    """The tests on a copy of the sources, which may change meanwhile."""

    def __init__(self, folder: str):
        self.root = pathlib.Path(folder) / "project"
        for part in ("include", "test"):
            shutil.copytree(ROOT / part, self.root / part, ignore=shutil.ignore_patterns("data"))
        self.runner = str(pathlib.Path(folder) / "main.o")

    def build_runner(self) -> None:
        subprocess.run([*COMPILER, f"-I{self.root / 'test'}", "-c", str(self.root / "test/main.cpp"), "-o", self.runner],
                       check=True)

    def compiles(self, overlay: pathlib.Path, source: str, options: list[str]) -> bool:
        built = subprocess.run([*COMPILER, f"-I{overlay / 'include'}", f"-I{self.root / 'include'}", f"-I{self.root / 'test'}",
                                str(self.root / "test" / source), *options], capture_output=True, text=True)
        crashed = re.search("internal compiler error|terminated program|out of memory|Please submit|PLEASE submit", built.stderr)
        if crashed or (built.returncode != 0 and "error: " not in built.stderr):
            raise Broken(f"the compiler failed on {source}:\n{built.stderr[-2000:]}")
        return built.returncode == 0

    def verdict(self, overlay: pathlib.Path, source: str, options: list[str], graphs: str = "") -> str:
        """How the program of one source ends: `passes`, or what kills the mutant in it."""
        program = overlay / "program"
        if not self.compiles(overlay, source, [*options, "-o", str(program)]):
            return "does not compile"
        environment = {**os.environ, "UNSPOOL_FUZZ_GRAPHS": graphs} if graphs else None
        code = subprocess.run([str(program), "--abort"], capture_output=True, cwd=self.root, env=environment,
                              preexec_fn=lambda: limit_test(TEST_SECONDS[graphs])).returncode
        if code in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT):
            raise Broken(f"the tests of {source} were stopped")
        return {0: "passes", -signal.SIGXCPU: "takes too long"}.get(code, "fails a test")

    def law_verdict(self, overlay: pathlib.Path, operations: tuple) -> str:
        for operation in operations:
            law = self.verdict(overlay, "mutation/rule.cpp", [f"-DUNSPOOL_OPERATION={operation}"])
            if law != "passes":
                return law
        return "passes"

    def convention_verdict(self, overlay: pathlib.Path) -> str:
        return self.verdict(overlay, "laws/conventions.cpp", [self.runner])

    def pass_verdict(self, overlay: pathlib.Path) -> str:
        few = self.verdict(overlay, "mutation/pass.cpp", [self.runner], FEW_GRAPHS)
        if few != "passes":
            return few
        if not self.compiles(overlay, "static/counts.cpp", ["-fsyntax-only"]):
            return "fails a test"  # of figures, since the sources compiled
        return self.verdict(overlay, "mutation/pass.cpp", [self.runner, "-O1"])

    def try_out(self, m: Mutant) -> str:
        with tempfile.TemporaryDirectory() as folder:
            overlay = pathlib.Path(folder)
            text = (self.root / m.path).read_text()
            file = overlay / m.path
            file.parent.mkdir(parents=True)
            file.write_text(text[:m.start] + m.text + text[m.end:])
            if not m.operations:
                return self.pass_verdict(overlay)
            law = self.law_verdict(overlay, m.operations)
            return law if law != "passes" else self.convention_verdict(overlay)

    def check_baseline(self, operations: set[str]) -> None:
        """That the sources as they are pass what mutants are tried on."""
        with tempfile.TemporaryDirectory() as folder:
            overlay = pathlib.Path(folder)
            verdicts = {name: self.law_verdict(overlay, (name,)) for name in sorted(operations)}
            if operations:
                verdicts["conventions"] = self.convention_verdict(overlay)
            else:
                verdicts["passes"] = self.pass_verdict(overlay)
        for name, verdict in verdicts.items():
            if verdict != "passes":
                raise Broken(f"without any mutant: {name}: {verdict}")


def listed_survivors() -> dict[str, str]:
    """Their reasons."""
    known = {}
    reason = ""
    for line in SURVIVORS.read_text().splitlines() if SURVIVORS.exists() else []:
        if line.startswith("# "):
            reason = line[2:]
        elif line.startswith("include/"):
            if not reason:
                raise Broken(f"no reason: {line}")
            known[line] = reason
        else:
            reason = ""
    return known


def run(options: argparse.Namespace) -> int:
    known = listed_survivors()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        trials = Trials(folder)
        if options.what == "rules":
            mutants = rule_mutants(trials.root, options.only)
        else:
            mutants = []
            for name, of_file in pass_mutants(trials.root, options.only).items():
                chosen = random.Random(f"{name} {options.seed}")  # the same with --only as without
                mutants += chosen.sample(of_file, min(options.sample, len(of_file)))
        print(f"{len(mutants)} mutants", flush=True)
        trials.build_runner()
        trials.check_baseline({name for m in mutants for name in m.operations})
        verdicts = pool.map(trials.try_out, mutants)
        ends = collections.defaultdict(collections.Counter)
        wrong = outdated = 0
        for m, verdict in zip(mutants, verdicts):
            ends[m.path if options.what == "passes" else ""][verdict] += 1
            if verdict == "passes" and m.key not in known:
                wrong += 1
                print(f"SURVIVED {m}", flush=True)
            elif verdict != "passes" and m.key in known:
                outdated += 1
                print(f"listed, but {verdict}: {m}", flush=True)
            if options.verbose:
                print(f"{verdict}: {m}", flush=True)
    for path, ending in ends.items():
        print(f"{path} {dict(ending)}")
    total = sum(ends.values(), collections.Counter())
    print(f"{len(mutants) - total['passes']} of {len(mutants)} killed ({total['fails a test']} by a test, "
          f"{total['takes too long']} by time, {total['does not compile']} by the compiler), "
          f"{total['passes'] - wrong} survivors listed, {wrong} not")
    return 1 if wrong or outdated else 0


def self_test() -> int:
    with tempfile.TemporaryDirectory() as folder:
        trials = Trials(folder)
        trials.build_runner()
        path = "include/unspool/op/function.hpp"
        text = (trials.root / path).read_text()

        rule = "v * (1.0 - y * y)"
        at = text.index(rule)

        def end(changed: str) -> str:
            try:
                return trials.try_out(mutant(path, text, at, at + len(rule), changed, ("tanh",)))
            except Broken:
                return "broken"
        wrong = [f"{changed}: {got} instead of {verdict}" for changed, verdict in [
            ("v * (1.0 + y * y)", "fails a test"), ("v * (1.0 - y * w)", "does not compile"),
            ("v * (1.0 + -(y * y))", "passes")] if (got := end(changed)) != verdict]
        global COMPILER
        COMPILER = ["false"]
        if end(rule) != "broken":
            wrong.append("a compiler that fails kills a mutant")
    existing = {m.key for m in rule_mutants(ROOT, []) + sum(pass_mutants(ROOT, []).values(), [])}
    wrong += [f"listed, but no mutant: {key}" for key in listed_survivors() if key not in existing]
    print("\n".join(wrong) or "mutants that are killed, that survive, and failures are told apart")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["rules", "passes", "self-test"])
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--sample", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    try:
        return self_test() if options.what == "self-test" else run(options)
    except Broken as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
