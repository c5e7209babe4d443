# shunt_add_mpi_test(<name> TARGET <target> RANKS <n>... [ARGUMENTS <argument>...]
#                    [ENVIRONMENT <name>=<value>...] [LEAST <n>])
#
# Adds the tests <name>.P<n>, one for each number of ranks. Those of several ranks run one at a time,
# since one of them alone keeps the whole machine busy, and with more ranks than cores, so that an
# idle rank must give way: by a setting of Open MPI, and by a preloaded helper for MPICH. LEAST is how
# many tests a filter among the arguments has to choose, of a program with tests/mpi/main.cpp: one
# that has another name now must not be left out in silence.
#
# shunt_add_cluster_test(<name> TARGET <target> HOSTS <n,n,...>... [ARGUMENTS <argument>...]
#                        [ENVIRONMENT <name>=<value>...] [LEAST <n>])
#
# The same on several hosts, made by tests/cluster/cluster, with n ranks on each: the tests
# <name>.<n-n-...>. They are skipped where hosts cannot be made.
#
# shunt_add_script_test(<name> <script> [ALONE])
#
# Adds the test <name>, which runs the script: beside another one, since most of them wait for what
# they have launched to come and go, unless it says ALONE. It finds the command as $SHUNT, the MPI as
# $SHUNT_MPI, and launches ranks by `$SHUNT_MPIRUN -n 4 ...`, which already holds the launch flags.
# Status 77 means that it was skipped.
#
# Sets SHUNT_TEST_ENVIRONMENT (for any test) and SHUNT_LAUNCH_ENVIRONMENT (for any test that
# launches ranks).

# mpirun gives its ranks a terminal, for which GoogleTest would colour what ./check has to read.
# What a user has measured and learned changes no test, and no test changes it.
set(SHUNT_TEST_ENVIRONMENT GTEST_COLOR=no SHUNT_DIRECTORY=/dev/null SHUNT_WISDOM=none)
set(SHUNT_LAUNCH_ENVIRONMENT "")
set(SHUNT_LAUNCH_FLAGS "")

if(SHUNT_SANITIZE)
  # Clang's would look for llvm-symbolizer, and g++'s needs none.
  set(symbolizer "")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    find_program(SHUNT_ADDR2LINE addr2line REQUIRED)
    set(symbolizer :external_symbolizer_path=${SHUNT_ADDR2LINE})
  endif()
  list(
    APPEND
    SHUNT_TEST_ENVIRONMENT
    # Leaks are not looked for: MPI libraries keep much of what they allocate until the process
    # ends, and the leak checker needs ptrace, which containers often forbid.
    ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1${symbolizer}
    UBSAN_OPTIONS=print_stacktrace=1${symbolizer})
endif()

if(SHUNT_MPI STREQUAL "openmpi")
  list(APPEND SHUNT_LAUNCH_FLAGS --oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
  list(APPEND SHUNT_LAUNCH_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
  # Open MPI's own transports: UCX, which MPICH's tests go over, looks for networks at every launch,
  # which takes a quarter of a second.
  list(APPEND SHUNT_LAUNCH_ENVIRONMENT OMPI_MCA_pml=ob1 OMPI_MCA_osc=^ucx)
elseif(SHUNT_MPI STREQUAL "mpich")
  enable_language(C)
  add_library(yielding_wait MODULE "${CMAKE_CURRENT_SOURCE_DIR}/support/yielding_wait.c")
  target_link_libraries(yielding_wait PRIVATE ${CMAKE_DL_LIBS})
  target_compile_options(yielding_wait PRIVATE -Wall -Wextra)
  list(APPEND SHUNT_LAUNCH_FLAGS -genv LD_PRELOAD $<TARGET_FILE:yielding_wait>)
endif()

function(shunt_add_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET;LEAST" "RANKS;ARGUMENTS;ENVIRONMENT")
  if(arg_LEAST)
    list(APPEND arg_ARGUMENTS --least=${arg_LEAST})
  endif()
  foreach(ranks IN LISTS arg_RANKS)
    set(alone ON)
    if(ranks EQUAL 1)
      set(alone OFF)
    endif()
    add_test(NAME ${name}.P${ranks}
             COMMAND ${MPIEXEC_EXECUTABLE} -n ${ranks} ${SHUNT_LAUNCH_FLAGS}
                     $<TARGET_FILE:${arg_TARGET}> ${arg_ARGUMENTS})
    set_tests_properties(
      ${name}.P${ranks}
      PROPERTIES WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
                 LABELS mpi
                 PROCESSORS ${ranks}
                 RUN_SERIAL ${alone}
                 ENVIRONMENT
                 "${SHUNT_TEST_ENVIRONMENT};${SHUNT_LAUNCH_ENVIRONMENT};${arg_ENVIRONMENT}")
  endforeach()
endfunction()

function(shunt_add_cluster_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET;LEAST" "HOSTS;ARGUMENTS;ENVIRONMENT")
  if(arg_LEAST)
    list(APPEND arg_ARGUMENTS --least=${arg_LEAST})
  endif()
  foreach(hosts IN LISTS arg_HOSTS)
    string(REPLACE "," "-" sizes "${hosts}")
    add_test(NAME ${name}.${sizes}
             COMMAND "${PROJECT_SOURCE_DIR}/tests/cluster/cluster" --hosts ${hosts} --mpi
                     ${SHUNT_MPI} -- $<TARGET_FILE:${arg_TARGET}>
                     ${arg_ARGUMENTS})
    set_tests_properties(
      ${name}.${sizes}
      PROPERTIES WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
                 LABELS cluster
                 RUN_SERIAL ON
                 SKIP_RETURN_CODE 77
                 ENVIRONMENT "${SHUNT_TEST_ENVIRONMENT};${arg_ENVIRONMENT}")
  endforeach()
endfunction()

function(shunt_add_script_test name script)
  cmake_parse_arguments(PARSE_ARGV 2 arg "ALONE" "" "")
  list(JOIN SHUNT_LAUNCH_FLAGS " " flags)
  add_test(NAME ${name} COMMAND bash "${script}")
  set_tests_properties(
    ${name}
    PROPERTIES WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
               LABELS command
               RUN_SERIAL ${arg_ALONE}
               SKIP_RETURN_CODE 77
               ENVIRONMENT "${SHUNT_TEST_ENVIRONMENT};${SHUNT_LAUNCH_ENVIRONMENT}")
  set_property(
    TEST ${name}
    APPEND
    PROPERTY ENVIRONMENT "SHUNT=$<TARGET_FILE:shunt_command>" "SHUNT_MPI=${SHUNT_MPI}"
             "SHUNT_MPIRUN=${MPIEXEC_EXECUTABLE} ${flags}")
endfunction()
