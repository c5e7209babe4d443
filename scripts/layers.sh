#!/usr/bin/env bash
# scripts/layers.sh [FOLDER]
#
# Reads every #include "..." in the sources below the folder, by default this tree, and fails where
# one goes up, sideways, or from below the line "MPI begins here" to mpi.h. As every arrow goes down
# in scripts/layers.txt, there is no circle.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cd "${1:-$here/..}"

# shellcheck disable=SC2016  # the program is awk's
find src lab tools include tests examples -type f \
  \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' \) -print0 |
  xargs -0 awk '
    # The line of layers.txt that a path belongs to: that of the longest folder.
    function folder_of(path) {
      while (!(path in line) && index(path, "/")) sub("/[^/]*$", "", path)
      return path in line ? path : ""
    }
    function exists(path,    ignored, found) {
      if (!(path in known)) {
        found = (getline ignored < path) >= 0
        if (found) close(path)
        known[path] = found
      }
      return known[path]
    }
    # The file that a name means in a source: all folders are given to the compiler as roots.
    function file_of(name, source,    beside, roots, i) {
      split("./ src/ include/ tests/ tests/mpi/ examples/", roots, " ")
      for (i = 1; i in roots; ++i) if (exists(roots[i] name)) return roots[i] name
      beside = source
      sub("[^/]*$", "", beside)
      return exists(beside name) ? beside name : ""
    }
    function fault(sentence) {
      print FILENAME ":" FNR ": " sentence
      faults = 1
    }
    FILENAME ~ /layers.txt$/ {
      if ($0 !~ /^#/) for (i = 1; i <= NF; ++i) line[$i] = FNR
      next
    }
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
      ++includes
      split($0, parts, /[<">]/)
      name = parts[2]
      from = folder_of(FILENAME)
      if (from == "") { fault("is in no line of layers.txt"); next }
      if (name == "mpi.h" && line[from] > line["src/exchange"] && from != "include") {
        fault("includes mpi.h, below the line where MPI begins")
      }
      if ($0 !~ /"/) next
      file = file_of(name, FILENAME)
      sub("^\\./", "", file)
      to = folder_of(file)
      if (file == "") fault("no file is called " name)
      else if (to != from && line[to] <= line[from]) {
        fault(from " includes " to ", which is " (line[to] < line[from] ? "above" : "beside") " it")
      }
    }
    END {
      if (includes < 1000) { print "only " includes " includes were found"; faults = 1 }
      exit faults
    }' "$here/layers.txt" || exit 1
