# Configure and build, and nothing of it when there is nothing to do. SHARDBENCH_PRESET picks another preset of
# CMakePresets.json than release; both scripts share its build folder.

readonly preset=${SHARDBENCH_PRESET:-release}
readonly build=$root/build/$preset
readonly build_log=$root/build/setup.log

# What bench and test need before they configure: the packages, and those of "package:evidence" arguments, and LibTorch.
# Silent when they are there.
bootstrap() {
  local needed=("${needed_packages[@]}" "$@") download=''
  locate_libtorch || download=yes
  [[ -z "$download" ]] || find_pip || needed+=('python3-pip:pip3')
  mkdir -p -- "$root/build"
  ensure_packages "$build_log" "${needed[@]}"
  check_tool_versions
  [[ -z "$download" ]] || install_libtorch
}

# One build at a time in this checkout; released when the script ends or calls unlock_build.
lock_build() {
  exec {build_lock}>"$root/build/.lock"
  flock -n "$build_lock" || { step 3 "waiting for another build in $root/build" && flock "$build_lock"; }
}
unlock_build() { exec {build_lock}>&-; }

# Was this folder configured here, for this LibTorch, with these presets? (Ninja itself sees changed CMakeLists.txt.)
configured() {
  [[ -e $build/build.ninja && ! $root/CMakePresets.json -nt $build/build.ninja ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt" &&
    grep -qxF "SHARDBENCH_LIBTORCH:PATH=$libtorch" "$build/CMakeCache.txt"
}

configure() {
  ! configured || return 0
  local log=$build.configure.log fresh=()
  [[ ! -e $build/CMakeCache.txt ]] || grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt" || fresh=(--fresh)
  step 3 "Configuring build/$preset"
  if ! (cd -- "$root" && cmake --preset "$preset" "${fresh[@]}" -U 'SHARDBENCH_TORCH_*' "-DSHARDBENCH_LIBTORCH:PATH=$libtorch") >"$log" 2>&1; then
    cat "$log" >&2
    die "CMake could not configure build/$preset" "mend what CMake says above (log: $log)"
  fi
}

# Compilations at once: as many as cores, but 1.5 GB each (a source file that includes LibTorch takes 1 GB).
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ {print int($2 / 1500000)}' /proc/meminfo)
  ((memory < cores)) && cores=$((memory > 1 ? memory : 1))
  printf '%s\n' "${CMAKE_BUILD_PARALLEL_LEVEL:-$cores}"
}

# Shows Ninja's lines on stderr: the last one in place on a terminal, all of them else, none where nothing is done.
show_build() {
  local line shown=''
  while IFS= read -r line; do
    case $line in # what every build does: globs, and custom targets, which Ninja shows by their command
      'ninja: no work to do.' | *'] Re-checking globbed directories...' | *'] cd '*) continue ;;
    esac
    [[ -n $shown ]] || step 4 "Building build/$preset"
    shown=yes
    if [[ -t 2 && $line == '['* ]]; then
      printf '\r\e[K%s' "${line:0:$((${COLUMNS:-80} - 1))}" >&2
    elif [[ -t 2 ]]; then
      printf '\r\e[K%s\n' "$line" >&2
    else
      printf '%s\n' "$line" >&2
    fi
  done
  [[ -z $shown || ! -t 2 ]] || printf '\r\e[K' >&2
}

# compile TARGET...: silent when all is up to date.
compile() {
  local code=0
  (cd -- "$build" && NINJA_STATUS='[%f/%t, %es] ' exec ninja -j "$(build_jobs)" "$@" 2>&1) | show_build || code=$?
  ((code != 130)) || exit 130 # Ctrl-C
  ((code == 0)) || die "the build failed" "mend what the compiler says above, then run this again"
}

# set_up TARGET...: from a fresh clone to those targets, built. `also_needed` may name more packages.
also_needed=()
set_up() {
  bootstrap "${also_needed[@]}"
  lock_build
  configure
  compile "$@"
  unlock_build
}
