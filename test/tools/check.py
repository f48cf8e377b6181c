#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compile-time checks: files that must compile, headers that must compile alone, files that must not compile.

    check.py run KIND --build DIR --source FILE --result FILE --depfile FILE
    check.py report RESULT
    check.py self-test --build DIR

`run` is a build step: it does the check, writes what it found to RESULT and succeeds either way, so that one failing
check does not stop the build. `report` is the test: it prints RESULT and fails if the check did. The compiler and its
flags are those meson uses for test/support/probe.cpp.

KIND is
  static   FILE is a translation unit of static_asserts and must compile without a word;
  header   FILE is a header and must compile alone, included twice;
  fail     FILE must not compile. It says in comments what is expected:

               // expect: unspool: dot: the inner extents 10 and 8 differ
               // expect-note: shape<4, 10>
               // twin: s/4, 10/4, 8/

           `expect` must be found in the first line of the compiler's output that has an error (`expect-regex` is the
           same as a regular expression), `expect-note` anywhere in it; alternatives, since g++ and clang print template
           arguments in different ways, stand between bars: `f<3> | N = 3`. Underscores count as spaces, since a sentence
           may be the name of a constant. The output may be no longer than 25 lines, and a second error is a
           failure. `twin` is a replacement of one place in the file, after which it must compile: proof that the file
           fails for the reason it states and no other. `flags: -ffast-math` adds options of the compiler; with -c
           among them code is generated, where the error arises only then.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

MAX_LINES = 25
TIMEOUT_SECONDS = 600
DIRECTIVE = re.compile(r"^\s*//\s*(expect|expect-regex|expect-note|flags|twin):\s*(.*?)\s*$")


class Broken(Exception):
    """The check cannot be carried out: a malformed test file or a compiler that does not work."""


def compiler_command(build: pathlib.Path) -> list[str]:
    """The command meson compiles the tests with, without input, output and dependency options."""
    entries = json.loads((build / "compile_commands.json").read_text())
    for entry in entries:
        if entry["file"].endswith("test/support/probe.cpp"):
            break
    else:
        raise Broken("compile_commands.json has no entry for test/support/probe.cpp")
    words = shlex.split(entry["command"])
    if os.path.basename(words[0]) == "ccache":
        words.pop(0)
    directory = pathlib.Path(entry["directory"])
    words_left = iter(words)
    command = []
    for word in words_left:
        if word in ("-o", "-MF", "-MQ", "-MT"):
            next(words_left)
        elif word in ("-c", "-MD", "-MMD") or word == entry["file"]:
            pass
        elif word.startswith("-I") and len(word) > 2:
            command.append("-I" + str((directory / word[2:]).resolve()))
        else:
            command.append(word)
    return command + ["-I" + str((directory / entry["file"]).resolve().parent.parent)]


def compile_file(command: list[str], source: pathlib.Path, depfile: pathlib.Path | None = None) -> tuple[bool, str]:
    to_nothing = ["-o", os.devnull] if "-c" in command else ["-fsyntax-only"]
    words = command + to_nothing + ["-fdiagnostics-color=never"]
    if depfile:
        words += ["-MD", "-MF", str(depfile), "-MT", "result"]
    words += ["-x", "c++", str(source)]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=TIMEOUT_SECONDS, env={**os.environ, "LC_ALL": "C"})
    except subprocess.TimeoutExpired:
        return False, f"the compiler was stopped after {TIMEOUT_SECONDS} s"
    return done.returncode == 0, done.stdout


def prove_compiler(command: list[str], folder: pathlib.Path) -> None:
    """A compiler that accepts or refuses everything would make every check meaningless."""
    probe = folder / "probe.cpp"
    probe.write_text('static_assert(true, "unspool: probe");\n')
    compiled, output = compile_file(command, probe)
    if not compiled:
        raise Broken("the compiler refuses a correct file:\n" + output)
    # in a template, so that instantiation is seen to happen as well
    probe.write_text('template <int N> void f() { static_assert(N == 0, "unspool: probe"); }\nvoid g() { f<1>(); }\n')
    compiled, output = compile_file(command, probe)
    if compiled or "unspool: probe" not in output:
        raise Broken("the compiler does not refuse a false static_assert:\n" + output)


def normal(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("_", " ").replace("unspool:", "unspool")).strip()


