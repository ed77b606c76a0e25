# What a user's machine gets: public headers, the shared library, the command, and find_package(cuphoton_xdr).
# As a subproject nothing is installed unless asked for.
option(XDR_INSTALL "Make install rules" ${PROJECT_IS_TOP_LEVEL})
if(NOT XDR_INSTALL)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(XDR_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/cuphoton_xdr)

install(TARGETS cuphoton_xdr EXPORT cuphoton_xdr_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/cuphoton DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT cuphoton_xdr_targets NAMESPACE cuphoton:: DESTINATION ${XDR_PACKAGE_FOLDER})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD_PARTY_NOTICES.md
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cuphoton_xdr)
if(TARGET cuphoton_command)
  # The installed command finds its library wherever the prefix is moved.
  set_target_properties(cuphoton_command PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS cuphoton_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cuphoton_xdrConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cuphoton_xdrConfig.cmake INSTALL_DESTINATION ${XDR_PACKAGE_FOLDER})
# Before 1.0 a minor version may break users (docs/stability.md).
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cuphoton_xdrConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cuphoton_xdrConfig.cmake ${PROJECT_BINARY_DIR}/cuphoton_xdrConfigVersion.cmake
  DESTINATION ${XDR_PACKAGE_FOLDER})
