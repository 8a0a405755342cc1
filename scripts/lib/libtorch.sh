# LibTorch: the one that SHARDBENCH_LIBTORCH names, else PyPI's wheel, pinned by version and hash, in the user's cache.

readonly libtorch_version=2.13.0

# What a LibTorch needs to have, relative to it or to its torch/ folder.
readonly libtorch_files=(include/ATen/ATen.h include/torch/csrc/autograd/engine.h lib/libtorch_cpu.so lib/libc10.so)
# What the wheel's libtorch_cpu.so loads besides.
readonly wheel_files=(nvidia/cu13/lib/libcudart.so.13 nvidia/cu13/lib/libcupti.so.13)

# The folder of the shared cache that clones of this project have in common.
cache_folder() {
  if [[ -n "${XDG_CACHE_HOME:-}" ]]; then
    printf '%s/shardbench\n' "$XDG_CACHE_HOME"
  elif [[ -n "${HOME:-}" ]]; then
    printf '%s/.cache/shardbench\n' "$HOME"
  else
    die "neither HOME nor XDG_CACHE_HOME is set, so there is no place for LibTorch" "set XDG_CACHE_HOME to a folder with 3 GB free"
  fi
}

# Prints what FOLDER lacks to be a LibTorch (nothing: it is one). It may be the wheel's own layout or a plain one.
libtorch_lacks() {
  local file
  for file in "${libtorch_files[@]}"; do
    [[ -e $1/$file || -e $1/torch/$file ]] || printf '%s\n' "$file"
  done
}

wheel_is_complete() {
  local file
  [[ -z "$(libtorch_lacks "$1")" ]] || return 1
  for file in "${wheel_files[@]}"; do [[ -e $1/$file ]] || return 1; done
}

# The interpreter that runs pip, in `python`: Debian's if it has pip, else the first in PATH that has; or the one that
# SHARDBENCH_PYTHON names.
find_pip() {
  local candidates=(/usr/bin/python3 python3)
  [[ -z "${SHARDBENCH_PYTHON:-}" ]] || candidates=("$SHARDBENCH_PYTHON")
  for python in "${candidates[@]}"; do
    ! "$python" -m pip --version >/dev/null 2>&1 || return 0
  done
  return 1
}

# pip_install TARGET: whatever the local Python is, the files of the manylinux wheel for Python 3.11 (its C++ half is
# the same in all). pip's own configuration stays in force (index, proxy), but for what would break --target.
pip_install() {
  exec env TMPDIR="$1/tmp" PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 "$python" -m pip install --no-deps --require-hashes --only-binary=:all: \
    --no-cache-dir --disable-pip-version-check --no-input --no-compile --progress-bar off --retries 3 \
    --python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_25_x86_64 --platform manylinux_2_17_x86_64 \
    --platform manylinux2014_x86_64 --platform any \
    --target "$1/libtorch" -r "$scripts/libtorch-requirements.txt"
}

explain_failed_download() {
  local log=$1
  if looks_like_no_network "$log" || grep -q 'Max retries exceeded' "$log"; then
    die "cannot reach the Python package index to download LibTorch $libtorch_version" \
      "connect to the network (pip's own settings are used: PIP_INDEX_URL, HTTPS_PROXY), or set SHARDBENCH_LIBTORCH to a LibTorch that you have; log: $log"
  elif grep -qi 'no space left' "$log"; then
    die "the disk is full: LibTorch takes 2.5 GB while it is installed, 1.2 GB afterwards" "make room in $(dirname "$log"), or set XDG_CACHE_HOME to another disk"
  elif grep -q 'DO NOT MATCH THE HASHES' "$log"; then
    die "what was downloaded is not LibTorch $libtorch_version as pinned in scripts/libtorch-requirements.txt" "check the package index that pip uses; log: $log"
  fi
  tail -n 15 "$log" >&2
  die "pip could not install LibTorch $libtorch_version (log: $log)" "mend what pip says above, or set SHARDBENCH_LIBTORCH to a LibTorch that you have"
}

# Downloads into a temporary sibling and renames it when it is complete: an interrupted download looks like none.
# The caller holds the lock, so every older temporary sibling is somebody's interrupted one.
download_libtorch() {
  local log="$libtorch.log" started=$SECONDS
  rm -rf -- "$libtorch".part.*
  part=$(mktemp -d "$libtorch.part.XXXXXX")
  trap 'rm -rf -- "$part"' EXIT
  mkdir "$part/tmp"
  step 2 "LibTorch $libtorch_version: downloading 530 MB, once, into $libtorch"
  watched "$log" "$part" pip_install "$part" || explain_failed_download "$log"
  wheel_is_complete "$part/libtorch" ||
    die "the wheel of LibTorch $libtorch_version is not what was expected: these should be in it: ${libtorch_files[*]} ${wheel_files[*]}" "report this, with $log"
  rm -rf -- "$libtorch"
  mv -T -- "$part/libtorch" "$libtorch"
  rm -rf -- "$part" "$log"
  trap - EXIT
  step 2 "LibTorch $libtorch_version: installed in $((SECONDS - started)) s"
}

# Sets `libtorch` to the folder to build with; 1 if that is the cache's and it is not there yet.
locate_libtorch() {
  local lacks
  if [[ -z "${SHARDBENCH_LIBTORCH:-}" ]]; then
    libtorch=$(cache_folder) || exit
    libtorch+=/libtorch-$libtorch_version
    wheel_is_complete "$libtorch"
    return
  fi
  local cure="set it to a folder with LibTorch's include/ and lib/ (2.6 or newer), or unset it to have LibTorch $libtorch_version downloaded"
  [[ -d $SHARDBENCH_LIBTORCH ]] || die "SHARDBENCH_LIBTORCH is '$SHARDBENCH_LIBTORCH', which is not a folder" "$cure"
  libtorch=$(cd -- "$SHARDBENCH_LIBTORCH" && pwd)
  lacks=$(libtorch_lacks "$libtorch" | tr '\n' ' ')
  [[ -z "$lacks" ]] || die "SHARDBENCH_LIBTORCH is '$libtorch', but that folder lacks: $lacks" "$cure"
}

# Puts LibTorch into the cache, unless another clone's bootstrap does so in the meantime.
install_libtorch() {
  local cache lock
  cache=$(dirname -- "$libtorch")
  [[ "$(uname -s)-$(uname -m)" == Linux-x86_64 ]] ||
    die "LibTorch is pinned for Linux on x86_64, and this is $(uname -s) on $(uname -m)" "set SHARDBENCH_LIBTORCH to a LibTorch for this machine"
  mkdir -p -- "$cache" 2>/dev/null && [[ -w $cache ]] ||
    die "cannot write into the cache folder '$cache'" "make it writable, or set XDG_CACHE_HOME to another folder"
  find_pip || die "no Python here has pip to download LibTorch" "install python3-pip, or set SHARDBENCH_PYTHON to a Python that has pip"
  exec {lock}>"$libtorch.lock"
  flock -n "$lock" || { step 2 "LibTorch $libtorch_version: waiting for another download into $cache" && flock "$lock"; }
  wheel_is_complete "$libtorch" || download_libtorch
  exec {lock}>&-
}
