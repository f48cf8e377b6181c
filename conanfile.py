# SPDX-License-Identifier: BSL-1.0
"""The Conan 2 package: conan create . --build=missing -s compiler.cppstd=20"""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load


class Unspool(ConanFile):
    name = "unspool"
    description = "Fixed-length sequence models differentiated by the compiler"
    license = "BSL-1.0"
    topics = ("automatic-differentiation", "lstm", "simd", "header-only")
    package_type = "header-library"
    default_options = {"boost/*:header_only": True}
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "include/*", "LICENSE"
    no_copy_source = True

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "meson.build"))
        self.version = re.search(r"version: '([^']+)'", text)[1]

    def requirements(self):
        self.requires("xsimd/[>=8.1]", transitive_headers=True)
        self.requires("boost/[>=1.74]", transitive_headers=True, libs=False)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.clear()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.cxxflags = ["-ffp-contract=off"]
        self.cpp_info.requires = ["xsimd::xsimd", "boost::headers"]