def parse_case(text: str) -> tuple[dict[str, list[str]], str]:
    """The directives of a compile-fail case, and the text of its twin."""
    found: dict[str, list[str]] = {"expect": [], "expect-regex": [], "expect-note": [], "flags": [], "twin": []}
    lines = text.splitlines(keepends=True)
    directive_lines = set()
    for number, line in enumerate(lines):
        if match := DIRECTIVE.match(line):
            found[match[1]].append(match[2])
            directive_lines.add(number)
    if len(found["expect"]) + len(found["expect-regex"]) == 0:
        raise Broken("the case has no line `// expect: unspool: ...`")
    if len(found["twin"]) != 1:
        raise Broken("the case needs exactly one line `// twin: s/old/new/`")
    twin = found["twin"][0]
    delimiter = twin[1:2]
    parts = twin.split(delimiter) if twin[:1] == "s" and delimiter else []
    if len(parts) != 4 or parts[3] or not parts[1]:
        raise Broken(f"not of the form s/old/new/: {twin}")
    places = sum(line.count(parts[1]) for n, line in enumerate(lines) if n not in directive_lines)
    if places != 1:
        raise Broken(f"the twin's text '{parts[1]}' stands in {places} places, it must be one")
    changed = [line if n in directive_lines else line.replace(parts[1], parts[2]) for n, line in enumerate(lines)]
    return found, "".join(changed)


def judge_refusal(found: dict[str, list[str]], output: str) -> list[str]:
    """What is wrong with the compiler's output on a case."""
    lines = output.rstrip("\n").splitlines()
    errors = [line for line in lines if re.search(r"\berror:", line)]
    if not errors:
        return ["the output has no error"]
    wrong = []
    first = normal(errors[0])
    for sentence in found["expect"]:
        if normal(sentence) not in first:
            wrong.append(f"the first error does not say: {sentence}")
    for pattern in found["expect-regex"]:
        if not re.search(pattern, errors[0]):
            wrong.append(f"the first error does not match: {pattern}")
    for note in found["expect-note"]:
        if not any(normal(alternative) in normal(output) for alternative in note.split(" | ")):
            wrong.append(f"the output does not say: {note}")
    if len(errors) > 1:
        wrong.append(f"{len(errors)} errors instead of 1")
    if len(lines) > MAX_LINES:
        wrong.append(f"{len(lines)} lines of output instead of at most {MAX_LINES}")
    return wrong


def check_fail(command: list[str], source: pathlib.Path, folder: pathlib.Path, depfile: pathlib.Path) -> list[str]:
    text = source.read_text()
    found, twin_text = parse_case(text)
    command = command + [flag for line in found["flags"] for flag in shlex.split(line)]
    twin = folder / source.name
    twin.write_text(twin_text)
    # the compiler writes dependencies only for a file without errors: the twin's, which includes the same headers
    twin_compiled, twin_output = compile_file(command, twin, depfile)
    wrong = [] if twin_compiled else ["the twin does not compile:\n" + twin_output]
    compiled, output = compile_file(command, source)
    if compiled:
        return wrong + ["it compiles, and must not"]
    refusal = judge_refusal(found, output)
    return wrong + refusal + (["the output was:\n" + output] if refusal else [])


def check_compiles(command: list[str], source: pathlib.Path, depfile: pathlib.Path) -> list[str]:
    compiled, output = compile_file(command, source, depfile)
    if not compiled:
        return ["it does not compile:\n" + output]
    return ["it compiles with warnings:\n" + output] if output else []


def run_check(kind: str, build: pathlib.Path, source: pathlib.Path, folder: pathlib.Path,
              depfile: pathlib.Path) -> list[str]:
    command = compiler_command(build)
    prove_compiler(command, folder)
    if kind == "fail":
        return check_fail(command, source, folder, depfile)
    if kind == "header":
        alone = folder / "alone.cpp"
        alone.write_text(f'#include "{source}"\n#include "{source}"\n')
        return check_compiles(command, alone, depfile)
    return check_compiles(command, source, depfile)


def dependencies(depfile: pathlib.Path, folder: pathlib.Path) -> list[str]:
    if not depfile.exists():
        return []
    words = depfile.read_text().replace("\\\n", " ").split(":", 1)[-1].split()
    return [word for word in words if not word.startswith(str(folder))]


