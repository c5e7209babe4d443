# awk -f include_files.awk -f layers.awk layers.txt SOURCE...: see layers.sh.

# The line of layers.txt that a path belongs to: that of the longest folder.
function folder_of(path) {
  while (!(path in line) && index(path, "/")) sub("/[^/]*$", "", path)
  return path in line ? path : ""
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
  if (name == "mpi.h" && line[from] > line["src/mpi_calls"] && from != "include") {
    fault("includes mpi.h, below the line where MPI begins")
  }
  if ($0 !~ /"/) next
  file = file_of(name, FILENAME)
  to = folder_of(file)
  if (file == "") fault("no file is called " name)
  else if (file == FILENAME) fault("includes itself")
  else if (to != from && line[to] <= line[from]) {
    fault(from " includes " to ", which is " (line[to] < line[from] ? "above" : "beside") " it")
  }
}

END {
  if (includes < 1000) { print "only " includes " includes were found"; faults = 1 }
  exit faults
}
