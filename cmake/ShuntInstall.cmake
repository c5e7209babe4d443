# install(): libraries, headers, the command, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

set(shunt_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Shunt")
set(shunt_libraries shunt_core shunt)
set(shunt_pc_libraries "-lshunt -lshunt_core -lstdc++ -lm -ldl")
set(shunt_pc_requires fmt)
if(TARGET shunt_shared)
  set(shunt_libraries shunt_shared)
  set(shunt_pc_libraries "-lshunt")
  set(shunt_pc_requires "")
endif()
foreach(target IN ITEMS ${shunt_libraries} shunt_fortran)
  if(TARGET ${target})
    install(
      TARGETS ${target}
      EXPORT ShuntTargets
      ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  endif()
endforeach()
if(TARGET shunt_command)
  install(TARGETS shunt_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/machines/"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/shunt/machines")
endif()
foreach(target IN ITEMS shunt_interposer shunt_scalapack)
  if(TARGET ${target})
    install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/shunt/${SHUNT_MPI}")
  endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" "${shunt_generated}/shunt"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" PATTERN "*.in" EXCLUDE)

if(TARGET shunt)
  install(
    EXPORT ShuntTargets
    NAMESPACE Shunt::
    DESTINATION "${shunt_package_dir}")
  configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/ShuntConfig.cmake.in" "${PROJECT_BINARY_DIR}/ShuntConfig.cmake"
    INSTALL_DESTINATION "${shunt_package_dir}")
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/ShuntConfigVersion.cmake"
                                   COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/ShuntConfig.cmake"
                "${PROJECT_BINARY_DIR}/ShuntConfigVersion.cmake"
          DESTINATION "${shunt_package_dir}")

  # Relative, so that `cmake --install --prefix` may still say where it goes.
  file(RELATIVE_PATH shunt_prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  # MPI is left out of the pkg-config file: whoever uses it compiles with the wrapper of the MPI
  # that Shunt was built with.
  configure_file("${CMAKE_CURRENT_LIST_DIR}/shunt.pc.in" "${PROJECT_BINARY_DIR}/shunt.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/shunt.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
