# SPDX-License-Identifier: BSL-1.0
# Sourced by the run scripts: installs what is missing from Debian's packages, saying what and why.
#
#     . test/tools/packages.sh
#     need g++ 'the compiler'
#     need meson 'the build system'
#     install_missing

missing_packages=()
missing_reasons=()

need() { # package, reason
    if ! dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; then
        missing_packages+=("$1")
        missing_reasons+=("$2")
    fi
}

install_missing() {
    [ ${#missing_packages[@]} -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "This is not a Debian system; needed, under Debian's names: ${missing_packages[*]}" >&2
        echo "Going on with what there is." >&2
        return 0
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "Missing packages; as root: apt-get install ${missing_packages[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    echo "Installing from Debian's packages:"
    local i
    for i in "${!missing_packages[@]}"; do
        printf '    %-22s %s\n' "${missing_packages[$i]}" "${missing_reasons[$i]}"
    done
    local log
    log=$(mktemp)
    if ! { "${as_root[@]}" apt-get update -q &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
            "${missing_packages[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "Installing failed; the whole log: $log" >&2
        return 1
    fi
    rm -f "$log"
    missing_packages=()
    missing_reasons=()
}
