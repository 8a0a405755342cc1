#!/usr/bin/env bash
# examples/nightly: each starts scripts/nightly with options that it knows, and is what its reader takes.
# shellcheck source=tests/scripts/harness.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/harness.sh"

readonly examples=$project/examples/nightly

# The options of every call of scripts/nightly in the examples are in its help.
test_their_options_are_known() {
  local option
  checkout/scripts/nightly --help >help
  for option in $(grep -rhoP 'scripts/nightly \K.*' "$examples" | grep -oP -- '--[a-z-]+' | sort -u); do
    expect_says help "$option"
  done
}
test_their_suites_are_there() {
  local suite
  for suite in $(grep -rhoP 'suites/[^ ]+\.toml' "$examples" | sort -u); do
    [[ -f $project/$suite ]] || fail "an example runs '$suite', which is not there"
  done
}
test_systemd_takes_the_units() {
  [[ -x commands/systemd-analyze ]] || { printf 'not checked: no systemd-analyze here\n' && return; }
  mkdir home/shardbench units
  cp -r -- "$project/scripts" "$project/docs" home/shardbench/
  cp -- "$examples"/systemd/* units/
  expect_exit 0 env HOME="$HOME" XDG_RUNTIME_DIR="$PWD" systemd-analyze verify --user --man=no units/*.timer units/*.service
  grep -F units/ err >ours || true
  [[ ! -s ours ]] || fail 'systemd-analyze has objections'
  expect_exit 0 systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' units/*.timer)"
}
test_the_workflow_is_yaml_with_the_steps_that_matter() {
  python3 -c 'import yaml' 2>/dev/null || { printf 'not checked: no PyYAML here\n' && return; }
  expect_exit 0 python3 - "$examples/github-workflow.yml" <<'PY'
import sys, yaml
workflow = yaml.safe_load(open(sys.argv[1]))
assert workflow[True]["schedule"], "the key 'on' is a boolean in YAML 1.1"
steps = workflow["jobs"]["nightly"]["steps"]
assert all(set(step) & {"uses", "run"} for step in steps), steps
assert [step.get("if") for step in steps[2:]] == ["always()"] * 3, "a red night has to be shown too"
PY
}
test_cron_would_run_the_line() {
  local line
  line=$(grep -v '^#\|^[A-Z]*=' "$examples/crontab")
  [[ $line =~ ^[0-9*]+\ [0-9*]+\ \*\ \*\ \*\  ]] || fail "'$line' does not begin with five fields"
  mkdir home/shardbench
  cp -r -- "$project/scripts" home/shardbench/
  expect_exit 0 bash -nc "${line#* * * * * }"
}

run_tests
