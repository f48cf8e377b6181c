#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Holds the code and the output quoted in documents to files that are compiled and run.

    snippets.py text ROOT [--fix]           compare (or rewrite) every quoted block of code
    snippets.py output ROOT SOURCE PROGRAM  compare what PROGRAM, built from SOURCE, prints with the blocks that quote it
    snippets.py --self-test

Documents are README.md, CONTRIBUTING.md and docs/*.md. A ```cpp block follows one of

    <!-- snippet: test/snippets/first.cpp -->          the whole file without its licence line
    <!-- snippet: test/snippets/first.cpp#loss -->     what stands there between `// [loss]` and `// [/loss]`
    <!-- snippet: none, a sketch of the interface -->  not code to compile; the reason is part of the comment

and every ```cpp block must have such a comment. A block after `<!-- output: test/snippets/first.cpp -->` must be what
that program prints; a line `...` in it stands for any lines, and `...` within a line for any text (a time, a path).
A file of test/snippets is built and run as a test of its own; other files must be part of some other target.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

BLOCK = re.compile(r"(?P<head>(?:^<!--[ ]*(?P<kind>snippet|output):[ ]*(?P<source>[^\n]*?)[ ]*-->\n+)?)"
                   r"^```(?P<language>[^\n`]*)\n(?P<body>.*?)^```[ ]*$", re.MULTILINE | re.DOTALL)


def documents(root: pathlib.Path) -> list[pathlib.Path]:
    fixed = [root / "README.md", root / "CONTRIBUTING.md"]
    return [path for path in fixed if path.is_file()] + sorted((root / "docs").glob("**/*.md"))


def snippet(root: pathlib.Path, source: str) -> str:
    """Text of a file, or of a region of it, as a document shows it."""
    path, _, region = source.partition("#")
    lines = (root / path).read_text().splitlines()
    if region:
        begin = [n for n, line in enumerate(lines) if line.strip() == f"// [{region}]"]
        end = [n for n, line in enumerate(lines) if line.strip() == f"// [/{region}]"]
        if len(begin) != 1 or len(end) != 1 or end[0] < begin[0]:
            raise ValueError(f"{path} has no region between // [{region}] and // [/{region}]")
        lines = lines[begin[0] + 1:end[0]]
    # neither the licence nor the marks of other regions are for the reader
    lines = [line for line in lines if not re.match(r"\s*// (SPDX-License|\[/?[\w-]+\]$)", line)]
    return textwrap.dedent("\n".join(lines)).strip("\n") + "\n"


def check_text(root: pathlib.Path, fix: bool) -> list[str]:
    wrong = []
    for document in documents(root):
        text = document.read_text()
        name = document.relative_to(root)

        def judge(block: re.Match) -> str:
            place = f"{name}:{text.count(chr(10), 0, block.start('body'))}"
            if block["kind"] != "snippet":
                if block["language"] == "cpp":
                    wrong.append(f"{place}: a block of C++ without <!-- snippet: ... -->")
                return block[0]
            if block["source"].startswith("none,"):
                return block[0]
            try:
                right = snippet(root, block["source"])
            except (OSError, ValueError) as problem:
                wrong.append(f"{place}: {problem}")
                return block[0]
            if right == block["body"]:
                return block[0]
            if not fix:
                wrong.append(f"{place}: differs from {block['source']}; to copy it: "
                             "python3 test/tools/snippets.py text . --fix")
            return f"{block['head']}```{block['language']}\n{right}```"

        fixed = BLOCK.sub(judge, text)
        if fix and fixed != text:
            document.write_text(fixed)
            print(f"wrote {name}")
    return wrong


def matches(expected: str, printed: str) -> bool:
    pattern = ""
    for line in expected.strip("\n").splitlines():
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += "[^\n]*".join(re.escape(part) for part in line.rstrip().split("...")) + "[ ]*\n"
    return re.fullmatch(pattern, printed.strip("\n") + "\n") is not None


def check_output(root: pathlib.Path, source: str, printed: str) -> list[str]:
    wrong = []
    for document in documents(root):
        for block in BLOCK.finditer(document.read_text()):
            if block["kind"] == "output" and block["source"] == source and not matches(block["body"], printed):
                wrong.append(f"{document.relative_to(root)} shows another output of {source}:\n{block['body']}"
                             f"it printed:\n{printed}")
    return wrong


def self_test() -> int:
    failures = 0

    def expect(name: str, right: bool) -> None:
        nonlocal failures
        print(f"{'ok' if right else 'WRONG'}: {name}")
        failures += not right

    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "a.cpp").write_text("// SPDX-License-Identifier: BSL-1.0\nint f() {\n    // [x]\n    return 1;\n"
                                    "    // [/x]\n}\n")
        readme = root / "README.md"

        def document(text: str) -> list[str]:
            readme.write_text(text)
            return check_text(root, False)

        whole = "<!-- snippet: a.cpp -->\n```cpp\nint f() {\n    return 1;\n}\n```\n"
        region = "<!-- snippet: a.cpp#x -->\n```cpp\nreturn 1;\n```\n"
        expect("a whole file", not document(whole))
        expect("a region", not document(region))
        expect("another text", len(document(region.replace("1", "2"))) == 1)
        expect("rewritten", not check_text(root, True) and readme.read_text() == region)
        expect("no such region", len(document(region.replace("#x", "#y"))) == 1)
        expect("no such file", len(document(region.replace("a.cpp", "b.cpp"))) == 1)
        expect("code without a comment", len(document("text\n\n```cpp\nint x;\n```\n")) == 1)
        expect("two blocks, the second without", len(document(whole + "\n```cpp\nint x;\n```\n")) == 1)
        expect("a sketch", not document("<!-- snippet: none, a sketch -->\n```cpp\nint x;\n```\n"))
        expect("another language", not document("```sh\nls\n```\n"))
        readme.write_text("<!-- output: a.cpp -->\n```text\none\n...\ntook ... ms\n```\n")
        expect("the output", not check_output(root, "a.cpp", "one\ntwo\nthree\ntook 3.5 ms\n"))
        expect("another output", len(check_output(root, "a.cpp", "two\ntook 3.5 ms\n")) == 1)
        expect("more output", len(check_output(root, "a.cpp", "one\ntook 3.5 ms\nand more\n")) == 1)
    return 1 if failures else 0


def main() -> int:
    if sys.argv[1] == "--self-test":
        return self_test()
    root = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "text":
        wrong = check_text(root, "--fix" in sys.argv[3:])
    else:
        done = subprocess.run([sys.argv[4]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wrong = check_output(root, sys.argv[3], done.stdout)
        if done.returncode != 0:
            wrong.append(f"it ended with {done.returncode}:\n{done.stdout}")
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
