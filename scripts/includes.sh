#!/usr/bin/env bash
# scripts/includes.sh [FOLDER]
#
# Fails where a source below the folder, by default this tree, names a type of ours and includes
# nothing that declares it, not even through others. The builds of ./check take many sources at a
# time, where another one's includes hide that; users compile them one by one.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cd "${1:-$here/..}"

find src lab tools include -type f \( -name '*.hpp' -o -name '*.cpp' \) -print0 | sort -z |
  xargs -0 awk -f "$here/include_files.awk" -f "$here/includes.awk" || exit 1
