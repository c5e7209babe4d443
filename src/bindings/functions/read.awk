# awk -f read.awk -f c.awk -f fortran.awk functions.txt TEMPLATE
#
# Prints the template, with what the functions give in the place of each line "@name@": the text
# that is in fragment["name"].
#
# To these, c.awk and fortran.awk add what they make of each function, of which they know
#
#   name, form            as "Alltoallv", "alltoallv"
#   folder, kind          as "alltoallv", "alltoallv"
#   comment               what the header of C says of it
#   arg[1 .. args]        the names of the arguments, in order
#   what[i]               what each is: buffer, count, counts, displs, type, types, comm, op, root
#   side[i]               to which side it belongs: send, receive, other

function fault(sentence) {
  print FILENAME ":" FNR ": " sentence > "/dev/stderr"
  exit 1
}

function trimmed(text) {
  gsub(/^[ \t]+|[ \t]+$/, "", text)
  return text
}

function add(which, text) {
  fragment[which] = fragment[which] text "\n"
}

# Adds `before` and the words of a list, in lines no longer than 100 columns of which all but the
# last end in `continued`, and all but the first begin below the first word.
function add_list(which, before, list, after, continued,    words, count, i, line, indent) {
  indent = line = before
  gsub(/./, " ", indent)
  count = split(list, words, ", ")
  for (i = 1; i <= count; ++i) {
    words[i] = words[i] (i < count ? "," : after)
    if (i > 1 && length(line " " words[i] continued) > 100) {
      add(which, line continued)
      line = indent words[i]
    } else {
      line = line (i > 1 ? " " : "") words[i]
    }
  }
  add(which, line)
}

function joined(list, more) {
  return list == "" ? more : list ", " more
}

# The names of the arguments of one side, or of all.
function names_of(which,    i, list) {
  for (i = 1; i <= args; ++i) {
    if (which == "" || side[i] == which) list = joined(list, arg[i])
  }
  return list
}

function kind_of_argument(argument) {
  if (argument ~ /buf$/) return "buffer"
  if (match(argument, /(counts|count|displs|types|type)$/)) return substr(argument, RSTART)
  if (argument ~ /^(comm|op|root)$/) return argument
  fault("the name of the argument " argument " does not say what it is")
}

function read_side(which, names,    i, count, list) {
  count = split(names, list, " ")
  for (i = 1; i <= count; ++i) {
    arg[++args] = list[i]
    what[args] = kind_of_argument(list[i])
    side[args] = which
  }
}

function read_function(    cell) {
  if (split($0, cell, "|") != 5) fault("a function has 5 columns")
  name = trimmed(cell[1])
  form = tolower(name)
  kind = folder = trimmed(cell[2])
  if (index(kind, "/")) {
    sub("/.*", "", folder)
    sub(".*/", "", kind)
  }
  args = 0
  read_side("send", cell[3])
  read_side("receive", cell[4])
  read_side("other", cell[5])
  add_c()
  if (kind != "pass") add_fortran()
  comment = ""
}

FNR == 1 { ++files }

files == 1 && /^>/ { comment = comment (comment == "" ? "" : "\n") trimmed(substr($0, 2)) }
files == 1 && /^[A-Z]/ { read_function() }
files == 1 { next }

/^@[a-z0-9_]+@$/ {
  which = substr($0, 2, length($0) - 2)
  if (!(which in fragment)) fault("there is no fragment " which)
  printf "%s", fragment[which]
  next
}

/@[a-z0-9_]+@/ { fault("a fragment has a line of its own") }

{ print }
