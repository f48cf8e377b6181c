#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes what the benchmarks printed as tables and plots: results.md, results-forward.svg, results-gradient.svg.

usage: report.py [--compiler CXX]... [--peers FILE]... [--build DIR] [--out DIR]
       report.py --self-test

Reads DIR/bench/CXX/lstm_grid.txt, peak.txt and, where there is one, cells.txt, by default of each compiler for which
there is an lstm_grid.txt; and files of JSON lines that tell how other systems did on the same workloads: peer, workload,
what (forward, gradient, step), min_us, min_cpu_us where it was measured, and loss and grad_norms, which lines with
"what": "values" give in float64. What stood in the folder before stays until everything is written.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PASSES = {"forward": "Forward", "gradient": "Gradient"}
SYSTEMS = {"onednn": "oneDNN", "torch": "PyTorch", "jax": "JAX", "tf": "TensorFlow", "enzyme": "Enzyme"}
AGAIN = ": run `bash bench/run lstm_grid peak`"
FLAG = re.compile(r"-(O|std=|march=|m|f(?!color-diag|diag)|DNDEBUG)")
PACKED = ", packed"
TOLERANCE = 1e-4  # of float against the float64 reference

INTRODUCTION = """\
How to read the tables:

* Times are of one call on one core with one thread, the least of many calls after warm-up: CPU time for calls above
  0.5 ms, since a shared machine takes slices out of each. The median is wall-clock time; where it is far from the
  least, the machine was busy.
* Operations are those of unspool's program: a multiply-add counts two, a transcendental function (tanh, sigmoid) none;
  they have a column of their own. Small workloads wait for these and for each other's results, not for multiply-adds.
* "Of peak" divides by the rate of independent multiply-adds in float that was measured on the same core, below.
* Workspace is the memory that a call works in, beside its arguments and its result.
"""
PEERS = """\
Each system shows the fastest of its variants; an empty cell was not measured. oneDNN's gradient has the weight
reorders that a training step needs, "packed" has not; both have the gradient with respect to the input as well. The
last column is the better of unspool's times over the best of the others, "packed" too: below 1 unspool is faster."""


class Unusable(Exception):
    """One sentence on what is missing or wrong."""


def rows_of(path: pathlib.Path, why: str = "") -> list[dict]:
    if not path.is_file():
        raise Unusable(f"{path} is missing{why}.")
    try:
        return [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]
    except ValueError:
        raise Unusable(f"{path} has a line that is not JSON: that run was cut short.") from None


def least(row: dict) -> float:
    return row.get("min_cpu_us", row["min_us"])


def number(value: float | None) -> str:
    """Three digits or more; nothing for what was not measured."""
    if value is None:
        return ""
    return f"{value:,.{0 if value >= 99.95 else 1 if value >= 9.995 else 2 if value >= 0.9995 else 3}f}"


def table(head: list[str], rows: list[list[str]], left: int = 1) -> str:
    rule = ["---"] * left + ["---:"] * (len(head) - left)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *rows))


def system(row: dict) -> str:
    prefix = row["peer"].split("_")[0]
    return SYSTEMS.get(prefix, prefix)


def column(row: dict) -> str:
    return system(row) + (PACKED if row["what"].endswith("_packed") else "")


def in_order(keys) -> list:
    return list(dict.fromkeys(keys))


