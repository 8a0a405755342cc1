#!/usr/bin/env bash
# What the documents promise of the tree: links lead somewhere, the example strategy is the real one.
# shellcheck source=tests/scripts/harness.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/harness.sh"

test_links_lead_to_files() {
  local document link
  for document in "$project"/*.md "$project"/docs/*.md "$project"/results/README.md "$project"/examples/*/README.md; do
    while read -r link; do
      [[ -e $(dirname -- "$document")/$link ]] || fail "$document links to '$link', which is not there"
    done < <(grep -oP '\]\(\K[^)#]+' "$document" | grep -v '^https\?:' || true)
  done
}
test_the_strategy_in_the_readme_is_the_real_one() {
  sed -n '/^```cpp$/,/^```$/p' "$project/README.md" | sed '1d;$d' >example
  diff -u "$project/plugins/strategies/zero3.cpp" example >out || fail 'README.md shows another zero3.cpp than plugins/strategies has'
}
test_the_plugins_in_the_guide_are_the_example() {
  local example="$project/tests/out_of_tree/example"
  sed -n '/^```cpp$/,/^```$/p' "$project/docs/plugins.md" | grep -v '^```' >shown
  cat "$example/hello_ddp.cpp" "$example/hello_serial.cpp" >real
  diff -u real shown >out || fail 'docs/plugins.md shows other plugins than tests/out_of_tree/example has'
}
test_every_script_is_named_in_the_readme() {
  local script
  for script in "$project"/scripts/*; do
    [[ ! -x $script || -d $script ]] || grep -qF "$(basename "$script")" "$project/README.md" || fail "$script is not in README.md"
  done
}
test_the_exit_code_of_a_failed_set_up_is_documented() {
  grep -qF "| $expected_setup_failure | the scripts only" "$project/README.md" || fail 'not in the table of exit codes'
}

run_tests
