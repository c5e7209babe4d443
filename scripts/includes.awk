# awk -f include_files.awk -f includes.awk SOURCE...: see includes.sh.

# Marks all that a file includes, itself too, as seen in this round.
function visit(path, round,    names, i, count) {
  if (seen[path] == round) return
  seen[path] = round
  count = split(included[path], names, " ")
  for (i = 1; i <= count; ++i) visit(names[i], round)
}

# Whether any of the files that declare a type was seen in this round.
function is_seen(name, round,    places, p, count) {
  count = split(declared[name], places, " ")
  for (p = 1; p <= count; ++p) if (seen[places[p]] == round) return 1
  return 0
}

# Reads a file again, and tells of each type that nothing declares which it includes.
function check(path, round,    text, line, words, w, count, name) {
  while ((getline text < path) > 0) {
    ++line
    sub(/\/\/.*/, "", text)
    gsub(/"([^"\\]|\\.)*"/, "", text)
    count = split(text, words, /[^A-Za-z0-9_]+/)
    for (w = 1; w <= count; ++w) {
      name = words[w]
      if (name !~ /^[A-Z]/ || !(name in declared) || name in ambiguous) continue
      if ((path, name) in here || (path, name) in told || text ~ ("(\\.|->|::)" name)) continue
      if (is_seen(name, round)) continue
      told[path, name]
      print path ":" line ": " name " is declared in" declared[name] ", which is not included"
      faults = 1
    }
  }
  close(path)
}

# First includes, and types that are declared at the beginning of a line. A declaration alone,
# as "class Name;", is one, too, for the file that has it.
{
  if (FNR == 1) files[++file_count] = FILENAME
  if ($1 == "#include" && match($0, /"[^"]+"/)) {
    path = file_of(substr($0, RSTART + 1, RLENGTH - 2), FILENAME)
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
    visit(files[k], k)
    check(files[k], k)
  }
  exit faults
}