class Run:
    """What one compiler's programs printed."""

    def __init__(self, build: pathlib.Path, compiler: str):
        folder = build / "bench" / compiler
        grid = rows_of(folder / "lstm_grid.txt", AGAIN)
        self.grid = {(row["what"], row["workload"]): row for row in grid}
        self.peak = {(row["workload"], row["what"]): row
                     for row in rows_of(folder / "peak.txt", AGAIN)}
        cells = folder / "cells.txt"
        self.cells = {(row["workload"], row["what"]): row for row in rows_of(cells)} if cells.is_file() else {}
        self.measured = datetime.date.fromtimestamp((folder / "lstm_grid.txt").stat().st_mtime)
        if ("multiply_add_float", "throughput") not in self.peak:
            raise Unusable(f"{folder / 'peak.txt'} has no rate of multiply-adds: that run was cut short.")
        core = self.peak["multiply_add_float", "throughput"]
        self.gflops, self.version, self.isa = core["gflops"], core["compiler"], core["isa"]
        if not any(what in PASSES for what, _ in self.grid):
            raise Unusable(f"{folder / 'lstm_grid.txt'} has no times of a forward pass or a gradient.")
        if any("transcendentals" not in row for row in self.grid.values()):
            raise Unusable(f"{folder / 'lstm_grid.txt'} is of an older program: run `bash bench/run` again.")
        self.flags = self.flags_of(build / f"bench-{compiler}" / "compile_commands.json")

    @staticmethod
    def flags_of(path: pathlib.Path) -> str:
        if not path.is_file():
            raise Unusable(f"{path} is missing, and with it the flags of the compiler: run `bash bench/run --build`.")
        command = next((unit["command"] for unit in json.loads(path.read_text())
                        if unit["file"].endswith("bench/lstm_grid.cpp")), "")
        return " ".join(flag for flag in shlex.split(command) if FLAG.match(flag))


