#!/usr/bin/env bash
# From configure to the exit code, on a toy project in the checkout's place: what is built when, and what is said.
# shellcheck source=tests/scripts/harness.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/harness.sh"

# shellcheck source=tests/scripts/toy_project.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/toy_project.sh"

test_bench_builds_then_only_runs() {
  toy_project
  expect_exit 7 checkout/scripts/bench --filter x
  expect_says err 'Configuring build/release'
  expect_says err 'Building build/release'
  expect_equal "$(paste -sd ' ' out)" "run $PWD/checkout/suites/notebook-3.13.toml --filter x"
  [[ ! -e checkout/build/release/bin/toy_test ]] || fail 'bench built a test'
  local started=$EPOCHREALTIME
  expect_exit 7 checkout/scripts/bench
  expect_silent
  ((${EPOCHREALTIME/./} - ${started/./} < 2000000)) || fail 'the second run took over two seconds'
}
test_bench_and_test_share_a_build() {
  toy_project
  expect_exit 7 checkout/scripts/bench
  expect_exit 0 checkout/scripts/test
  expect_says out '100% tests passed'
  ! grep -q Configuring err || fail 'test configured again'
  expect_exit 7 checkout/scripts/bench
  expect_silent
}
test_a_changed_source_is_rebuilt() {
  toy_project
  expect_exit 7 checkout/scripts/bench
  sed -i 's/return 7/return 3/' checkout/core/main.c
  expect_exit 3 checkout/scripts/bench
}
test_a_changed_cmake_list_is_seen() {
  toy_project
  expect_exit 7 checkout/scripts/bench
  echo 'set_target_properties(shardbench PROPERTIES OUTPUT_NAME renamed)' >>checkout/core/CMakeLists.txt
  expect_exit 7 checkout/scripts/bench
  [[ -x checkout/build/release/bin/renamed ]] || fail 'not built again'
}
test_another_libtorch_or_place_is_configured_again_once() {
  toy_project
  expect_exit 7 checkout/scripts/bench
  fake_libtorch other
  export SHARDBENCH_LIBTORCH=$PWD/other
  expect_exit 7 checkout/scripts/bench
  expect_says err 'Configuring build/release'
  mv checkout moved
  expect_exit 7 moved/scripts/bench
  expect_says err 'Configuring build/release'
  touch moved/CMakePresets.json
  expect_exit 7 moved/scripts/bench
  expect_says err 'Configuring build/release'
  expect_exit 7 moved/scripts/bench
  expect_silent
}
test_what_cmake_says_is_shown() {
  toy_project
  echo 'message(FATAL_ERROR "no such thing")' >>checkout/CMakeLists.txt
  expect_exit $expected_setup_failure checkout/scripts/bench
  expect_says err 'no such thing'
  expect_says err 'CMake could not configure build/release'
}
test_what_the_compiler_says_is_shown() {
  toy_project
  echo 'int broken(' >>checkout/plugins/plugin.c
  expect_exit $expected_setup_failure checkout/scripts/bench
  expect_says err 'plugin.c'
  expect_says err 'the build failed'
}
test_a_failing_test_is_red() {
  toy_project
  echo 'int main(void) { return 1; }' >checkout/tests/test.c
  expect_exit 8 checkout/scripts/test
  expect_says out 'toy_test (Failed)'
}
test_no_test_at_all_is_red() {
  toy_project
  expect_exit 8 checkout/scripts/test -R nothing_is_called_so
  expect_says err 'No tests were found'
}
test_another_preset_has_its_own_folder() {
  toy_project
  SHARDBENCH_PRESET=ci expect_exit 7 checkout/scripts/bench
  expect_says err 'Building build/ci'
  [[ ! -e checkout/build/release ]] || fail 'it made build/release too'
}

run_tests
