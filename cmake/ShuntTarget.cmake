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
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # g++ 14 sees a write behind the end where a vector of one number is copied.
    target_compile_options(${target} PRIVATE -Wno-array-bounds)
  endif()
  # Part of a project that has no build type, which would leave it slow.
  target_compile_options(${target} PRIVATE $<$<CONFIG:>:-O2>)
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

# shunt_sanitize_tests(<target>): the same for a program of tests, in half of clang++'s time. Code in
# tests/ and in the system's headers is checked for wrong addresses, but not for undefined behaviour,
# and all checks of addresses are calls. Code in the library's headers is checked for both.
function(shunt_sanitize_tests target)
  shunt_sanitize(${target})
  if(SHUNT_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Patterns are regular expressions for clang++ 16 and globs for 19: both read [+] as a plus.
    string(REGEX REPLACE "([+()])" "[\\1]" tests "${PROJECT_SOURCE_DIR}/tests")
    set(list "${PROJECT_BINARY_DIR}/not_checked_for_undefined_behaviour.txt")
    file(CONFIGURE OUTPUT "${list}" @ONLY
         CONTENT "[undefined]\nsrc:${tests}/*\nsrc:*/include/c[+][+]/*\nsrc:/usr/include/*\n")
    target_compile_options(
      ${target} PRIVATE "-fsanitize-ignorelist=${list}"
                        "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")
  endif()
endfunction()

# shunt_unity_build(<target> [<most>]): where SHUNT_UNITY asks for it, compiles many sources of the
# target at a time, which takes a third of the time: most of it goes into headers. So names in
# unnamed namespaces are unique in a target. At most <most> sources are compiled at a time: fewer of
# tests, since g++ takes longer for 27 of them in one part than in three.
function(shunt_unity_build target)
  get_target_property(type ${target} TYPE)
  set(most_at_a_time 64)
  if(ARGC GREATER 1)
    set(most_at_a_time ${ARGV1})
  endif()
  get_target_property(sources ${target} SOURCES)
  # As many parts as it takes, and of one size, since cores share them.
  list(LENGTH sources length)
  math(EXPR parts "(${length} + ${most_at_a_time} - 1) / ${most_at_a_time}")
  set(number 0)
  foreach(source IN LISTS sources)
    math(EXPR part "${number} * ${parts} / ${length}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP part_${part})
    math(EXPR number "${number} + 1")
  endforeach()
  if(SHUNT_UNITY STREQUAL "ALL" OR (SHUNT_UNITY STREQUAL "PROGRAMS" AND type STREQUAL "EXECUTABLE"))
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()

# shunt_precompile(<target> <header>...): compiles what most of its sources include once. The lint
# reads what clang++ has precompiled, where that is built. In front of what knows of MPI SMPI has a
# header of its own.
function(shunt_precompile target)
  get_target_property(only_linted ${target} EXCLUDE_FROM_ALL)
  if(NOT only_linted AND NOT (SHUNT_MPI STREQUAL "smpi" AND "<mpi.h>" IN_LIST ARGN))
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

# shunt_fast_compile(<target>): optimises the target less, which takes less time to compile. For what
# only reads, prints and compares: what is measured, or takes long, is in the libraries.
function(shunt_fast_compile target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
