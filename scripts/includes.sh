#!/usr/bin/env bash
# scripts/includes.sh [FOLDER]
#
# Fails where a source below the folder, by default this tree, names a type of ours and includes
# nothing that declares it, not even through others. The builds of ./check take many sources at a
# time, where another one's includes hide that; users compile them one by one.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cd "${1:-$here/..}"

# shellcheck disable=SC2016  # the program is awk's
find src lab tools include -type f \( -name '*.hpp' -o -name '*.cpp' \) -print0 | sort -z |
  xargs -0 awk '
    function exists(path,    ignored, found) {
      if (!(path in known)) {
        found = (getline ignored < path) >= 0
        if (found) close(path)
        known[path] = found
      }
      return known[path]
    }
    function file_of(name,    roots, i) {
      split("./ src/ include/", roots, " ")
      for (i = 1; i in roots; ++i) if (exists(roots[i] name)) return (i == 1 ? "" : roots[i]) name
      return ""
    }
    # Marks all that a file includes, itself too, as seen in this round.
    function visit(path, round,    names, i, count) {
      if (seen[path] == round) return
      seen[path] = round
      count = split(included[path], names, " ")
      for (i = 1; i <= count; ++i) visit(names[i], round)
    }
    # Pass 1: includes, and types that are declared at the beginning of a line. A declaration alone,
    # as "class Name;", is one, too, for the file that has it.
    {
      if (FNR == 1) files[++file_count] = FILENAME
      if ($1 == "#include" && match($0, /"[^"]+"/)) {
        path = file_of(substr($0, RSTART + 1, RLENGTH - 2))
        if (path != "") included[FILENAME] = included[FILENAME] " " path
      } else if (match($0, /^(class|struct|enum class|enum|using) (\[\[[a-z]+\]\] )?[A-Z][A-Za-z0-9]*/)) {
        name = substr($0, RSTART, RLENGTH)
        sub(/.* /, "", name)
        if (FILENAME ~ /hpp$/) declared[name] = declared[name] " " FILENAME
        here[FILENAME, name]
      }
      # Names that are also those of members, of parameters of templates, and of macros are not told
      # apart.
      text = $0
      while (match(text, /( +|<|, |\()(class|struct|enum class|enum|using|class\.\.\.) [A-Z][A-Za-z0-9]*|SHUNT_[A-Z_]+\([A-Z][A-Za-z0-9]*/)) {
        name = substr(text, RSTART, RLENGTH)
        sub(/.*[ (]/, "", name)
        ambiguous[name]
        text = substr(text, RSTART + RLENGTH)
      }
    }
    END {
      if (file_count < 500) { print "only " file_count " sources were found"; exit 1 }
      for (k = 1; k <= file_count; ++k) {
        path = files[k]
        visit(path, k)
        line = 0
        while ((getline text < path) > 0) {
          ++line
          sub(/\/\/.*/, "", text)
          gsub(/"([^"\\]|\\.)*"/, "", text)
          count = split(text, words, /[^A-Za-z0-9_]+/)
          for (w = 1; w <= count; ++w) {
            word = words[w]
            if (word !~ /^[A-Z][A-Za-z0-9]*$/ || !(word in declared)) continue
            if (word in ambiguous || (path, word) in here || (path, word) in told) continue
            if (text ~ ("(\\.|->|::)" word)) continue
            found = 0
            n = split(declared[word], places, " ")
            for (p = 1; p <= n && !found; ++p) found = seen[places[p]] == k
            if (found) continue
            told[path, word]
            print path ":" line ": " word " is declared in" declared[word] ", which is not included"
            faults = 1
          }
        }
        close(path)
      }
      exit faults
    }' || exit 1