class Report:
    def __init__(self, runs: dict[str, Run], peers: list[dict], cpu: str):
        self.runs, self.cpu = runs, cpu
        self.peak = max(run.gflops for run in runs.values())
        self.workloads = {what: in_order(w for run in runs.values() for p, w in run.grid if p == what)
                          for what in [*PASSES, "step"]}
        self.timed = [row for row in peers if row.get("min_us") is not None and not row["peer"].startswith("unspool")]
        found = in_order(map(system, self.timed))
        known = [name for name in SYSTEMS.values() if name in found]
        self.systems = in_order(known + found)
        self.times: dict[tuple[str, str, str], float] = {}
        for row in self.timed:
            key = (row["what"].removesuffix("_packed"), row["workload"], column(row))
            self.times[key] = min(self.times.get(key, least(row)), least(row))
        self.exact = {row["workload"]: row for row in peers if row.get("what") == "values"}

    def of_program(self, what: str, workload: str) -> dict:
        """A line of any compiler: for the facts of the program, which are the same for all."""
        return next(run.grid[what, workload] for run in self.runs.values() if (what, workload) in run.grid)

    def label(self, what: str, workload: str) -> str:
        return f"{workload}: " + ", ".join(map(str, self.of_program(what, workload)["shape"]))

    def columns(self, what: str) -> list[str]:
        found = {name for p, workload, name in self.times if p == what and workload in self.workloads[what]}
        return [name for system in self.systems for name in (system, system + PACKED) if name in found]

    def rates(self, what: str) -> str:
        body = []
        for workload in self.workloads[what]:
            for compiler, run in self.runs.items():
                row = run.grid.get((what, workload))
                if row is None:
                    continue
                rate = row["flops"] / least(row) * 1e-3
                body.append([self.label(what, workload), compiler, number(least(row)), number(row["median_us"]),
                             number(rate), f"{100 * rate / self.peak:.1f} %",
                             number(row["transcendentals"] / least(row) * 1e-3), f"{row['workspace_bytes']:,}"])
        return table(["T, batch, inputs, units", "compiler", "least, µs", "median, µs", "GFLOP/s", "of peak",
                      "10⁹ transcendentals/s", "workspace, bytes"], body, left=2)

    def comparison(self, what: str) -> str:
        """Least µs beside the peers', and the best of ours over the best of theirs."""
        columns, body = self.columns(what), []
        for workload in self.workloads[what]:
            ours = [run.grid.get((what, workload)) for run in self.runs.values()]
            ours = [None if row is None else least(row) for row in ours]
            theirs = [self.times.get((what, workload, name)) for name in columns]
            best = min((time for time in theirs if time is not None), default=None)
            ratio = min(time for time in ours if time is not None) / best if best else None
            name = workload if what == "step" else self.label(what, workload)
            body.append([name, *map(number, ours), *map(number, theirs), *([number(ratio)] if columns else [])])
        return table(["workload" if what == "step" else "T, batch, inputs, units",
                      *(f"unspool, {compiler}" for compiler in self.runs), *columns,
                      *(["unspool ÷ best other"] if columns else [])], body)

    def core(self) -> str:
        units = {"gflops": "GFLOP/s", "gb_per_s": "GB/s", "ns_per_vector": "ns per vector",
                 "ns_per_element": "ns per element"}
        body = []
        for key in in_order(key for run in self.runs.values() for key in run.peak):
            for field, unit in units.items():
                values = [run.peak.get(key, {}).get(field) for run in self.runs.values()]
                if any(value is not None for value in values):
                    body.append([f"{key[0].replace('_', ' ')}, {key[1]}", unit, *map(number, values)])
        return table(["what", "unit", *self.runs], body, left=2)

    def cells(self) -> str:
        body = []
        for key in in_order(key for run in self.runs.values() for key in run.cells):
            for compiler, run in self.runs.items():
                if row := run.cells.get(key):
                    body.append([key[0].replace("_", " "), key[1], compiler, number(least(row)),
                                 number(row["ps_per_flop"]), number(row["to_lstm"])])
        return table(["cell", "pass", "compiler", "least, µs", "ps per operation", "÷ LSTM's"], body, left=3)

    def deviations(self) -> str:
        """The largest relative deviation of a loss or a gradient's norm from the float64 reference, by system."""
        worst: dict[str, tuple[float, str]] = {}
        ours = [row for run in self.runs.values() for row in run.grid.values()]
        for name, row in [("unspool", row) for row in ours] + [(system(row), row) for row in self.timed]:
            exact = self.exact.get(row["workload"])
            if exact is None or row.get("loss") is None:
                continue
            for a, b in zip([row["loss"], *(row["grad_norms"] or [])], [exact["loss"], *exact["grad_norms"]]):
                worst[name] = max(worst.get(name, (0.0, "")), (abs(a - b) / abs(b), row["workload"]))
        if not worst:
            return ""
        told = [f"{name} {value:.0e} ({where})" + (f" **more than {TOLERANCE:.0e}**" if value > TOLERANCE else "")
                for name, (value, where) in worst.items()]
        return ("Largest relative deviation of losses and gradients' norms from a float64 reference: " +
                "; ".join(told) + ".")

    def variants(self) -> str:
        lines = []
        for name in self.systems:
            rows = [row for row in self.timed if system(row) == name]
            versions = in_order(row["version"] for row in rows if "version" in row)
            lines.append(f"* {' '.join([name, *versions])}: {', '.join(in_order(row['peer'] for row in rows))}")
        return "\n".join(lines)

    def text(self) -> str:
        isas = in_order(run.isa for run in self.runs.values())
        days = in_order(f"{run.measured}" for run in self.runs.values())
        compilers = [f"* {name} {run.version}: `{run.flags}`" for name, run in self.runs.items()]
        parts = ["<!-- SPDX-License-Identifier: BSL-1.0 -->\n<!-- written by bench/report.py -->\n# Results",
                 "One LSTM layer in float: the mean of all outputs of all steps (forward), and its gradient with respect\n"
                 "to kernel, recurrent kernel and bias.",
                 "\n".join([f"* Machine: {self.cpu}; one core, {', '.join(isas)}", *compilers,
                            f"* Measured on {', '.join(days)}"]),
                 INTRODUCTION.rstrip()]
        for what, title in PASSES.items():
            if self.workloads[what]:
                parts += [f"## {title}", self.rates(what), f"![{title}: GFLOP/s by workload](results-{what}.svg)"]
        if self.times:
            parts += ["## Beside other systems", PEERS, self.variants()]
            if deviations := self.deviations():
                parts.append(deviations)
            parts += [f"### {title}, least µs\n\n{self.comparison(what)}" for what, title in PASSES.items()
                      if self.workloads[what]]
        if self.workloads["step"]:
            parts += ["## One streaming step, least µs",
                      "Batch 1, one input, the state carried; H is the number of units.", self.comparison("step")]
        if any(run.cells for run in self.runs.values()):
            parts += ["## Other cells",
                      "Cells of one's own against the library's LSTM of the same size: W2 is 100, 1, 32, 32 and W4 is\n"
                      "50, 32, 128, 128.", self.cells()]
        parts += ["## What the core can do",
                  "Independent multiply-adds; reads from a block of this size; tanh and sigmoid of numbers in L1\n"
                  "(throughput) and each of the result of the one before (latency).", self.core()]
        return "\n\n".join(parts) + "\n"

    def plot(self, what: str, output: str) -> str:
        """A gnuplot script: unspool's operations over each system's time, by workload."""
        workloads = self.workloads[what]
        series: dict[str, list[float | None]] = {}
        for compiler, run in self.runs.items():
            rows = [run.grid.get((what, workload)) for workload in workloads]
            series[f"unspool, {compiler}"] = [None if row is None else least(row) for row in rows]
        for name in self.columns(what):
            series[name] = [self.times.get((what, w, name)) for w in workloads]
        series = {name: times for name, times in series.items() if any(times)}
        lines = ["set terminal svg size 860,480 noenhanced font 'sans-serif,13' background rgb 'white'",
                 f"set output '{output}'",
                 f"set title '{PASSES[what]} pass of one LSTM layer, float, one core'",
                 "set ylabel 'GFLOP/s (operations of unspool''s program)'", "set logscale y", "set grid",
                 "set linetype 5 linecolor rgb 'dark-violet'",  # gnuplot's own is a pale yellow
                 "set datafile missing '?'", "set key outside right top", "set xrange [-0.5:%g]" % (len(workloads) - 0.5),
                 "set xtics (%s)" % ", ".join(f"'{w}' {i}" for i, w in enumerate(workloads)), "$rates << EOD"]
        for i, workload in enumerate(workloads):
            flops = self.of_program(what, workload)["flops"]
            rates = ["?" if times[i] is None else f"{flops / times[i] * 1e-3:.4g}" for times in series.values()]
            lines.append(" ".join([str(i), *rates]))
        curves = [f"{self.peak:.4g} with lines dashtype 2 linecolor rgb 'black' title 'measured peak'"]
        curves += [f"$rates using 1:{k} with linespoints linewidth {2 if name.startswith('unspool') else 1} "
                   f"pointsize 0.7 title '{name}'" for k, name in enumerate(series, 2)]
        return "\n".join([*lines, "EOD", "plot " + ", ".join(curves)]) + "\n"

    def write(self, out: pathlib.Path) -> None:
        """All files or none: the text last, since it shows the plots."""
        if shutil.which("gnuplot") is None:
            raise Unusable("gnuplot is missing: apt-get install gnuplot-nox.")
        with tempfile.TemporaryDirectory(dir=out, prefix=".report-") as name:
            folder = pathlib.Path(name)
            for what in PASSES:
                if self.workloads[what]:
                    script = self.plot(what, f"results-{what}.svg")
                    done = subprocess.run(["gnuplot"], input=script, cwd=folder, capture_output=True, text=True)
                    if done.returncode:
                        raise Unusable(f"gnuplot failed: {done.stderr.strip()}")
            (folder / "results.md").write_text(self.text())
            for path in sorted(folder.iterdir(), key=lambda path: path.suffix != ".svg"):
                os.replace(path, out / path.name)


