#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Makes one header of the library: single_header.py ROOT OUT [--forward] [--depfile FILE]

OUT/unspool.hpp is include/unspool/unspool.hpp with all that it includes; OUT/unspool_<name>.hpp, for each adaptor
ext/<name>.hpp that unspool.hpp leaves out, stands beside it. --forward adds OUT/unspool/**.hpp, a header for each of the
tree's that includes those, so that code written for the tree compiles as it is. FILE names for ninja what was read.
"""
import argparse
import pathlib
import re
import sys

INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>")
OPENS = re.compile(r"^\s*#\s*if")
CLOSES = re.compile(r"^\s*#\s*endif")


class Amalgam:
    """One header: other libraries' headers on top, each once, but those under a condition, which stay where they are."""

    def __init__(self, include: pathlib.Path, had: set[str]) -> None:
        self.include, self.had = include, had
        self.outside: set[str] = set()
        self.found_in_had: set[str] = set()
        self.lines: list[str] = []

    def add(self, name: str) -> None:
        if name in self.had:
            self.found_in_had.add(name)
            return
        self.had.add(name)
        depth = 0
        for line in (self.include / name).read_text().splitlines():
            depth += bool(OPENS.match(line)) - bool(CLOSES.match(line))
            included = INCLUDE.match(line)
            if included and included[1].startswith("unspool/"):
                if depth > 0:
                    sys.exit(f"{name}: <{included[1]}> stands under a condition, and would be missed elsewhere")
                self.add(included[1])
            elif included and depth == 0:
                self.outside.add(included[1])
            elif line != "#pragma once" and not line.startswith("// SPDX-"):
                self.lines.append(line)

    def text(self, licence: str, first: str = "") -> str:
        body = re.sub(r"\n{3,}", "\n\n", "\n".join(self.lines)).strip("\n")
        includes = "".join(f"#include <{name}>\n" for name in sorted(self.outside))
        return f"{licence}\n#pragma once\n\n{first}{includes}\n{body}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--forward", action="store_true")
    parser.add_argument("--depfile", type=pathlib.Path)
    options = parser.parse_args()
    include, out = options.root / "include", options.out
    licence = "// SPDX-License-Identifier: BSL-1.0\n//\n" + "".join(
        f"// {line}".rstrip() + "\n" for line in (options.root / "LICENSE").read_text().splitlines())
    out.mkdir(parents=True, exist_ok=True)
    whole = Amalgam(include, set())
    whole.add("unspool/unspool.hpp")
    (out / "unspool.hpp").write_text(whole.text(licence))
    home = dict.fromkeys(whole.had, "unspool.hpp")
    for path in sorted(include.glob("unspool/ext/*.hpp")):
        name = path.relative_to(include).as_posix()
        if name not in home:
            adaptor = Amalgam(include, set(home))
            adaptor.add(name)
            below = {"unspool.hpp"} | {home[other] for other in adaptor.found_in_had if other in home}
            home[name] = f"unspool_{path.stem}.hpp"
            first = "".join(f'#include "{file}"\n' for file in sorted(below))
            (out / home[name]).write_text(adaptor.text(licence, first + "\n"))
    for name, file in home.items() if options.forward else ():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(f"#pragma once\n#include <{file}>\n")
    if options.depfile:
        options.depfile.write_text("unspool.hpp: " + " ".join(str(include / name) for name in sorted(home)) + "\n")


main()
