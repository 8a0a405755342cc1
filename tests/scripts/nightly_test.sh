#!/usr/bin/env bash
# scripts/nightly for real: a clone that is updated from its upstream, a build, a tiny suite on real ranks.
#   nightly_test.sh SHARDBENCH
program=$(readlink -f -- "$1")
# shellcheck source=tests/scripts/harness.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/harness.sh"
# shellcheck source=tests/scripts/toy_project.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/toy_project.sh"

readonly overlap=11 kept_commit=0123456789ab
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost

# ./upstream, a repository whose build puts the real program in its place, and ./checkout, a clone of it.
nightly_project() {
  toy_project
  echo 'add_custom_target(shardbench ALL COMMAND ${CMAKE_COMMAND} -E copy "${PROJECT_SOURCE_DIR}/driver" "${PROJECT_BINARY_DIR}/bin/shardbench")' \
    >checkout/core/CMakeLists.txt
  printf '#!/bin/sh\n[ "$1" != --version ] || { echo "shardbench (commit %s)" && exit; }\nexec %q "$@"\n' "$kept_commit" "$program" >checkout/driver
  chmod +x checkout/driver
  mkdir -p checkout/build/release/{bin,lib}
  echo /build/ >checkout/.gitignore
  cat >checkout/suites/notebook-3.13.toml <<'TOML'
schema = 1
name = "tiny"
[model.tiny]
widths = [8, 8]
[[training]]
strategy = "ddp"
world = 2
model = "tiny"
iterations = 2
TOML
  git -C checkout init -q -b main
  upstream_commit checkout first
  git clone -q --bare checkout upstream
  git -C checkout remote add origin "$PWD/upstream"
  git -C checkout fetch -q
  git -C checkout branch -q --set-upstream-to=origin/main
}
upstream_commit() { git -C "$1" add -A && git -C "$1" commit -qm "$2"; }

# push_change COMMAND...: runs it in a second clone, and pushes what it changed.
push_change() {
  [[ -d second ]] || git clone -q upstream second
  git -C second pull -q
  (cd second && "$@")
  upstream_commit second change
  git -C second push -q
}
break_build() { echo 'int broken( <&>' >plugins/plugin.c; }
mend_build() { echo 'int plugin(void) { return 2; }' >plugins/plugin.c; }

nightly() { checkout/scripts/nightly --state state --launches 2 "$@"; }
runs() { find state/runs -mindepth 1 -maxdepth 1 | wc -l; }
expect_well_formed() { python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$1" || fail "$1 is no XML"; }

test_nights_update_build_run_and_are_remembered() {
  nightly_project
  expect_exit 0 nightly
  expect_says out 'Green: the case is right'
  for file in report.html summary.md junit.xml results.csv log.txt; do
    [[ -s state/latest/$file ]] || fail "$file is missing"
  done
  expect_equal "$(cat state/latest/exit_code)" 0
  expect_says state/latest/log.txt 'no baseline'
  cmp checkout/build/release/bin/shardbench state/builds/$kept_commit/bin/shardbench || fail 'a green build was not kept'
  push_change mend_build
  expect_exit 0 nightly
  expect_equal "$(git -C checkout rev-parse HEAD)" "$(git -C second rev-parse HEAD)"
  expect_equal "$(find state/history -type f | wc -l)" 2
  expect_says state/latest/report.html '"comparison":{"baseline"'
  # A failed build is red and says why; the history stays as it was, and the next good commit is green again.
  push_change break_build
  expect_exit $expected_setup_failure nightly --quiet
  expect_says out 'Red: build failed with exit code 10'
  expect_says state/latest/report.html 'int broken( &lt;&amp;&gt;'
  expect_says state/latest/junit.xml 'errors="1"'
  expect_well_formed state/latest/junit.xml
  expect_says state/latest/summary.md 'nothing was measured'
  expect_equal "$(find state/history -type f | wc -l)" 2
  push_change mend_build
  expect_exit 0 nightly --quiet
  [[ ! -s out ]] || fail 'a green night was not quiet'
  expect_equal "$(runs)" 4
  # The oldest folders go, what is no night's and the history stay.
  mkdir -p state/runs/mine state/builds/mine state/builds/aaaaaaaaaaaa/bin state/builds/bbbbbbbbbbbb
  touch -d yesterday state/builds/aaaaaaaaaaaa
  expect_exit 0 nightly --keep 2 --no-update
  expect_equal "$(runs)" 3
  expect_equal "$(ls state/builds | paste -sd ' ')" "$kept_commit bbbbbbbbbbbb mine"
  expect_equal "$(find state/history -type f | wc -l)" 4
}
test_plugins_from_outside_are_kept_with_the_build_by_their_content() {
  nightly_project
  local plugin=$PWD/mine/strategy_ddp.so first kept=state/builds/$kept_commit/plugins
  mkdir mine
  cp -- "${program%/bin/*}/lib/shardbench/plugins/strategy_ddp.so" mine/
  first=$(sha1sum "$plugin" | cut -d ' ' -f 1)
  expect_exit 0 nightly --no-update -- --plugin "$plugin"
  cmp "$plugin" "$kept/$first/strategy_ddp.so" || fail 'the plugin was not kept'
  echo >>"$plugin"
  expect_exit 0 nightly --no-update -- --plugin "$plugin" # 2 launches are too few to suspect anything
  cmp "$plugin" "$kept/$(sha1sum "$plugin" | cut -d ' ' -f 1)/strategy_ddp.so" || fail 'the new plugin was not kept'
  [[ -f $kept/$first/strategy_ddp.so ]] || fail 'the plugin of the night before is gone'
  [[ ! -e state/latest/plugins ]] || fail 'copies were left with the results'
}
test_a_suite_that_is_refused_is_red() {
  nightly_project
  echo 'nonsense = 1' >bad.toml
  expect_exit 2 nightly --no-update bad.toml
  expect_says out 'Red: run failed with exit code 2'
  expect_says state/latest/report.html 'nonsense'
  [[ ! -e state/builds ]] || fail 'it kept a build that measured nothing'
  [[ ! -d state/history ]] || expect_equal "$(find state/history -type f | wc -l)" 0
}
test_another_night_is_waited_for_by_nobody() {
  nightly_project
  mkdir state
  local lock
  exec {lock}>>state/lock
  flock "$lock"
  expect_exit $overlap nightly
  exec {lock}>&-
  expect_says err 'another night is not over'
  [[ ! -e state/runs ]] || fail 'it left a folder'
}
test_changes_in_the_checkout_are_not_lost() {
  nightly_project
  echo '# mine' >>checkout/suites/notebook-3.13.toml
  expect_exit $expected_setup_failure nightly
  expect_says out 'Red: update failed'
  expect_says state/latest/log.txt 'the checkout has changes of its own'
  expect_says checkout/suites/notebook-3.13.toml '# mine'
}
test_an_upstream_that_is_away_is_red() {
  nightly_project
  mv upstream elsewhere
  expect_exit $expected_setup_failure nightly
  expect_says state/latest/log.txt 'git could not fetch'
}
test_wrong_options() {
  expect_exit $expected_setup_failure checkout/scripts/nightly --keep 0
  expect_says err "--keep is '0'"
  expect_exit $expected_setup_failure checkout/scripts/nightly --benchmark_repetitions=3
  expect_says err "come after '--'"
  expect_exit 0 checkout/scripts/nightly --help
  expect_says out 'scripts/nightly [options]'
}

run_tests
