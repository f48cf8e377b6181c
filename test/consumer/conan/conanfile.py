# SPDX-License-Identifier: BSL-1.0
"""Stands for xsimd or Boost in Conan's graph, so that unspool's recipe is tried without a network: the headers are the
system's."""
from conan import ConanFile


class Installed(ConanFile):
    package_type = "header-library"
    options = {"header_only": [True, False]}
    default_options = {"header_only": True}

    def package_info(self):
        info = self.cpp_info.components["headers"] if self.name == "boost" else self.cpp_info
        info.includedirs = []
        if self.name == "boost":
            info.set_property("cmake_target_name", "Boost::headers")
