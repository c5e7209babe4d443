# cpack -G DEB: one package for each MPI library, since the libraries are built against it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME "shunt-${SHUNT_MPI}")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_CONTACT "the Shunt developers <shunt@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What users of the headers and the static libraries need beside the shared ones.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libfmt-dev, lib${SHUNT_MPI}-dev")
# Both packages have the headers and the command.
set(CPACK_DEBIAN_PACKAGE_CONFLICTS "shunt")
set(CPACK_DEBIAN_PACKAGE_PROVIDES "shunt")
include(CPack)
