#!/usr/bin/env bash
# Packages: what is missing is noticed and installed, and without network or rights there is one clear message.
# shellcheck source=tests/scripts/harness.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/harness.sh"

# A machine that lacks ninja, with this user id and an apt-get that does what its argument says.
machine_without_ninja() {
  fake_libtorch libtorch
  export SHARDBENCH_LIBTORCH=$PWD/libtorch
  without_command ninja
  without_command sudo
  command_is id <<<"echo $1"
  command_is apt-get <<<"echo \"\$*\" >>'$PWD/apt-get.calls'; $2"
}
brings_ninja() { printf 'case "$*" in *install*) ln -s /bin/true "%s/commands/ninja" ;; esac' "$PWD"; }

test_nothing_missing_is_silent_and_quick() {
  fake_libtorch libtorch
  export SHARDBENCH_LIBTORCH=$PWD/libtorch
  local started=$EPOCHREALTIME
  expect_exit 0 checkout/scripts/bootstrap
  expect_silent
  ((${EPOCHREALTIME/./} - ${started/./} < 1000000)) || fail 'it took over a second'
}
test_it_works_from_any_folder() {
  fake_libtorch libtorch
  export SHARDBENCH_LIBTORCH=$PWD/libtorch
  (cd / && expect_equal "$("$OLDPWD/checkout/scripts/bootstrap" 2>&1)" '')
}
test_root_installs_only_what_is_missing() {
  machine_without_ninja 0 "$(brings_ninja)"
  expect_exit 0 checkout/scripts/bootstrap
  expect_says err 'installing ninja-build'
  expect_says apt-get.calls 'install --no-install-recommends ninja-build'
  expect_equal "$(sed 's/.* //' apt-get.calls | paste -sd ' ')" 'update ninja-build'
}
test_sudo_is_used_when_it_needs_no_password() {
  machine_without_ninja 1000 "$(brings_ninja)"
  command_is sudo <<<"[[ \$1 == -n ]] && shift; echo sudo >>'$PWD/sudo.calls'; \"\$@\""
  expect_exit 0 checkout/scripts/bootstrap
  expect_equal "$(wc -l <sudo.calls)" 3
}
test_without_sudo_it_gives_the_command_for_root() {
  machine_without_ninja 1000 'exit 0'
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'you are not root and there is no sudo: ninja-build'
  expect_says err 'apt-get install --no-install-recommends ninja-build'
  [[ ! -e apt-get.calls ]] || fail 'apt-get was called'
}
test_sudo_that_wants_a_password_without_a_keyboard() {
  machine_without_ninja 1000 'exit 0'
  command_is sudo <<<'exit 1'
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'sudo does not let you install them: ninja-build'
}
test_no_network() {
  machine_without_ninja 0 "echo \"Temporary failure resolving 'deb.debian.org'\"; exit 100"
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'cannot reach the Debian archive'
}
test_what_apt_get_says_is_shown() {
  machine_without_ninja 0 'echo "E: You have held broken packages"; exit 100'
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'held broken packages'
  expect_says err 'apt-get could not install: ninja-build'
}
test_an_apt_get_that_brings_nothing_is_noticed() {
  machine_without_ninja 0 'exit 0'
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'what they bring is not where it should be: ninja-build'
}
test_another_distribution() {
  machine_without_ninja 0 'exit 0'
  without_command apt-get
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'there is no apt-get to install them: ninja-build'
}
test_old_tools_are_refused() {
  fake_libtorch libtorch
  export SHARDBENCH_LIBTORCH=$PWD/libtorch
  command_is cmake <<<'echo cmake version 3.18.4'
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'CMake 3.18.4 is too old, 3.25 or newer is needed'
  command_is cmake <<<'echo cmake version 3.25.1'
  command_is g++ <<<'echo 10.2.1'
  expect_exit $expected_setup_failure checkout/scripts/bootstrap
  expect_says err 'g++ 10.2.1 is too old, 12 or newer is needed'
}

run_tests