def cpu_name() -> str:
    """The model by the kernel's account; a virtual machine's name may be vague, so with family and number."""
    path = pathlib.Path("/proc/cpuinfo")
    text = path.read_text() if path.is_file() else ""
    facts = dict(re.findall(r"^(model name|cpu family|model)\s*:\s*(.+)$", text, re.MULTILINE))
    if "model name" not in facts:
        return platform.machine()
    return f"{facts['model name']} (family {facts.get('cpu family', '?')}, model {facts.get('model', '?')})"


def report(build: pathlib.Path, compilers: list[str], peers: list[pathlib.Path], out: pathlib.Path) -> None:
    compilers = compilers or sorted(path.parent.name for path in build.glob("bench/*/lstm_grid.txt"))
    if not compilers:
        raise Unusable(f"There are no results below {build / 'bench'}{AGAIN}.")
    rows = [row for path in peers for row in rows_of(path)]
    Report({compiler: Run(build, compiler) for compiler in compilers}, rows, cpu_name()).write(out)


def self_test() -> int:
    """Figures of a made-up run, by hand; and what each missing or broken input leads to."""
    grid = [
        {"workload": "W0", "what": "forward", "min_us": 2, "median_us": 3, "loss": 0.5, "grad_norms": None,
         "shape": [10, 1, 10, 10], "flops": 16000, "transcendentals": 500, "workspace_bytes": 2112},
        {"workload": "W0", "what": "gradient", "min_us": 900, "median_us": 1000, "min_cpu_us": 800, "loss": 0.5,
         "grad_norms": [1, 2, 4.0008], "shape": [10, 1, 10, 10], "flops": 8e6, "transcendentals": 400,
         "workspace_bytes": 7936},
    ]
    peak = [{"workload": "multiply_add_float", "what": "throughput", "min_us": 1, "isa": "avx2", "compiler": "12.2.0",
             "gflops": 80}]
    peers = [
        {"peer": "reference_f64", "workload": "W0", "what": "values", "min_us": None, "loss": 0.5,
         "grad_norms": [1, 2, 4]},
        *({"peer": peer, "workload": "W0", "what": what, "loss": 0.5, "grad_norms": None, **times}
          for peer, what, times in (
              ("onednn", "forward", {"min_us": 8}), ("onednn", "forward", {"min_us": 10}),
              ("jax_scan", "forward", {"min_us": 7}), ("jax_unroll", "forward", {"min_us": 20, "min_cpu_us": 5}),
              ("onednn", "gradient", {"min_us": 2000}), ("onednn", "gradient_packed", {"min_us": 1000}))),
        {"peer": "unspool", "workload": "W0", "what": "forward", "min_us": 1, "loss": 0.5, "grad_norms": None},
        {"peer": "torch_lstm", "workload": "W0", "error": "no answer within 400 s"},
    ]
    commands = [{"file": "../../bench/lstm_grid.cpp",
                 "command": "g++ -I../include -fdiagnostics-color=always -fcolor-diagnostics -std=c++20 -O3 -o x -c y"}]
    good = {"bench/g++/lstm_grid.txt": grid, "bench/g++/peak.txt": peak, "bench-g++/compile_commands.json": commands,
            "bench/clang++/lstm_grid.txt": [{**grid[0], "min_us": 4}],
            "bench/clang++/peak.txt": [{**peak[0], "gflops": 70}],
            "bench-clang++/compile_commands.json": commands, "peers.jsonl": peers}
    wanted = [
        "| W0: 10, 1, 10, 10 | g++ | 2.00 | 3.00 | 8.00 | 10.0 % | 0.250 | 2,112 |",
        "| W0: 10, 1, 10, 10 | clang++ | 4.00 | 3.00 | 4.00 | 5.0 % | 0.125 | 2,112 |",
        "| W0: 10, 1, 10, 10 | g++ | 800 | 1,000 | 10.0 | 12.5 % | 0.001 | 7,936 |",
        "| T, batch, inputs, units | unspool, g++ | unspool, clang++ | oneDNN | JAX | unspool ÷ best other |",
        "| W0: 10, 1, 10, 10 | 2.00 | 4.00 | 8.00 | 5.00 | 0.400 |",
        "| unspool, g++ | unspool, clang++ | oneDNN | oneDNN, packed | unspool ÷ best other |",
        "| W0: 10, 1, 10, 10 | 800 |  | 2,000 | 1,000 | 0.800 |",
        "* JAX: jax_scan, jax_unroll",
        "unspool 2e-04 (W0) **more than 1e-04**",
        "* g++ 12.2.0: `-std=c++20 -O3`",
    ]
    bad = {
        "lstm_grid.txt is missing": {"bench/g++/lstm_grid.txt": None},
        "peak.txt is missing": {"bench/g++/peak.txt": None},
        "peers.jsonl is missing": {"peers.jsonl": None},
        "compile_commands.json is missing": {"bench-g++/compile_commands.json": None},
        "has no rate of multiply-adds": {"bench/g++/peak.txt": []},
        "has no times": {"bench/g++/lstm_grid.txt": []},
        "is of an older program": {"bench/g++/lstm_grid.txt": [{"workload": "W0", "what": "forward", "min_us": 2}]},
        "is not JSON": {"bench/g++/peak.txt": '{"workload": "multiply'},
    }
    failures = []

    def expect(right: bool, what: str) -> None:
        if not right:
            failures.append(what)

    for sentence, changes in [("", {}), *bad.items()]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            out = folder / "out"
            out.mkdir()
            (out / "results.md").write_text("of before")
            for file, content in {**good, **changes}.items():
                if content is not None:
                    path = folder / file
                    path.parent.mkdir(parents=True, exist_ok=True)
                    lines = content if isinstance(content, str) else "\n".join(map(json.dumps, content))
                    path.write_text(json.dumps(content) if path.suffix == ".json" else lines)
            arguments = [sys.executable, __file__, "--compiler=g++", "--compiler=clang++",
                         f"--peers={folder / 'peers.jsonl'}",
                         f"--build={folder}", f"--out={out}"]
            if not sentence:
                runs = {compiler: Run(folder, compiler) for compiler in ("g++", "clang++")}
                made = Report(runs, rows_of(folder / "peers.jsonl"), "a processor")
                text, plot = made.text(), made.plot("forward", "x.svg")
                for line in wanted:
                    expect(line in text, f"the text has no {line}\n{text}")
                expect("\n0 8 4 2 3.2\n" in plot and "plot 80 with" in plot, f"the plot has other figures\n{plot}")
                expect("clang" not in made.plot("gradient", "x.svg"), "a curve without points is plotted")
                if shutil.which("gnuplot") is None:
                    continue
            done = subprocess.run(arguments, capture_output=True, text=True)
            left = {path.name: path.read_text() for path in out.iterdir()}
            if sentence:
                expect(done.returncode == 1 and sentence in done.stderr and done.stderr.count("\n") == 1,
                       f"not told in one sentence: {sentence}; told: {done.stderr}")
                expect(left == {"results.md": "of before"}, f"{sentence}: what stood there is changed")
            else:
                expect(done.returncode == 0, f"a good run fails: {done.stderr}")
                plots = {"results-forward.svg", "results-gradient.svg"}
                expect(left.keys() == {"results.md", *plots} and wanted[0] in left["results.md"]
                       and all("</svg>" in left[file] for file in plots), f"a good run writes {sorted(left)}")
    print(*failures, sep="\n")
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", action="append", default=[])
    parser.add_argument("--peers", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--build", default=HERE.parent / "build", type=pathlib.Path)
    parser.add_argument("--out", default=HERE, type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    a = parser.parse_args()
    if a.self_test:
        return self_test()
    try:
        report(a.build, a.compiler, a.peers, a.out)
    except Unusable as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"wrote {a.out / 'results.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
