#!/usr/bin/env bash
# LibTorch in the cache: found, downloaded once, never half there. A fake Python stands for pip.
# shellcheck source=tests/scripts/harness.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/harness.sh"

readonly cached=home/.cache/shardbench/libtorch-2.13.0

# python_does BODY: what `python -m pip install` does; $target is where to.
python_does() {
  {
    declare -f fake_libtorch
    printf '[[ $3 != --version ]] || exit 0\necho "$*" >>"%s/pip.calls"\n' "$PWD"
    printf 'while [[ $1 != --target ]]; do shift; done; target=$2\n%s\n' "$1"
  } | command_is fake-python
  export SHARDBENCH_PYTHON=$PWD/commands/fake-python
}
expect_nothing_left() { expect_equal "$(cd home/.cache/shardbench && ls)" "$1"; }

test_a_folder_that_is_not_there() {
  SHARDBENCH_LIBTORCH=/no/such/folder expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err "SHARDBENCH_LIBTORCH is '/no/such/folder', which is not a folder"
}
test_a_folder_that_is_no_libtorch() {
  fake_libtorch libtorch
  rm libtorch/torch/lib/libc10.so
  SHARDBENCH_LIBTORCH=libtorch expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err "but that folder lacks: lib/libc10.so"
}
test_a_plain_libtorch_is_used_and_nothing_downloaded() {
  python_does 'exit 1'
  fake_libtorch libtorch
  SHARDBENCH_LIBTORCH=libtorch/torch expect_exit 0 checkout/scripts/bootstrap
  expect_silent
  [[ ! -e pip.calls && ! -e home/.cache ]] || fail 'it downloaded'
}
test_it_is_downloaded_once_with_pinned_hashes() {
  python_does 'fake_libtorch "$target"'
  expect_exit 0 checkout/scripts/bootstrap
  expect_says err 'LibTorch 2.13.0: downloading'
  expect_says pip.calls '--require-hashes'
  expect_says pip.calls 'libtorch-requirements.txt'
  expect_nothing_left $'libtorch-2.13.0\nlibtorch-2.13.0.lock'
  expect_exit 0 checkout/scripts/bootstrap
  expect_silent
  expect_equal "$(wc -l <pip.calls)" 1
}
test_the_cache_folder_is_xdg_cache_home() {
  python_does 'fake_libtorch "$target"'
  XDG_CACHE_HOME=$PWD/elsewhere expect_exit 0 checkout/scripts/bootstrap
  [[ -e elsewhere/shardbench/libtorch-2.13.0 && ! -e home/.cache ]] || fail 'not in XDG_CACHE_HOME'
}
test_a_removed_library_is_noticed() {
  python_does 'fake_libtorch "$target"'
  expect_exit 0 checkout/scripts/bootstrap
  rm "$cached/torch/lib/libc10.so"
  expect_exit 0 checkout/scripts/bootstrap
  expect_equal "$(wc -l <pip.calls)" 2
  [[ -e $cached/torch/lib/libc10.so ]] || fail 'not installed again'
}
test_an_interrupted_download_leaves_nothing() {
  python_does 'fake_libtorch "$target"; echo >started; exec sleep 600'
  checkout/scripts/bootstrap >out 2>err &
  local script=$!
  until [[ -e started ]]; do sleep 0.1; done
  kill -TERM "$script"
  local code=0
  wait "$script" || code=$?
  expect_equal "$code" 130
  expect_nothing_left $'libtorch-2.13.0.lock\nlibtorch-2.13.0.log'
}
test_the_leftovers_of_a_killed_download_are_removed() {
  mkdir -p "$cached.part.abc/libtorch"
  python_does 'fake_libtorch "$target"'
  expect_exit 0 checkout/scripts/bootstrap
  expect_nothing_left $'libtorch-2.13.0\nlibtorch-2.13.0.lock'
}
test_two_clones_at_once_download_once() {
  # The first download goes on until the second clone waits for it.
  python_does "until grep -qs 'waiting for another download' '$PWD/err' '$PWD/second.err'; do sleep 0.1; done
fake_libtorch \"\$target\""
  cp -r checkout second
  second/scripts/bootstrap 2>second.err &
  local second=$!
  expect_exit 0 checkout/scripts/bootstrap
  wait "$second" || fail 'the second failed'
  expect_equal "$(wc -l <pip.calls)" 1
  cat err >>second.err
  expect_says second.err 'waiting for another download'
}
test_no_network() {
  python_does 'echo "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution"; exit 1'
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'cannot reach the Python package index'
  expect_says err 'SHARDBENCH_LIBTORCH'
  expect_nothing_left $'libtorch-2.13.0.lock\nlibtorch-2.13.0.log'
}
test_another_file_than_the_pinned_one() {
  python_does 'echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."; exit 1'
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'not LibTorch 2.13.0 as pinned'
}
test_a_wheel_of_another_layout() {
  python_does 'mkdir -p "$target/torch"'
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'is not what was expected'
}
test_a_cache_that_cannot_be_written() {
  python_does 'fake_libtorch "$target"'
  touch home/.cache
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'cannot write into the cache folder'
}
test_a_python_without_pip() {
  SHARDBENCH_PYTHON=/bin/false expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'no Python here has pip'
}

run_tests
