# What the scripts about #includes share: awk functions.

# exists(path): whether there is such a file, asked once.
function exists(path,    ignored, found) {
  if (!(path in known)) {
    found = (getline ignored < path) >= 0
    if (found) close(path)
    known[path] = found
  }
  return known[path]
}

# What the build makes from a file called name ".in" counts as that.
# file_of(name, source): the file that #include "name" means in the source; empty if there is none.
# All of these folders are given to the compiler as roots.
function file_of(name, source,    roots, i, beside) {
  if (exists(name)) return name
  split("src/ include/ tests/ tests/mpi/ examples/", roots, " ")
  for (i = 1; i in roots; ++i) {
    if (exists(roots[i] name)) return roots[i] name
    if (exists(roots[i] name ".in")) return roots[i] name ".in"
  }
  beside = source
  sub("[^/]*$", "", beside)
  return exists(beside name) ? beside name : ""
}
