# shellcheck shell=bash
# Sourced by the scripts here: a folder for what they write, and how they fail.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$*" >&2
  exit 1
}
