# How targets of this project are made: one function per kind, so that no folder repeats flags.
include(ShardbenchPlugin)
include(ShardbenchSanitize)

# Warnings and sanitizers for one target.
function(shardbench_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # false at "literal" + std::string in GCC 12
  if(SHARDBENCH_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(SHARDBENCH_SANITIZE)
    # Bounds, overflow, shifts, conversions and lifetime; not the checks of every pointer (null, alignment, vptr, size of
    # object), which take a third of the compiler's time: a null pointer ends the test without them.
    target_compile_options(${target} PRIVATE -fsanitize=${SHARDBENCH_SANITIZE}
      -fno-sanitize=null,alignment,vptr,object-size -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${SHARDBENCH_SANITIZE})
  endif()
endfunction()

# A room of the core: a static library of core/<room>, included as "<room>/file.hpp".
#   shardbench_room(suite SOURCES a.cpp b.cpp LINK tomlplusplus::tomlplusplus)
function(shardbench_room room)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(shardbench_${room} STATIC ${ARG_SOURCES})
  shardbench_options(shardbench_${room})
  target_include_directories(shardbench_${room} PUBLIC "${PROJECT_SOURCE_DIR}/core")
  target_link_libraries(shardbench_${room} PUBLIC shardbench_sdk ${ARG_LINK})
endfunction()

# A plugin of this repository (see ShardbenchPlugin.cmake), written where the built driver finds it.
#   shardbench_plugin(gloo KIND comm SOURCES gloo.cpp LINK gloo)
# Strategies link shardbench::rank; the others link nothing of the core.
function(shardbench_plugin name)
  cmake_parse_arguments(ARG "TEST_ONLY" "KIND" "SOURCES;LINK" ${ARGN})
  shardbench_add_plugin(${name} KIND ${ARG_KIND} SOURCES ${ARG_SOURCES} LINK ${ARG_LINK})
  set(target shardbench_${ARG_KIND}_${name})
  shardbench_options(${target})
  if(SHARDBENCH_SANITIZE)  # the sanitizer's run time is the executable's
    target_link_options(${target} PRIVATE -Wl,-z,undefs)
  endif()
  set(folder "${PROJECT_BINARY_DIR}/lib/shardbench/plugins")
  if(ARG_TEST_ONLY)
    set(folder "${PROJECT_BINARY_DIR}/tests/plugins")
  endif()
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${folder}"
    BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN/../..")
  if(NOT ARG_TEST_ONLY)
    set_property(GLOBAL APPEND PROPERTY SHARDBENCH_PLUGINS ${target})
  endif()
endfunction()

# A GoogleTest program. TIMEOUT in seconds (default 120). RANKS: it starts groups of ranks, so it runs alone.
#   shardbench_test(suite_parse_test SOURCES parse_test.cpp LINK shardbench_suite)
function(shardbench_test name)
  cmake_parse_arguments(ARG "RANKS" "TIMEOUT" "SOURCES;LINK;DEPENDS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  shardbench_options(${name})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)  # tests use whole namespaces, which would meet
  target_compile_options(${name} PRIVATE -O0)  # compiled in half the time; what it tests is as optimized as ever
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  if(ARG_RANKS)
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK ranks PROCESSORS 2)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(NOT TARGET sanitize_tests)
    add_custom_target(sanitize_tests)
  endif()
  cmake_language(EVAL CODE "cmake_language(DEFER CALL shardbench_label_sanitize [[${name}]])")
endfunction()
