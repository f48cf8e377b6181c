# SPDX-License-Identifier: BSL-1.0
# An overlay port of the tree that it lies in:  vcpkg install unspool --overlay-ports=<tree>/packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DUNSPOOL_CMAKE_DIR=share/unspool)
vcpkg_cmake_install()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug")  # headers alone: the same in both
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
