# SPDX-License-Identifier: BSL-1.0
# Defines unspool::unspool over the headers in unspool_include_dir, for the package and for the source tree alike.
#
# Of the two libraries it takes the include paths only. Their targets are not visible everywhere that a subdirectory's
# target is; and Debian 12's xsimd (8.1) links xtl without finding it: "cannot find -lxtl".
add_library(unspool::unspool INTERFACE IMPORTED GLOBAL)
get_target_property(unspool_xsimd_include_dir xsimd INTERFACE_INCLUDE_DIRECTORIES)
get_target_property(unspool_boost_include_dir Boost::headers INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(unspool::unspool INTERFACE
    "${unspool_include_dir}" "${unspool_xsimd_include_dir}" "${unspool_boost_include_dir}")
target_compile_features(unspool::unspool INTERFACE cxx_std_20)
target_compile_options(unspool::unspool INTERFACE -ffp-contract=off)
unset(unspool_xsimd_include_dir)
unset(unspool_boost_include_dir)
