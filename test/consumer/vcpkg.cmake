# SPDX-License-Identifier: BSL-1.0
# Runs the steps of the port in PORT into CURRENT_PACKAGES_DIR, in FOLDER, with what vcpkg would provide:
# cmake -DPORT=... -DFOLDER=... -DCURRENT_PACKAGES_DIR=... -P vcpkg.cmake
function(must)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    must("${CMAKE_COMMAND}" -G Ninja -S "${arg_SOURCE_PATH}" -B "${FOLDER}" ${arg_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
    must("${CMAKE_COMMAND}" --install "${FOLDER}" --prefix "${CURRENT_PACKAGES_DIR}")
    must("${CMAKE_COMMAND}" --install "${FOLDER}" --prefix "${CURRENT_PACKAGES_DIR}/debug")
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    file(INSTALL ${arg_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/unspool" RENAME copyright)
endfunction()

include("${PORT}/portfile.cmake")

# vcpkg's own rules for what a port leaves behind
foreach(needed include/unspool/unspool.hpp share/unspool/unspool-config.cmake share/unspool/copyright)
    if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${needed}")
        message(FATAL_ERROR "the port did not install ${needed}")
    endif()
endforeach()
foreach(wrong debug share/cmake)
    if(EXISTS "${CURRENT_PACKAGES_DIR}/${wrong}")
        message(FATAL_ERROR "the port left ${wrong} behind")
    endif()
endforeach()
file(READ "${PORT}/vcpkg.json" manifest)
string(JSON name GET "${manifest}" name)
string(JSON version GET "${manifest}" version)
file(READ "${CURRENT_PACKAGES_DIR}/share/unspool/unspool-config-version.cmake" installed)
if(NOT name STREQUAL unspool OR NOT installed MATCHES "PACKAGE_VERSION \"${version}\"")
    message(FATAL_ERROR "vcpkg.json is for ${name} ${version}, not for what is installed")
endif()
