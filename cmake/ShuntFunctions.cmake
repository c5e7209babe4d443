# What is made of the one list of functions, src/bindings/functions/functions.txt, when the build is
# configured: again once the list or a template changes.
find_program(SHUNT_AWK NAMES awk mawk gawk REQUIRED)
mark_as_advanced(SHUNT_AWK)
set(shunt_generated "${PROJECT_BINARY_DIR}/generated")

# shunt_generate(<template> <file>): the template, a file of the source tree, with what the functions
# give; a file below shunt_generated.
function(shunt_generate template file)
  set(folder "${PROJECT_SOURCE_DIR}/src/bindings/functions")
  set(inputs "${folder}/read.awk" "${folder}/c.awk" "${folder}/fortran.awk"
             "${folder}/functions.txt" "${PROJECT_SOURCE_DIR}/${template}")
  execute_process(
    COMMAND "${SHUNT_AWK}" -f "${folder}/read.awk" -f "${folder}/c.awk" -f "${folder}/fortran.awk"
            "${folder}/functions.txt" "${PROJECT_SOURCE_DIR}/${template}"
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  # Only where it changes, so that nothing is compiled again.
  file(CONFIGURE OUTPUT "${shunt_generated}/${file}" CONTENT "${text}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
endfunction()
