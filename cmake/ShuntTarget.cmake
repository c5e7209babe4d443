# shunt_configure(<target>): the compiler settings that every target of this project shares.
function(shunt_configure target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(
    ${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                      $<$<BOOL:${SHUNT_WERROR}>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # At -O3 g++ 12 sees an overflow inside fmt 9's own parser where there is none. All ranks that
    # SMPI simulates live in one process, where they would share unique symbols.
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow -fno-gnu-unique)
  endif()
endfunction()

# shunt_sanitize(<target>): with SHUNT_SANITIZE, whatever the target does is watched as it runs. For
# the libraries and the test programs: compilers take twice as long for sources of the command. What
# links to a library gets what that needs.
function(shunt_sanitize target)
  if(SHUNT_SANITIZE)
    set(flags -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_compile_options(${target} PRIVATE ${flags} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC ${flags})
  endif()
endfunction()

# shunt_precompile(<target> <header>...): compiles what most of its sources include once. Only with
# g++, so that clang++ sees what a source forgets to include. In front of what knows of MPI SMPI has
# a header of its own.
function(shunt_precompile target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
     AND NOT (SHUNT_MPI STREQUAL "smpi" AND "<mpi.h>" IN_LIST ARGN))
    target_precompile_headers(
      ${target}
      PRIVATE
      <algorithm>
      <functional>
      <memory>
      <optional>
      <span>
      <string>
      <vector>
      <fmt/format.h>
      ${ARGN})
  endif()
endfunction()

# shunt_hurry(<target>): takes less time to compile, for what only reads, prints and compares: what is
# measured, or takes long, is in the libraries.
function(shunt_hurry target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
