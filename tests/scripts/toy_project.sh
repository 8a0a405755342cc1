# A project in the checkout's place that builds in a second. Sourced after harness.sh.

# A project with the targets and files that the scripts count on; its driver prints its arguments and exits with 7.
toy_project() {
  fake_libtorch libtorch
  export SHARDBENCH_LIBTORCH=$PWD/libtorch
  cp -- "$project/CMakePresets.json" checkout/
  mkdir -p checkout/{core,plugins,tests,suites}
  cat >checkout/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES C)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(SHARDBENCH_LIBTORCH "" CACHE PATH "")
option(SHARDBENCH_TESTS "" ON)
enable_testing()
file(GLOB words CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/words/*") # checked by each build
add_subdirectory(core)
add_subdirectory(plugins)
add_subdirectory(tests)
CMAKE
  echo 'add_executable(shardbench main.c)' >checkout/core/CMakeLists.txt
  printf 'add_custom_target(stamp COMMAND true)\nadd_dependencies(shardbench stamp) # run by each build\n' >>checkout/core/CMakeLists.txt
  echo 'add_library(plugin MODULE plugin.c)' >checkout/plugins/CMakeLists.txt
  cat >checkout/core/main.c <<'C'
#include <stdio.h>
int main(int n, char** words) {
  for (int i = 1; i < n; ++i) puts(words[i]);
  return 7;
}
C
  echo 'int plugin(void) { return 1; }' >checkout/plugins/plugin.c
  echo 'int main(void) { return 0; }' >checkout/tests/test.c
  cat >checkout/tests/CMakeLists.txt <<'CMAKE'
add_executable(toy_test test.c)
add_test(NAME toy_test COMMAND toy_test)
set_tests_properties(toy_test PROPERTIES LABELS sanitize)
add_custom_target(sanitize_tests DEPENDS toy_test)
CMAKE
}
