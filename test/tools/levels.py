#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks how the headers of include/unspool are built up: levels.py ROOT | levels.py --self-test

  * a header includes headers of its own level or below only, and none includes itself in a circle, but that its last
    lines may include its second half, a header of the same folder;
  * core, math, op, graph and pass include the standard library and nothing else; xsimd and intrinsics stay in simd,
    xtensor and zlib in ext, Boost out of kernel;
  * unspool.hpp reaches every header but those of ext that bring another library, or POSIX, with them;
  * each header starts with its licence, has `#pragma once`, and is no longer than 500 lines.
"""
import pathlib
import re
import sys
import tempfile

# what each folder may include besides itself; a folder that is not here is an error
BELOW = {
    "core": [],
    "math": ["core"],
    "op": ["core", "math"],
    "graph": ["core", "math", "op"],
    "expr": ["core", "math", "op", "graph"],
    "pass": ["core", "math", "op", "graph"],
    "simd": ["core", "math"],
    "kernel": ["core", "math", "simd"],
    "run": ["core", "math", "op", "graph", "expr", "pass", "simd", "kernel"],
}
# the rest stand on all of these, and each on those before it
for top in ("nn", "optim", "check", "io", "ext"):
    BELOW[top] = list(BELOW)

STANDARD_ONLY = {"core", "math", "op", "graph", "pass"}
THIRD_PARTY = {  # prefix of the include: folders that may have it
    "xsimd/": {"simd"},
    "boost/": {"expr", "run", "nn", "optim", "check", "io", "ext"},
    "xtensor": {"ext"},
    "xtl/": {"ext"},
    "zlib.h": {"ext"},
}
MAX_LINES = 500
LICENCE = "// SPDX-License-Identifier: BSL-1.0"
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)
STANDARD_HEADER = re.compile(r"^[a-z0-9_]+$")


def level_of(name: str) -> str:
    """Folder of unspool/<folder>/...; empty for unspool/unspool.hpp and its neighbours."""
    parts = name.split("/")
    return parts[1] if len(parts) > 2 else ""


def allowed(level: str, included: str) -> bool:
    """Whether a header of this level may include this header of another library."""
    if STANDARD_HEADER.match(included):
        return True
    if level in STANDARD_ONLY:
        return False
    if included.endswith("intrin.h") or included in ("arm_neon.h",):
        return level == "simd"
    for prefix, folders in THIRD_PARTY.items():
        if included.startswith(prefix):
            return level in folders
    return True


def circles(graph: dict[str, list[str]]) -> list[str]:
    done: set[str] = set()
    found = []

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            found.append("included in a circle: " + " -> ".join(path[path.index(name):] + [name]))
        elif name not in done:
            for next_name in graph.get(name, []):
                visit(next_name, path + [name])
            done.add(name)

    for start in graph:
        visit(start, [])
    return found


def check(root: pathlib.Path) -> list[str]:
    include = root / "include"
    wrong = []
    graph: dict[str, list[str]] = {}
    heads: dict[str, list[str]] = {}  # without the second halves
    brings_library: set[str] = set()
    for path in sorted(include.glob("unspool/**/*.hpp")):
        name = path.relative_to(include).as_posix()
        text = path.read_text()
        level = level_of(name)
        if level and level not in BELOW:
            wrong.append(f"{name}: the folder {level} has no level")
            continue
        lines = text.splitlines()
        if not lines or lines[0] != LICENCE:
            wrong.append(f"{name}: the first line must be: {LICENCE}")
        if "#pragma once" not in lines:
            wrong.append(f"{name}: no #pragma once")
        if len(lines) > MAX_LINES:
            wrong.append(f"{name}: {len(lines)} lines, more than {MAX_LINES}")
        graph[name], heads[name] = [], []
        code = re.search(r"^namespace ", text, re.MULTILINE)
        for match in INCLUDE.finditer(text):
            angled, quoted = match.groups()
            included = angled or quoted
            if quoted:
                wrong.append(f'{name}: "{quoted}" must be included as <unspool/...>')
            elif not included.startswith("unspool/"):
                if not allowed(level, included):
                    wrong.append(f"{name}: <{included}> has no place in {level or 'the top header'}")
                if level == "ext" and not STANDARD_HEADER.match(included):
                    brings_library.add(name)
            elif not (include / included).is_file():
                wrong.append(f"{name}: <{included}> does not exist")
            else:
                graph[name].append(included)
                below = level_of(included)
                if code is None or match.start() < code.start() or below != level:
                    heads[name].append(included)
                if level and below != level and below not in BELOW[level]:
                    wrong.append(f"{name}: {level} may not include {included}")
    wrong += circles(heads)
    if "unspool/unspool.hpp" in graph:
        reached: set[str] = set()
        open_names = ["unspool/unspool.hpp"]
        while open_names:
            name = open_names.pop()
            if name not in reached:
                reached.add(name)
                open_names += graph.get(name, [])
        for name in sorted(graph):
            needs_library = name in brings_library or any(other in brings_library for other in graph[name])
            if name not in reached and not needs_library:
                wrong.append(f"{name}: not reached from unspool/unspool.hpp")
            if name in reached and name in brings_library:
                wrong.append(f"{name}: brings another library and is reached from unspool/unspool.hpp")
    return wrong


def self_test() -> int:
    good = {
        "unspool.hpp": "#include <unspool/op/b.hpp>\n",
        "core/a.hpp": "#include <vector>\n",
        "op/b.hpp": "#include <unspool/core/a.hpp>\n",
    }
    bad = {
        "may not include": {"core/a.hpp": "#include <unspool/op/c.hpp>\n", "op/c.hpp": ""},
        "circle": {"op/b.hpp": "#include <unspool/core/a.hpp>\n#include <unspool/op/c.hpp>\n",
                   "op/c.hpp": "#include <unspool/op/b.hpp>\n"},
        "circle: unspool/op/b": {"op/b.hpp": "namespace x {}\n#include <unspool/unspool.hpp>\n"},
        "<xsimd/xsimd.hpp> has no place in op": {"op/b.hpp": "#include <xsimd/xsimd.hpp>\n"},
        "<math.h> has no place in core": {"core/a.hpp": "#include <math.h>\n"},
        "does not exist": {"op/b.hpp": "#include <unspool/core/z.hpp>\n"},
        "not reached": {"math/c.hpp": ""},
        "has no level": {"other/c.hpp": ""},
        "lines, more than": {"core/a.hpp": "\n" * 600},
        "must be included as": {"core/a.hpp": '#include "b.hpp"\n'},
        "is reached from": {"ext/x.hpp": "#include <xtensor/xarray.hpp>\n",
                            "unspool.hpp": "#include <unspool/op/b.hpp>\n#include <unspool/ext/x.hpp>\n"},
    }
    failures = 0
    halves = {"op/b.hpp": "namespace x {}\n#include <unspool/op/c.hpp>\n",
              "op/c.hpp": "#include <unspool/core/a.hpp>\n#include <unspool/op/b.hpp>\n"}
    for wanted, changes in [(None, {}), (None, halves), *bad.items()]:
        with tempfile.TemporaryDirectory() as name:
            for file, text in {**good, **changes}.items():
                path = pathlib.Path(name, "include/unspool", file)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{LICENCE}\n#pragma once\n{text}")
            found = check(pathlib.Path(name))
        right = not found if wanted is None else any(wanted in line for line in found)
        print(f"{'ok' if right else 'WRONG'}: {wanted or 'a good tree'}" + ("" if right else f": {found}"))
        failures += not right
    return 1 if failures else 0


def main() -> int:
    if sys.argv[1] == "--self-test":
        return self_test()
    wrong = check(pathlib.Path(sys.argv[1]))
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
