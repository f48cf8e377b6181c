#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that every public operation is compared with JAX: parity.py ROOT | parity.py --self-test ROOT

An operation is a public function that takes expressions, in any header. Each of its overloads needs a case in
test/parity/operations_*.cpp that calls it; a loss or a layer, a call anywhere in test/parity. Each stored case must be
compared in double, and what is compared must be stored.
"""
import json
import pathlib
import re
import sys

FUNCTION = re.compile(r"^((?:template <[^{};]*?>\n|    requires[^{};]*?\n)*)"
                      r"constexpr (?:auto|X&) (?:[\w:<>., ]*::)?(operator\W+?|\w+)(\([^{};]*)\{", re.MULTILINE)
# a struct that is called, `struct all_t {…}; inline constexpr all_t all{};`
CALLED = re.compile(r"^struct (\w+) \{\n((?:(?!^\}).*\n)*?.*\boperator\(\)\(expression(?:.*\n)*?)\};\n"
                    r"inline constexpr \1 (\w+)\{\};", re.MULTILINE)
DETAIL = re.compile(r"^namespace detail \{\n.*?^\}  // namespace detail\n", re.MULTILINE | re.DOTALL)
TRACED = re.compile(r"\b(expression|operands?|traced)\b")
CASE = re.compile(r"^UNSPOOL_CASE_\d\((\w+),.*?\);\n|^struct (\w+)_case : .*?^\};\n", re.MULTILINE | re.DOTALL)
COMPARED = re.compile(r"(?:void (\w+)\(\) \{\s*)?\bcheck<(?:double|T), (.*?)>\(\)", re.DOTALL)
# functions of the language that make no operation
NO_OPERATION = {"as": "hands data over at run time"}
# operators and the cases of their overloads: their signs stand everywhere
OPERATORS = {
    "operator-": ["sub", "neg"], "operator+": ["add"], "operator*": ["mul"], "operator/": ["div"],
    "operator+=": ["compound"], "operator-=": ["compound"], "operator*=": ["compound"],
    "operator<": ["select_less"], "operator<=": ["select_less_equal"], "operator>": ["select_greater"],
    "operator>=": ["select_greater_equal"], "operator==": ["select_equal"], "operator!=": ["select_not_equal"],
    "operator()": ["at_range"], "operator[]": ["index"],
}


def operations(headers: dict[str, str]) -> dict[str, int]:
    """Each operation and how many overloads it has."""
    found: dict[str, int] = {}
    for path, text in headers.items():
        text = DETAIL.sub("", text)
        for _, body, name in CALLED.findall(text):
            found[name] = found.get(name, 0) + body.count("(expression ")
        for head, name, parameters in FUNCTION.findall(text):
            if (path.startswith("expr/") or TRACED.search(head + parameters)) and name not in NO_OPERATION:
                found[name] = found.get(name, 0) + 1
    return found


def complaints(headers: dict[str, str], tests: dict[str, str], stored: set[str]) -> list[str]:
    cases: dict[str, str] = {}
    compared: set[str] = set()
    for path, text in tests.items():
        if not path.startswith("operations_"):
            continue
        cases |= {match[1] or match[2]: match[0] for match in CASE.finditer(text)}
        for function, names in COMPARED.findall(text):
            if not function or f"{function}<double>()" in text:
                compared |= set(re.findall(r"(\w+)_case\b", names))
    told = [f"{name} is stored and not compared in double" for name in sorted(stored - compared)]
    told += [f"{name} is compared and not stored" for name in sorted(compared - stored)]
    told += [f"{name} is a case that is not compared in double" for name in sorted(cases.keys() - compared)]
    for name, overloads in operations(headers).items():
        call = re.compile(rf"\bus::{re.escape(name)}(?:\.\w+)?[(<]")
        have = [case for case in OPERATORS.get(name, []) if case in compared]
        have += [case for case, text in cases.items() if case in compared and call.search(text)]
        have += [path for path, text in tests.items() if not path.startswith("operations_") and call.search(text)]
        if len(have) < overloads:
            told.append(f"{name} has {overloads} overloads and {len(have)} cases")
    return told


def texts(folder: pathlib.Path, pattern: str) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.glob(pattern))}


def self_test(headers: dict[str, str], tests: dict[str, str], stored: set[str]) -> None:
    """What is left out must be told of."""
    for name, path, added in (("cbrt", "expr/functions.hpp", "constexpr auto cbrt(expression auto const& x) {}\n"),
                              ("operator%", "expr/operators.hpp", "constexpr auto operator%(A const& a, B const& b) {}\n"),
                              ("huber", "nn/loss.hpp", "template <expression X>\nconstexpr auto huber(X const& x) {}\n")):
        if not any(name in line for line in complaints({**headers, path: headers[path] + added}, tests, stored)):
            sys.exit(f"a new {name} is not missed")
    for name in operations(headers):
        without = {path: re.sub(rf"\bus::{re.escape(name)}\b", "us::other", text) for path, text in tests.items()}
        for case in OPERATORS.get(name, []):
            without = {path: re.sub(rf"\b{case}_case\b", "", text) for path, text in without.items()}
        if not any(line.startswith(f"{name} ") for line in complaints(headers, without, stored)):
            sys.exit(f"{name} without its cases is not missed")


def main() -> int:
    root = pathlib.Path(sys.argv[-1])
    headers = texts(root / "include/unspool", "**/*.hpp")
    tests = texts(root / "test/parity", "*.[ch]pp")
    stored = {case["name"] for case in json.loads((root / "test/parity/data/operations.json").read_text())["cases"]}
    if sys.argv[1] == "--self-test":
        self_test(headers, tests, stored)
        return 0
    told = complaints(headers, tests, stored)
    print(*told, sep="\n")
    print(f"{len(operations(headers))} operations, {len(stored)} cases")
    return 1 if told else 0


sys.exit(main())
