#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Builds and runs test/consumer/project against unspool, from an empty folder: consume.py WAY ROOT BUILD

    include             -I ROOT/include                     cmake            what meson installs, by find_package
    pkg-config          what meson installs                 cmake-installed  what CMake installs, by find_package
    subproject, wrap    a folder, a tarball in meson's      cmake-fetch      FetchContent of ROOT
                        subprojects/                        conan            the recipe, with conan where it is installed
    vcpkg               the port's steps, with stubs for vcpkg's own functions, then find_package

The compiler is the one of BUILD. The tree in use is left alone: all happens in a temporary folder.
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile

MESON_SKIPPED = 77
TOOLS = {"pkg-config": "pkg-config", "cmake": "cmake", "cmake-installed": "cmake", "cmake-fetch": "cmake",
         "conan": "conan", "vcpkg": "cmake"}


def run(words: list[str], fails_with: str = "", **options) -> str:
    """Runs a command that must succeed, or fail with a message that has fails_with in it; returns what it printed."""
    print("$", shlex.join(words), flush=True)
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if (done.returncode != 0) != bool(fails_with) or fails_with not in " ".join(done.stdout.split()):
        print(done.stdout)
        sys.exit(f"ended with {done.returncode}" + (f" without: {fails_with}" if fails_with else ""))
    return done.stdout


def compiler(build: pathlib.Path) -> str:
    entries = json.loads((build / "compile_commands.json").read_text())
    words = shlex.split(entries[0]["command"])
    return words[1] if os.path.basename(words[0]) == "ccache" else words[0]


class Consumer:
    def __init__(self, root: pathlib.Path, folder: pathlib.Path) -> None:
        self.root, self.folder = root, folder
        self.project, self.built, self.prefix = folder / "project", folder / "built", folder / "prefix"
        shutil.copytree(root / "test/consumer/project", self.project)

    def compile(self, flags: list[str]) -> None:
        self.built.mkdir()
        run([os.environ["CXX"], "-std=c++20", str(self.project / "main.cpp"), *flags, "-o", str(self.built / "consumer")])

    def meson_install(self) -> None:
        run(["meson", "setup", str(self.folder / "install"), str(self.root), f"--prefix={self.prefix}",
             "-Dtests=disabled", "-Dbenchmarks=disabled", "-Dexamples=disabled"])
        run(["meson", "install", "-C", str(self.folder / "install")])

    def meson_build(self) -> None:
        run(["meson", "setup", str(self.built), str(self.project)])
        run(["ninja", "-C", str(self.built)])
        if any((self.built / "subprojects/unspool" / part).exists() for part in ("test", "bench", "examples")):
            sys.exit("as a subproject unspool must build no tests, benchmarks or examples")

    def cmake_build(self, *options: str) -> None:
        run(["cmake", "-G", "Ninja", "-S", str(self.project), "-B", str(self.built), *options])
        run(["cmake", "--build", str(self.built)])

    def find_package(self) -> None:
        self.cmake_build(f"-DCMAKE_PREFIX_PATH={self.prefix}")
        # another minor version must be refused, by name
        lists = self.project / "CMakeLists.txt"
        for wanted in ("0.2", "1.0"):
            lists.write_text(lists.read_text().replace("unspool 0.1", f"unspool {wanted}"))
            run(["cmake", "-G", "Ninja", "-S", str(self.project), "-B", str(self.folder / "refused"),
                 f"-DCMAKE_PREFIX_PATH={self.prefix}"], fails_with=f'compatible with requested version "{wanted}"')
            lists.write_text(lists.read_text().replace(f"unspool {wanted}", "unspool 0.1"))

    def by_include(self) -> None:
        self.compile([f"-I{self.root / 'include'}", "-ffp-contract=off"])

    def by_pkg_config(self) -> None:
        self.meson_install()
        os.environ["PKG_CONFIG_PATH"] = str(self.prefix / "share/pkgconfig")
        run(["pkg-config", "--exists", "unspool >= 0.1", "unspool < 0.2"])
        flags = run(["pkg-config", "--cflags", "--libs", "unspool"]).split()
        if "-ffp-contract=off" not in flags:
            sys.exit(f"-ffp-contract=off is missing from the flags {flags}")
        self.compile(flags)

    def by_subproject(self) -> None:
        (self.project / "subprojects").mkdir()
        (self.project / "subprojects/unspool").symlink_to(self.root)
        self.meson_build()

    def by_wrap(self) -> None:
        (self.project / "subprojects/packagefiles").mkdir(parents=True)
        shutil.copy(self.root / "packaging/unspool.wrap", self.project / "subprojects")
        with tarfile.open(self.project / "subprojects/packagefiles/unspool.tar.gz", "w:gz", compresslevel=1) as tarball:
            for path in self.root.iterdir():
                if path.name != ".git" and not path.name.startswith("build"):
                    tarball.add(path, path.name)
        self.meson_build()

    def by_cmake(self) -> None:
        self.meson_install()
        self.find_package()

    def by_cmake_installed(self) -> None:
        run(["cmake", "-G", "Ninja", "-S", str(self.root), "-B", str(self.folder / "install")])
        run(["cmake", "--install", str(self.folder / "install"), "--prefix", str(self.prefix)])
        self.find_package()

    def by_vcpkg(self) -> None:
        run(["cmake", f"-DPORT={self.root / 'packaging/vcpkg'}", f"-DFOLDER={self.folder / 'install'}",
             f"-DCURRENT_PACKAGES_DIR={self.prefix}", "-P", str(self.root / "test/consumer/vcpkg.cmake")])
        self.find_package()

    def by_conan(self) -> None:
        os.environ["CONAN_HOME"] = str(self.folder / "conan")
        run(["conan", "profile", "detect"])
        for requirement in ("xsimd/13.2.0", "boost/1.86.0"):
            name, version = requirement.split("/")
            run(["conan", "export", str(self.root / "test/consumer/conan"), f"--name={name}", f"--version={version}"])
        run(["conan", "create", str(self.root), "--build=missing", "--no-remote", "-s", "compiler.cppstd=20",
             "-c", f"tools.cmake.cmake_layout:test_folder={self.built}", "-c", "tools.cmake.cmaketoolchain:user_presets="])

    def by_cmake_fetch(self) -> None:
        shutil.copy(self.root / "test/consumer/fetch/CMakeLists.txt", self.project)
        self.cmake_build(f"-DUNSPOOL_TREE={self.root}")


def main() -> int:
    way, root, build = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    os.environ["CXX"] = compiler(build)
    if way in TOOLS and not shutil.which(TOOLS[way]):
        print(f"SKIPPED: {TOOLS[way]} is not installed")
        return MESON_SKIPPED
    with tempfile.TemporaryDirectory() as name:
        consumer = Consumer(root, pathlib.Path(name))
        getattr(consumer, "by_" + way.replace("-", "_"))()
        if way != "conan":  # runs its test_package itself
            run([str(consumer.built / "consumer")])
    return 0


if __name__ == "__main__":
    sys.exit(main())
