#!/usr/bin/env bash
# .ci/run on a toy project: green when all is right, red when one thing is not, the tests' summary last.
# shellcheck source=tests/scripts/harness.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/harness.sh"
# shellcheck source=tests/scripts/toy_project.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/toy_project.sh"

# The toy with a driver that writes results into the folder after --out, and a lint that exits with $1.
green_project() {
  toy_project
  cp -r -- "$project/.ci" checkout/
  cat >checkout/core/main.c <<'C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int n, char** words) {
  if (n < 2 || chdir(words[n - 1]) != 0) return 2;
  fputs("case\n", fopen("results.csv", "w"));
  fputs("case\n", fopen("ranks.csv", "w"));
  fputs("{}\n", fopen("results.json", "w"));
  return 0;
}
C
  printf '#!/bin/bash\nexit %s\n' "${1:-0}" >checkout/scripts/lint
}
expect_tests_last() { sed '1,/^== tests/d' out | grep -q "^$1% tests passed" || fail "the tests' summary does not come last"; }

test_all_right_is_green() {
  green_project
  expect_exit 0 bash checkout/.ci/run
  expect_tests_last 100
}
test_a_lint_that_objects_is_red_and_the_tests_still_run() {
  green_project 1
  expect_exit 1 bash checkout/.ci/run
  expect_tests_last 100
  expect_says err 'red: format, scripts and clang-tidy (exit code 1)'
}
test_a_red_run_is_red() {
  green_project
  sed -i 's/return 0/return 1/' checkout/core/main.c
  expect_exit 1 bash checkout/.ci/run
  expect_says err 'red: the notebook suite'
}
test_a_run_without_results_is_red() {
  green_project
  sed -i '/ranks.csv/d' checkout/core/main.c
  expect_exit 1 bash checkout/.ci/run
  expect_says err 'red: the notebook suite'
}
test_a_failing_test_is_red() {
  green_project
  echo 'int main(void) { return 1; }' >checkout/tests/test.c
  expect_exit 1 bash checkout/.ci/run
  expect_says err 'AddressSanitizer and UBSan (exit code 8) tests'
  expect_tests_last 0
}
test_code_that_does_not_compile_is_red() {
  green_project
  echo 'int broken(' >>checkout/plugins/plugin.c
  expect_exit $expected_setup_failure bash checkout/.ci/run
}

run_tests
