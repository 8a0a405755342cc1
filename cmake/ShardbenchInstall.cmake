# cmake --install: the driver, the ranks' library, the plugins, the suites, and a package for authors of plugins.
# The folders do not depend on the distribution (lib, never lib64), for the executable looks in ../lib and ../share.
include(CMakePackageConfigHelpers)

get_property(_plugins GLOBAL PROPERTY SHARDBENCH_PLUGINS)
install(TARGETS shardbench_cli RUNTIME DESTINATION bin)
set_target_properties(shardbench_rank PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS shardbench_rank LIBRARY DESTINATION lib)
install(TARGETS ${_plugins} LIBRARY DESTINATION lib/shardbench/plugins)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/core/include/shardbench" DESTINATION include FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_BINARY_DIR}/include/shardbench/version.hpp" DESTINATION include/shardbench)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/suites/" DESTINATION share/shardbench/suites)

set(_package lib/cmake/shardbench)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/shardbenchConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/shardbenchConfig.cmake" INSTALL_DESTINATION ${_package})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/shardbenchConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/shardbenchConfig.cmake" "${PROJECT_BINARY_DIR}/shardbenchConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/LibTorch.cmake" "${CMAKE_CURRENT_LIST_DIR}/ShardbenchPlugin.cmake" DESTINATION ${_package})
