#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Mutation testing: breaks each derivative rule, or each pass, in small ways and sees whether a test notices.

    mutate.py rules [--only OPERATION]...      every mutant of every derivative and batch rule
    mutate.py passes [--sample N] [--seed S]   N mutants of each pass, chosen at random

A mutant is the source with one token changed. It is killed if it does not compile, if a test fails, or if a test takes
far too long. Rules are tried on the laws of their own operation, and what survives them on test/laws/conventions.cpp;
passes on the fuzz suite. Known survivors, with reasons, stand in test/mutation/survivors.txt; the exit code is 1 if
there are others. Takes about ten minutes for the rules on two cores.
"""
import argparse
import concurrent.futures
import dataclasses
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SURVIVORS = ROOT / "test/mutation/survivors.txt"
COMPILER = ["g++", "-std=c++20", "-O1", "-w", "-ffp-contract=off"]
RULE_FUNCTION = re.compile(r"\bconstexpr\b[^;{}]*?\b(derivative|vjp|jvp|batch|weight|share)\([^{};]*\)\s*\{")
STRUCT = re.compile(r"^struct (\w+)[^;{]*\{", re.MULTILINE)
# what a token may become; the text around it decides whether it is one of these
REPLACEMENTS = [
    (re.compile(r" \+ "), [" - "]),
    (re.compile(r" - "), [" + "]),
    (re.compile(r" \* "), [" / "]),
    (re.compile(r" / "), [" * "]),
    (re.compile(r"(?<=[(\s])-(?=[(\w])"), [""]),
    (re.compile(r"\b0\.5\b"), ["0.25"]),
    (re.compile(r"\b([0-9])\.0\b"), ["{next}.0"]),
    (re.compile(r"(?<![\w.])([0-9])(?![\w.])"), ["{next}"]),
    (re.compile(r"\btrue\b"), ["false"]),
    (re.compile(r"\bfalse\b"), ["true"]),
    (re.compile(r"(?<=[(,\s])!(?=\w)"), [""]),
    (re.compile(r" == "), [" != "]),
    (re.compile(r" != "), [" == "]),
    (re.compile(r" < "), [" <= "]),
    (re.compile(r" <= "), [" < "]),
    (re.compile(r" >= "), [" > "]),
    (re.compile(r" > "), [" >= "]),
    (re.compile(r" && "), [" || "]),
    (re.compile(r" \|\| "), [" && "]),
    (re.compile(r"apply<less>"), ["apply<less_equal>"]),
    (re.compile(r"apply<sin>"), ["apply<cos>"]),
    (re.compile(r"apply<cos>"), ["apply<sin>"]),
    (re.compile(r"apply<multiply>"), ["apply<divide>"]),
    (re.compile(r"apply<divide>"), ["apply<multiply>"]),
]


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str       # below the project
    start: int
    end: int
    text: str
    operation: str  # of a rule

    def line(self) -> str:
        source = (ROOT / self.path).read_text()
        number = source.count("\n", 0, self.start) + 1
        begin = source.rfind("\n", 0, self.start) + 1
        finish = source.find("\n", self.start)
        mutated = source[begin:self.start] + self.text + source[self.end:finish]
        return f"{self.path}:{number}: {source[begin:finish].strip()}  ->  {mutated.strip()}"

    def key(self) -> str:
        """The line without its number, which moves."""
        return re.sub(r":\d+: ", ": ", self.line(), count=1)


def closing(text: str, opening: int) -> int:
    depth = 0
    for at in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)


def mutants_within(path: str, text: str, begin: int, end: int, operation: str) -> list[Mutant]:
    found = []
    for pattern, replacements in REPLACEMENTS:
        for match in pattern.finditer(text, begin, end):
            line = text[text.rfind("\n", 0, match.start()) + 1:match.start()]
            if "//" in line or "static_assert" in line or "template <" in line:
                continue
            for replacement in replacements:
                digit = match.group(1) if match.groups() else "0"
                new = replacement.replace("{next}", str((int(digit) + 1) % 10))
                found.append(Mutant(path, match.start(), match.end(), new, operation))
    return found


def rule_mutants(only: list[str]) -> list[Mutant]:
    found = []
    for file in sorted((ROOT / "include/unspool/op").glob("*.hpp")):
        text = file.read_text()
        path = str(file.relative_to(ROOT))
        owners = [(m.start(), closing(text, m.end() - 1), m.group(1)) for m in STRUCT.finditer(text)]
        for match in RULE_FUNCTION.finditer(text):
            end = closing(text, match.end() - 1)
            owner = [name for begin, finish, name in owners if begin <= match.start() < finish]
            # a helper outside of the structs, such as share, is tried on an operation that uses it
            operation = owner[0] if owner else {"share": "maximum"}.get(match.group(1), "")
            if operation and (not only or operation in only):
                found += mutants_within(path, text, match.end(), end, operation)
    return found


def pass_mutants(sample: int, seed: int) -> list[Mutant]:
    chosen = []
    dice = random.Random(seed)
    for file in sorted((ROOT / "include/unspool/pass").glob("*.hpp")):
        if file.name in ("cost.hpp", "program_plan.hpp", "freeze_plan.hpp"):
            continue  # data, and a model of cost that changes speed only
        text = file.read_text()
        body = text.index("namespace detail") if "namespace detail" in text else text.index("inline namespace v0")
        all_of_file = mutants_within(str(file.relative_to(ROOT)), text, body, len(text), "")
        chosen += dice.sample(all_of_file, min(sample, len(all_of_file)))
    return chosen


def passes(sources: list[str], include: pathlib.Path, work: pathlib.Path, defines: list[str], objects: list[str]) -> bool:
    program = work / "program"
    words = [*COMPILER, *defines, f"-I{include}", f"-I{ROOT / 'test'}",
             *(str(ROOT / "test" / name) for name in sources), *objects, "-o", str(program)]
    try:
        if subprocess.run(words, capture_output=True, timeout=600).returncode != 0:
            return False
        return subprocess.run([str(program)], capture_output=True, timeout=300, cwd=ROOT).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def survives(mutant: Mutant | None, runner: str, operation: str = "") -> bool:
    """Whether no test notices. Without a mutant: whether the tests pass as they are."""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        include = work / "include"
        shutil.copytree(ROOT / "include", include)
        if mutant is not None:
            operation = mutant.operation
            file = work / mutant.path
            text = file.read_text()
            file.write_text(text[:mutant.start] + mutant.text + text[mutant.end:])
        if operation:
            return (passes(["mutation/rule.cpp"], include, work, [f"-DUNSPOOL_OPERATION={operation}"], []) and
                    passes(["laws/conventions.cpp"], include, work, [], [runner]))
        return all(passes([f"fuzz/{name}.cpp"], include, work, [], [runner])
                   for name in ("pass_equivalence", "pass_gradient", "pass_plan"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["rules", "passes"])
    parser.add_argument("--only", action="append", default=[], metavar="OPERATION")
    parser.add_argument("--sample", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    mutants = rule_mutants(options.only) if options.what == "rules" else pass_mutants(options.sample, options.seed)
    print(f"{len(mutants)} mutants", flush=True)
    known = set()
    if SURVIVORS.exists():
        known = {line.strip() for line in SURVIVORS.read_text().splitlines() if line.startswith("include/")}
    survivors = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runner = str(pathlib.Path(folder) / "main.o")
        subprocess.run([*COMPILER, f"-I{ROOT / 'test'}", "-c", str(ROOT / "test/main.cpp"), "-o", runner], check=True)
        if not survives(None, runner, "tanh" if options.what == "rules" else ""):
            print("the tests fail without any mutant")
            return 1
        alive = pool.map(lambda mutant: survives(mutant, runner), mutants)
        for number, (mutant, is_alive) in enumerate(zip(mutants, alive), 1):
            if is_alive:
                survivors.append(mutant)
                reason = "known survivor" if mutant.key() in known else "SURVIVED"
                print(f"{reason} {mutant.line()}", flush=True)
            elif number % 20 == 0:
                print(f"  {number} tried", flush=True)
    unknown = [m for m in survivors if m.key() not in known]
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} killed, {len(survivors) - len(unknown)} survivors known, "
          f"{len(unknown)} not")
    return 1 if unknown else 0


sys.exit(main())
