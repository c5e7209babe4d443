# What C and C++ need of the functions. See read.awk.
#
#   prototypes  for include/shunt/shunt.h
#   kinds       what declares the kinds of collectives
#   functions, wide_functions, passed, wide_passed
#               see src/bindings/functions.hpp.in

function c_parameter(i, wide,    count, offset) {
  count = wide ? "MPI_Count" : "int"
  offset = wide ? "MPI_Aint" : "int"
  if (what[i] == "buffer") return (side[i] == "send" ? "const void* " : "void* ") arg[i]
  if (what[i] == "count") return count " " arg[i]
  if (what[i] == "counts") return "const " count " " arg[i] "[]"
  if (what[i] == "displs") return "const " offset " " arg[i] "[]"
  if (what[i] == "type") return "MPI_Datatype " arg[i]
  if (what[i] == "types") return "const MPI_Datatype " arg[i] "[]"
  if (what[i] == "op") return "MPI_Op " arg[i]
  if (what[i] == "root") return "int " arg[i]
  return "MPI_Comm " arg[i]
}

function c_parameters(wide,    i, list) {
  for (i = 1; i <= args; ++i) list = joined(list, c_parameter(i, wide))
  return list
}

# A count alone is that of one block where this goes to all ranks, or to one rank or from it;
# otherwise that of a block for each rank.
function is_single(which) {
  return which == "send" ? form ~ /gather/ : form ~ /scatter/
}

# How a side says what its blocks are, as Shape in bindings/c/arguments.hpp.
function shape_of(which,    i, shape) {
  for (i = 1; i <= args; ++i) {
    if (side[i] != which) continue
    if (what[i] == "count") shape = is_single(which) ? "single" : "equal"
    if (what[i] == "counts") shape = "blocks"
    if (what[i] == "types") shape = "typed"
  }
  return shape
}

function has_root(    i) {
  for (i = 1; i <= args; ++i) if (what[i] == "root") return 1
  return 0
}

# A single block is the root's, where there is one.
function side_names(which) {
  return names_of(which) (shape_of(which) == "single" && has_root() ? ", root" : "")
}

function add_row(wide,    which, own) {
  which = (wide ? "wide_" : "") (kind == "pass" ? "passed" : "functions")
  own = "(" c_parameters(wide) "), (" names_of("") ")"
  if (kind != "pass") {
    own = form ", " kind ", " (has_root() ? "root" : "kNoRoot") ", " own ", " \
      shape_of("send") ", (" side_names("send") "), " \
      shape_of("receive") ", (" side_names("receive") ")"
  }
  add(which, "  row(" name ", " own ") \\")
}

function has_offsets(    i) {
  for (i = 1; i <= args; ++i) if (what[i] == "displs") return 1
  return 0
}

function add_prototype(suffix, wide, more) {
  add_list("prototypes", "int SHUNT_" name suffix "(", c_parameters(wide) more, ");", "")
}

function add_c(    lines, count, i, planned) {
  add_row(0)
  add_row(1)
  if (kind == "pass") return
  if (!(folder in is_known)) add("kinds", "#include \"collective/" folder "/" folder ".hpp\"")
  is_known[folder] = 1
  planned = ", MPI_Info info, SHUNT_Request* request"
  count = split(comment, lines, "\n")
  add("prototypes", "\n/**")
  for (i = 1; i <= count; ++i) add("prototypes", " * " lines[i])
  add("prototypes", " */")
  add_prototype("", 0, "")
  add("prototypes", "/** Does what SHUNT_" name " does, with counts" \
    (has_offsets() ? " and displacements" : "") " beyond int. */")
  add_prototype("_c", 1, "")
  add("prototypes", "/** Makes a request for what SHUNT_" name " does. */")
  add_prototype("_init", 0, planned)
  add("prototypes", "/** Makes a request for what SHUNT_" name "_c does. */")
  add_prototype("_init_c", 1, planned)
}

BEGIN { fragment["passed"] = fragment["wide_passed"] = "" }
