# shellcheck shell=bash
# Sourced: which of the versions of Clang and its tools that Shunt is tested with this system has.

# The first one that is installed; where there is none, the one that the Debian has packages of.
clang_version() {
  local version VERSION_ID=""
  for version in 16 19; do
    if command -v "clang++-$version" >/dev/null; then
      echo "$version"
      return
    fi
  done
  # shellcheck source=/dev/null
  if [[ -r /etc/os-release ]]; then source /etc/os-release; fi
  if [[ $VERSION_ID == 12 ]]; then echo 16; else echo 19; fi
}