def run(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        raw_depfile = folder / "depfile"
        try:
            wrong = run_check(options.kind, options.build, options.source, folder, raw_depfile)
        except (Broken, OSError, ValueError) as problem:
            wrong = [str(problem)]
        needed = [str(options.source), *dependencies(raw_depfile, folder)]
    options.depfile.write_text(f"{options.result}: " + " ".join(needed) + "\n")
    options.result.write_text("".join(line.rstrip("\n") + "\n" for line in wrong))
    if wrong:
        # older than everything: a failed check is done again on the next build, whatever caused it
        os.utime(options.result, (1, 1))


def report(result: pathlib.Path) -> int:
    text = result.read_text()
    print(text, end="")
    return 1 if text else 0


GOOD_CASE = """// expect: unspool: the widths 3 and 4 differ
// expect-note: widths<width, 4>
// twin: s/int width = 3/int width = 4/
template <int A, int B> struct widths {};
template <class> inline constexpr bool unspool_ok = false;
template <int A> inline constexpr bool unspool_ok<widths<A, A>> = true;
constexpr int width = 3;
static_assert(unspool_ok<widths<width, 4>>, "unspool: the_widths 3 and 4 differ");
"""

GENERATED_CASE = """// expect: unspool: too large
// twin: s/f<1>()/f<0>()/
// flags: -c
[[gnu::error("unspool: too large")]] void too_large();
template <int N> void f() {
    if constexpr (N) too_large();
}
void g();
void g() { f<1>(); }
"""

BAD_CASES = {
    "must not": GOOD_CASE.replace("width = 3;", "width = 4;").replace("s/int width = 3/int width = 4/",
                                                                      "s/int width = 4/int width = 2 + 2/"),
    "first error does not say": GOOD_CASE.replace("expect: unspool: the widths", "expect: unspool: the heights"),
    "output does not say": GOOD_CASE.replace("note: widths<width, 4>", "note: widths<width, 5>"),
    "twin does not compile": GOOD_CASE.replace("/int width = 4/", "/int width = 5/"),
    "2 errors": GOOD_CASE + 'static_assert(width == 4, "unspool: another");\n',
    "stands in 0 places": GOOD_CASE.replace("s/int width = 3/", "s/int breadth = 3/"),
    "stands in 2 places": GOOD_CASE + "// int width = 3\n",
    "has no line": GOOD_CASE.replace("// expect: ", "// "),
    "not of the form": GOOD_CASE.replace("s/int", "int"),
}


def self_test(build: pathlib.Path) -> int:
    """Cases whose verdict is known, right and wrong: the checker must tell them apart."""
    command = compiler_command(build)
    failures = 0

    def expect(name: str, verdict: list[str], wanted: str | None) -> None:
        nonlocal failures
        right = wanted in "\n".join(verdict) if wanted else not verdict
        print(f"{'ok' if right else 'WRONG'}: {name}" + ("" if right else f": {verdict}"))
        failures += not right

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "twins").mkdir()
        prove_compiler(command, folder)
        source = folder / "case.cpp"

        def verdict(kind: str, text: str) -> list[str]:
            source.write_text(text)
            try:
                return run_check(kind, build, source, folder / "twins", folder / "depfile")
            except Broken as problem:
                return [str(problem)]

        expect("a good case", verdict("fail", GOOD_CASE), None)
        for wanted, text in BAD_CASES.items():
            expect(f"a bad case: {wanted}", verdict("fail", text), wanted)
        long_output = "error: unspool: the widths 3 and 4 differ\n" + "note: widths<width, 4>\n" * MAX_LINES
        expect("too long an output", judge_refusal(parse_case(GOOD_CASE)[0], long_output), "26 lines")
        expect("an error of code generation", verdict("fail", GENERATED_CASE), None)
        expect("the same by syntax", verdict("fail", GENERATED_CASE.replace("// flags: -c\n", "")), "must not")
        expect("a true static_assert", verdict("static", "static_assert(1 + 1 == 2);\n"), None)
        expect("a false static_assert", verdict("static", "static_assert(1 + 1 == 3);\n"), "does not compile")
        expect("a warning", verdict("static", "inline int narrowed(double x) { return x; }\n"), "does not compile")
        expect("a header alone", verdict("header", "#pragma once\nstruct s {};\n"), None)
        expect("a header without a guard", verdict("header", "struct s {};\n"), "does not compile")
        expect("a header that needs another", verdict("header", "#pragma once\nstd::size_t n;\n"), "does not compile")
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for command in ("run", "self-test"):
        sub = commands.add_parser(command)
        sub.add_argument("--build", type=pathlib.Path, required=True)
        if command == "run":
            sub.add_argument("kind", choices=["static", "header", "fail"])
            for option in ("--source", "--result", "--depfile"):
                sub.add_argument(option, type=pathlib.Path, required=True)
    commands.add_parser("report").add_argument("result", type=pathlib.Path)
    options = parser.parse_args()
    if options.command == "report":
        return report(options.result)
    if options.command == "self-test":
        return self_test(options.build)
    run(options)
    return 0


sys.exit(main())
