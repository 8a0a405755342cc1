# A small harness for tests of the scripts. Sourced; then functions named test_* are run by `run_tests`, each in its own
# subshell and empty folder, with a copy of the scripts in ./checkout and a PATH in which commands can be replaced.
set -euo pipefail

project=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
unset CXX XDG_CACHE_HOME NO_COLOR "${!SHARDBENCH_@}"
readonly expected_setup_failure=10

fail() {
  printf 'FAILED: %s\n' "$1" >&2
  sed 's/^/    | /' "$PWD"/out "$PWD"/err >&2 2>/dev/null || true
  exit 1
}

# expect_exit CODE COMMAND...: its stdout is then in ./out, its stderr in ./err.
expect_exit() {
  local expected=$1 code=0
  shift
  "$@" >out 2>err </dev/null || code=$?
  ((code == expected)) || fail "exit code $code in place of $expected: $*"
}
expect_says() { grep -qF -- "$2" "$1" || fail "'$2' is not in $1"; }
expect_silent() { [[ ! -s err ]] || fail 'it should have said nothing'; }
expect_equal() { [[ "$1" == "$2" ]] || fail "'$1' in place of '$2'"; }

# command_is NAME <<<BODY: NAME in PATH becomes a bash script.
command_is() {
  rm -f "commands/$1"
  { printf '#!/bin/bash\n' && cat; } >"commands/$1"
  chmod +x "commands/$1"
}
without_command() { rm -f "commands/$1"; }

# fake_libtorch FOLDER: what the scripts look for in a LibTorch.
fake_libtorch() {
  mkdir -p "$1/torch/include/ATen" "$1/torch/include/torch/csrc/autograd" "$1/torch/lib" "$1/nvidia/cu13/lib"
  touch "$1"/torch/include/{ATen/ATen.h,torch/csrc/autograd/engine.h} "$1"/torch/lib/lib{torch_cpu,c10}.so \
    "$1"/nvidia/cu13/lib/{libcudart,libcupti}.so.13
}

run_tests() {
  local name code failures=0 count=0 folder
  for name in $(compgen -A function test_); do
    folder=$(mktemp -d)
    set +e # not `if (...)`: that would switch off set -e inside
    (
      set -e
      cd -- "$folder"
      mkdir commands checkout home
      cp -r -- "$project/scripts" checkout/
      find /usr/local/bin /usr/bin /bin -maxdepth 1 ! -type d -exec ln -sf -t commands {} +
      export PATH=$folder/commands HOME=$folder/home
      "$name"
    )
    code=$?
    set -e
    count=$((count + 1))
    if ((code == 0)); then
      printf 'passed: %s\n' "$name"
    else
      printf 'FAILED: %s\n' "$name"
      failures=$((failures + 1))
    fi
    rm -rf -- "$folder"
  done
  printf '%s of %s failed\n' "$failures" "$count"
  exit $((failures > 0 || count == 0))
}
