# How a plugin is made, inside this repository and outside of it: find_package(shardbench) gives this function too.
#
#   shardbench_add_plugin(my_ddp KIND strategy SOURCES my_ddp.cpp [LINK library...])
#
# KIND is comm, strategy or schedule; <name> is what the descriptor says. The target is shardbench_<kind>_<name>, its file
# <kind>_<name>.so. Only the descriptor is visible in it, and it does not link while a symbol is missing.
function(shardbench_add_plugin name)
  cmake_parse_arguments(ARG "" "KIND" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_KIND MATCHES "^(comm|strategy|schedule)$")
    message(FATAL_ERROR "Plugin '${name}' is of KIND '${ARG_KIND}', but the kinds are comm, strategy and schedule.")
  endif()
  if(NOT name MATCHES "^[a-z0-9_]+$")
    message(FATAL_ERROR "Plugin '${name}' has a bad name: write it with a to z, 0 to 9 and '_'.")
  endif()
  if(NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "Plugin '${name}' needs SOURCES, and '${ARG_UNPARSED_ARGUMENTS}' should be nothing: write "
                        "shardbench_add_plugin(name KIND strategy SOURCES file.cpp).")
  endif()
  set(target shardbench_${ARG_KIND}_${name})
  add_library(${target} MODULE ${ARG_SOURCES})
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_link_libraries(${target} PRIVATE shardbench::sdk ${ARG_LINK})
  if(ARG_KIND STREQUAL "strategy")
    target_link_libraries(${target} PRIVATE shardbench::rank)
  endif()
  target_link_options(${target} PRIVATE -Wl,-z,defs)
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME "${ARG_KIND}_${name}" SUFFIX ".so"
    CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()
