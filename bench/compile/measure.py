#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Measures what the library costs the compiler, one JSON line per unit and compiler:

seconds (user + system, the least of three runs), peak memory in MiB, longest symbol in bytes and, for
clang, the constexpr steps of the dearest constant (found by bisection of -fconstexpr-steps).

usage: measure.py [--compiler CXX]... [--unit NAME]... [--include DIR] [--optimise FLAG]
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 1048576  # clang's default


def layers(n):
    """A stack of n LSTM layers of 12 units over 8 inputs."""
    members = ", ".join(
        f"(us::lstm_params<T, {8 if k == 0 else 12}, 12>, layer{k})" for k in range(n))
    body = "".join(f"    auto y{k + 1} = us::lstm(p.layer{k}, y{k}).outputs;\n" for k in range(n))
    return f"""#include <unspool/unspool.hpp>
namespace us = unspool;
template <class T> struct stack {{ BOOST_HANA_DEFINE_STRUCT(stack, {members}); }};
inline constexpr auto loss = [](auto p, auto y0) {{
{body}    return us::mean(y{n});
}};
using program = us::program<decltype(us::value_and_grad(loss)), stack<double>,
                            us::tensor<double, 10, 1, 8>>;
void run(program& p, stack<double> const& s, us::tensor<double, 10, 1, 8> const& xs,
         program::result_type& into) {{ p(s, xs, into); }}
"""


def steps(t):
    return layers(1).replace("double, 10, 1, 8", f"double, {t}, 1, 8")


def units():
    texts = {f"layers_{n}": layers(n) for n in (1, 2, 4)}
    texts["steps_1000"] = steps(1000)
    texts["include_only"] = "#include <unspool/unspool.hpp>\n"
    for path in sorted(HERE.glob("*.cpp")):
        texts[path.stem] = path.read_text()
    return texts


def compile_once(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    pid = os.fork()
    if pid == 0:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        pathlib.Path(os.environ["PEAK_FILE"]).write_text(str(peak))
        sys.stderr.write("" if done.returncode == 0 else done.stderr[:300])
        os._exit(done.returncode != 0)
    _, status = os.waitpid(pid, 0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if status:
        return None
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, int(pathlib.Path(os.environ["PEAK_FILE"]).read_text()) / 1024


def constexpr_steps(command):
    """The smallest limit with which the unit still compiles, to 2 %; None if the default fails."""
    def passes(limit):
        return subprocess.run(command + [f"-fconstexpr-steps={limit}", "-fsyntax-only"],
                              stderr=subprocess.DEVNULL).returncode == 0
    if not passes(LIMIT):
        return None
    low, high = 0, LIMIT
    while high - low > max(500, high // 50):
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high


def longest_symbol(obj):
    names = subprocess.run(["nm", obj], capture_output=True, text=True, check=True).stdout
    return max((len(line.split()[-1]) for line in names.splitlines()), default=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", action="append")
    parser.add_argument("--unit", action="append")
    parser.add_argument("--include", default=str(HERE.parents[1] / "include"))
    parser.add_argument("--optimise", default="-O2")
    a = parser.parse_args()
    texts = units()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PEAK_FILE"] = os.path.join(folder, "peak")
        for name in a.unit or texts:
            source = os.path.join(folder, name + ".cpp")
            pathlib.Path(source).write_text(texts[name])
            obj = os.path.join(folder, name + ".o")
            for compiler in a.compiler or ["g++", "clang++-16", "clang++-19"]:
                base = [compiler, "-std=c++20", "-ffp-contract=off", "-I", a.include, source]
                runs = [compile_once(base + [a.optimise, "-c", "-o", obj]) for _ in range(3)]
                if None in runs:
                    print(json.dumps({"unit": name, "compiler": compiler, "error": "does not compile"}))
                    failed = True
                    continue
                row = {"unit": name, "compiler": compiler, "flags": a.optimise,
                       "seconds": round(min(r[0] for r in runs), 2),
                       "peak_mib": round(max(r[1] for r in runs)),
                       "longest_symbol": longest_symbol(obj)}
                if "clang" in compiler:
                    row["constexpr_steps"] = constexpr_steps(base)
                    row["of_default_limit"] = (None if row["constexpr_steps"] is None
                                               else round(row["constexpr_steps"] / LIMIT, 3))
                print(json.dumps(row), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
