# What Fortran needs of the functions, each once and planned ("_init"). See read.awk.
#
#   entries     in C++, what the modules call: handles are Fortran's integers
#   interfaces  what the modules know of these
#   integer     the procedures with the handles of `use mpi`
#   f08         those with the handles of `use mpi_f08`
#   generics    one name for both
#   integer_names, f08_names, generic_names
#               what the modules make public of these

function entry_parameter(i) {
  if (what[i] == "buffer") return "void* " arg[i]
  if (what[i] ~ /^(counts|displs|types)$/) return "const MPI_Fint* " arg[i]
  return "MPI_Fint " arg[i]
}

# As C has it; of a side in place anything may stand beside the buffer.
function entry_argument(i,    buffer) {
  buffer = "c_" side[i]
  if (what[i] == "buffer") return buffer
  if (what[i] == "type") return "c_type(" buffer "; " arg[i] ")"
  if (what[i] == "types") return "c_types(" buffer "; " arg[i] "; c_comm).data()"
  if (what[i] == "comm") return "c_comm"
  return arg[i]
}

function add_entry(suffix, planned,    i, parameters, arguments) {
  for (i = 1; i <= args; ++i) {
    parameters = joined(parameters, entry_parameter(i))
    arguments = joined(arguments, entry_argument(i))
  }
  parameters = joined(parameters, "const void* in_place, const void* bottom")
  if (planned) {
    parameters = joined(parameters, "SHUNT_Request* request")
    arguments = joined(arguments, "MPI_INFO_NULL, request")
  }
  # Within a word of the list: a comma that no line may end in.
  gsub(/;/, ",", arguments)
  add_list("entries", "int shunt_fortran_" form suffix "(", parameters, ") {", "")
  for (i = 1; i <= args; ++i) {
    if (what[i] == "buffer") {
      add("entries", "  void* const c_" side[i] " = c_buffer(" arg[i] ", {in_place, bottom});")
    }
  }
  add("entries", "  const MPI_Comm c_comm = MPI_Comm_f2c(comm);")
  add_list("entries", "  return SHUNT_" name suffix "(", arguments, ");", "")
  add("entries", "}\n")
}

# Buffers of any type and shape, as addresses.
function add_buffers(which, indent,    i, list) {
  for (i = 1; i <= args; ++i) {
    if (what[i] != "buffer") continue
    add(which, indent "!GCC$ ATTRIBUTES NO_ARG_CHECK :: " arg[i])
    add(which, indent "!DIR$ IGNORE_TKR " arg[i])
    list = joined(list, arg[i])
  }
  add(which, indent "type(*), dimension(*) :: " list)
}

function add_interface(suffix, planned,    i, list, indent, more) {
  indent = "         "
  more = ", in_place, bottom" (planned ? ", request" : "")
  add_list("interfaces", "      function c_" form suffix "(", names_of("") more, ") &", " &")
  add("interfaces", indent "bind(C, name=\"shunt_fortran_" form suffix "\") result(code)")
  add("interfaces", indent "import :: c_int" (planned ? ", SHUNT_Request" : ""))
  add_buffers("interfaces", indent)
  for (i = 1; i <= args; ++i) {
    if (what[i] == "buffer") continue
    list = what[i] ~ /^(counts|displs|types)$/ ? ", dimension(*), intent(in)" : ", value"
    add("interfaces", indent "integer(c_int)" list " :: " arg[i])
  }
  add("interfaces", indent "integer(c_int) :: in_place, bottom")
  if (planned) add("interfaces", indent "type(SHUNT_Request), intent(inout) :: request")
  add("interfaces", indent "integer(c_int) :: code")
  add("interfaces", "      end function\n")
}

function handle_type(f08, upper) {
  return f08 ? "type(" upper ")" : "integer"
}

function declaration(i, f08) {
  if (what[i] == "count" || what[i] == "root") return "integer, intent(in)"
  if (what[i] == "counts" || what[i] == "displs") return "integer, dimension(*), intent(in)"
  if (what[i] == "type") return handle_type(f08, "MPI_Datatype") ", intent(in)"
  if (what[i] == "types") return handle_type(f08, "MPI_Datatype") ", dimension(*), intent(in)"
  return handle_type(f08, "MPI_Comm") ", intent(in)"
}

function passed(i, f08) {
  if (!f08) return arg[i]
  if (what[i] == "type" || what[i] == "comm") return arg[i] "%MPI_VAL"
  return what[i] == "types" ? arg[i] "(1:ranks)%MPI_VAL" : arg[i]
}

function add_procedure(which, suffix, planned,    f08, i, typed, list, indent) {
  f08 = which == "f08"
  indent = "      "
  list = names_of("") (planned ? ", info, request" : "") ", ierror"
  add_list(which, "   subroutine " form suffix "_" which "(", list, ")", " &")
  add_buffers(which, indent)
  for (i = 1; i <= args; ++i) {
    if (what[i] != "buffer") add(which, indent declaration(i, f08) " :: " arg[i])
    if (what[i] == "types") typed = 1
  }
  if (planned) {
    add(which, indent handle_type(f08, "MPI_Info") ", intent(in) :: info")
    add(which, indent "type(SHUNT_Request), intent(out) :: request")
  }
  add(which, indent "integer, intent(out), optional :: ierror")
  add(which, indent "integer(c_int) :: code")
  if (typed && f08) add(which, indent "integer :: ranks")
  add(which, "")
  if (planned) add(which, indent "associate (unused => info)\n" indent "end associate")
  if (typed && f08) add(which, indent "call ranks_of(comm, ranks)")
  list = ""
  for (i = 1; i <= args; ++i) list = joined(list, passed(i, f08))
  list = list (f08 ? ", in_place_f08, bottom_f08" : ", mpi_in_place, mpi_bottom")
  add_list(which, indent "code = c_" form suffix "(", list (planned ? ", request" : ""), ")", " &")
  add(which, indent "if (present(ierror)) ierror = code")
  add(which, "   end subroutine\n")
}

function add_form(suffix, planned) {
  add_entry(suffix, planned)
  add_interface(suffix, planned)
  add_procedure("integer", suffix, planned)
  add_procedure("f08", suffix, planned)
  add("integer_names", "   public :: " form suffix "_integer")
  add("f08_names", "   public :: " form suffix "_f08")
  add("generic_names", "   public :: SHUNT_" name suffix)
  add("generics", "   interface SHUNT_" name suffix)
  add("generics", "      module procedure " form suffix "_integer, " form suffix "_f08")
  add("generics", "   end interface\n")
}

function add_fortran() {
  add_form("", 0)
  add_form("_init", 1)
}
