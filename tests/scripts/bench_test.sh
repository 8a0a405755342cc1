#!/usr/bin/env bash
# What scripts/bench would run for which arguments.
# shellcheck source=tests/scripts/harness.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/harness.sh"

# dry_run ARGS...: prints the arguments of the driver, one a line.
dry_run() {
  local line
  line=$(SHARDBENCH_DRY_RUN=1 "${bench:-checkout/scripts/bench}" "$@")
  eval "printf '%s\n' $line" | tail -n +2 | paste -sd '|'
}
suite() { printf '%s/checkout/suites/notebook-3.13.toml' "$PWD"; }

test_every_script_parses() {
  local file
  for file in checkout/scripts/{bootstrap,bench,test,lint,nightly} checkout/scripts/lib/*.sh "$project/.ci/run"; do
    expect_exit 0 bash -n "$file"
  done
}
test_without_arguments_it_runs_the_notebook_suite() { expect_equal "$(dry_run)" "run|$(suite)"; }
test_it_runs_the_driver_of_the_release_build() {
  expect_equal "$(SHARDBENCH_DRY_RUN=1 checkout/scripts/bench)" "$PWD/checkout/build/release/bin/shardbench run $(suite) "
}
test_options_come_after_the_suite() { expect_equal "$(dry_run --dry-run --filter=zero3)" "run|$(suite)|--dry-run|--filter=zero3"; }
test_a_named_suite_replaces_the_default() {
  expect_equal "$(dry_run --filter zero3 my.toml --out /tmp/x)" 'run|--filter|zero3|my.toml|--out|/tmp/x'
}
test_an_existing_file_is_a_suite() {
  touch mine
  expect_equal "$(dry_run mine)" 'run|mine'
  expect_equal "$(dry_run not_there)" "run|$(suite)|not_there"
}
test_the_value_of_an_option_is_no_suite() {
  touch plugin.so
  expect_equal "$(dry_run --plugin plugin.so)" "run|$(suite)|--plugin|plugin.so"
  expect_equal "$(dry_run --out old.toml)" "run|$(suite)|--out|old.toml"
}
test_arguments_with_spaces_stay_whole() { expect_equal "$(dry_run --filter 'a b|c*')" "run|$(suite)|--filter|a b|c*"; }
test_in_the_checkout_the_suite_is_named_relative_to_it() {
  cd checkout
  bench=scripts/bench
  expect_equal "$(dry_run)" 'run|suites/notebook-3.13.toml'
}
test_a_link_to_the_script_works() {
  ln -s "$PWD/checkout/scripts/bench" home/bench
  bench=home/bench
  expect_equal "$(dry_run)" "run|$(suite)"
}
test_help_needs_no_build() {
  expect_exit 0 checkout/scripts/bench --help
  expect_says out 'scripts/bench [SUITE.toml...]'
  [[ ! -e checkout/build ]] || fail 'help made a build folder'
}
test_arguments_of_test_go_to_ctest() {
  expect_exit 0 env SHARDBENCH_DRY_RUN=1 checkout/scripts/test -R 'suite|law' -j1
  expect_equal "$(cat out)" 'ctest --preset release -R suite\|law -j1 '
  expect_exit 0 env SHARDBENCH_DRY_RUN=1 SHARDBENCH_PRESET=asan checkout/scripts/test
  expect_equal "$(cat out)" 'ctest --preset asan '
}

run_tests
